/**
 * The control plane: routes, links, neighbours and addresses of the kernel become the FIB and the adjacencies of the
 * workers. Control thread only, except where a class states otherwise.
 * <pre>
 *  routes ----> Rib -------> best of each prefix ----> Ipv4Fib, Ipv6Fib
 *                   |  rows point to                         | returns
 *                   v                                        v
 *  links -----> NextHopTable ---- keeps up to date ----> AdjacencyTable
 *  neighbors ------^
 * </pre>
 * A change of a neighbour writes one adjacency for all routes through it. A change of a route writes one prefix of the
 * FIB. {@link org.fibnuma.fibnic.rib.VlanLinks} finds the links that are VLAN interfaces. Each family has a
 * {@link org.fibnuma.fibnic.rib.FibProgrammer}. Next hops, links and neighbours of both families are in one table each.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.rib;
