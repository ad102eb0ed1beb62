/**
 * Routes with several next hops: the flow of a frame selects one of them.
 * <pre>
 *  Ipv4Lookup, Ipv6Lookup -> MultipathSelection -> Ipv4Rewrite, Ipv6Rewrite
 *                                 |
 *                             FlowHash -> AdjacencyGroup (buckets, each with the adjacency of a member)
 * </pre>
 * The control thread fills the buckets of an {@link org.fibnuma.fibnic.adjacency.AdjacencyGroup} and replaces it in one
 * store.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.multipath;
