package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.IpAddress;

/**
 * A member of a group of next hops, for {@code lookup}.
 *
 * @param adjacency      index in the adjacency table.
 * @param gateway        of the next hop.
 * @param interfaceIndex kernel's index of the egress interface, or 0 where only the kernel can use the member.
 * @param weight         configured share of the flows.
 * @param buckets        number of its buckets; 0 if it is left out.
 */
public record MemberView(int adjacency, IpAddress gateway, int interfaceIndex, int weight, int buckets)
{
}
