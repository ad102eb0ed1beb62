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
 * A change of a neighbour or a link touches one adjacency, however many routes lead through it; a change of a route
 * touches one prefix of the FIB. {@link org.fibnuma.fibnic.rib.VlanLinks} decides which links are VLAN interfaces.
 * {@link org.fibnuma.fibnic.rib.FibProgrammer} connects them, one for each family; next hops, links and neighbours of
 * both families are in one table each.
 */
package org.fibnuma.fibnic.rib;
