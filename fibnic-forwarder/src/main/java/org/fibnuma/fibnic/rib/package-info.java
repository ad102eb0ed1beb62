/**
 * From what the kernel says to what the workers look up. Control thread only, except where a table says otherwise.
 * <pre>
 *  routes ----> Rib -------> best of each prefix ----> Ipv4Fib
 *                   |  rows point to                         | yields
 *                   v                                        v
 *  links -----> NextHopTable ---- keeps up to date ----> AdjacencyTable
 *  neighbors ------^
 * </pre>
 * A change of a neighbour or a link touches one adjacency, however many routes lead through it; a change of a route
 * touches one prefix of the FIB. {@link org.fibnuma.fibnic.rib.FibProgrammer} ties them together.
 */
package org.fibnuma.fibnic.rib;
