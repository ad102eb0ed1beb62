/**
 * What the control thread tells the workers and the one thing that they ask of it.
 * <p>
 * The FIB yields an index; {@link org.fibnuma.fibnic.adjacency.AdjacencyTable} turns it into an
 * {@link org.fibnuma.fibnic.adjacency.Adjacency}: the link-layer addresses to write, the port to leave by, or what to
 * do instead. {@link org.fibnuma.fibnic.adjacency.InterfaceTable} holds the router's own addresses. A neighbour that
 * nobody has resolved is asked for through a {@link org.fibnuma.fibnic.adjacency.NeighborResolveProxy}.
 */
package org.fibnuma.fibnic.adjacency;
