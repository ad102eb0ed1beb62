/**
 * Deadlock-free routing of lossless fabrics.
 * <pre>
 *  topology          turns               tables                  export
 *  Fabric --+------> TurnMethod -------> DestinationRoutes ----> StaticRoutes, OpenSmTables, TurnSetJson
 *           |          ^    |                 ^    |
 *           +-> plan --+    +-> proof         |    +-> proof: RoutingProof of what is exported
 *               BalancedPaths, FatTreePaths --+
 * </pre>
 * PFC makes Ethernet lossless, and a lossless network in which buffers can wait for each other in a circle can stop for
 * ever. Which turns routes may take is chosen so that there is no circle; whatever is chosen is proved before it is
 * written.
 */
package org.fibnuma.fabric;
