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
@org.fibnuma.core.Internal
package org.fibnuma.fabric.topology;
