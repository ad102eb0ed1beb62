/**
 * Tables from the control thread to the workers, and the workers' requests to it.
 * <p>
 * {@link org.fibnuma.fibnic.adjacency.AdjacencyTable} maps an index from the FIB to an
 * {@link org.fibnuma.fibnic.adjacency.Adjacency}: link-layer addresses and egress port, or another action. For the
 * rewrite of ordinary frames it also has a number that refers to one of the
 * {@link org.fibnuma.fibnic.adjacency.EgressLinks}.
 * {@link org.fibnuma.fibnic.adjacency.InterfaceTable} contains the router's own addresses. A worker requests the
 * resolution of a neighbour through a {@link org.fibnuma.fibnic.adjacency.NeighborResolveProxy}.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.adjacency;
