/**
 * What a next hop means: the link-layer addresses to write, the port to leave by, or what to do instead. The FIB
 * yields an index; {@link org.fibnuma.fibnic.adjacency.AdjacencyTable} turns it into an
 * {@link org.fibnuma.fibnic.adjacency.Adjacency}.
 */
package org.fibnuma.fibnic.adjacency;
