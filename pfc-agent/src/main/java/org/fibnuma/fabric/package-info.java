/**
 * Deadlock-free routing of lossless fabrics.
 * <pre>
 *  topology          turns               tables                  export
 *  Fabric --+------> TurnMethod -------> DestinationRoutes ----> StaticRoutes, OpenSmTables, TurnSetJson
 *           |          ^    |                 ^    |
 *           +-> plan --+    +-> proof         |    +-> proof: RoutingProof of the exported tables
 *               BalancedPaths, FatTreePaths --+    JointRoutes: tables of turn addition
 * </pre>
 * PFC makes Ethernet lossless. A lossless network can deadlock if its buffers can wait for each other in a cycle. The
 * turns that routes may use are chosen so that there is no cycle; every plan is proved before it is written.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fabric;
