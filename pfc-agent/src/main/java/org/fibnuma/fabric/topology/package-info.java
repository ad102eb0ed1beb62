/**
 * The fabric: switches, the channels between them, servers.
 * <pre>
 *  files:      EdgeListReader   JsonTopologyReader   IbNetReader   LldpReader
 *                    \                 |                 |             /
 *                     +------------- FabricBuilder -------------------+----> Fabric
 *                    /
 *  generators: RandomNetwork   JoinedFatTrees
 * </pre>
 */
package org.fibnuma.fabric.topology;
