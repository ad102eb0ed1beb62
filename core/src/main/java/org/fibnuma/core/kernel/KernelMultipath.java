package org.fibnuma.core.kernel;

import org.fibnuma.core.wire.IpAddress;

import java.util.Comparator;
import java.util.List;

/**
 * The next hops of a route that has several. The order in which they are given does not matter for equality.
 *
 * @param resilience of the flows when the next hops change; null if flows are divided by weights alone.
 * @param hops       two or more, in the order of {@link Hop}.
 */
public record KernelMultipath(Resilience resilience, List<Hop> hops)
{
    /** Sorts the next hops. */
    public KernelMultipath
    {
        hops = hops.stream().sorted().toList();
    }

    /**
     * One next hop.
     *
     * @param kind           {@link KernelRoute.Kind#UNICAST}, or {@link KernelRoute.Kind#OTHER} if only the kernel can
     *                       use it.
     * @param interfaceIndex index of the egress interface, or 0 if there is none.
     * @param gateway        of either family, or {@link IpAddress#NONE} if the destination is on the link.
     * @param weight         share of the flows, 1 or more, relative to the weights of the others.
     */
    public record Hop(KernelRoute.Kind kind, int interfaceIndex, IpAddress gateway, int weight)
        implements Comparable<Hop>
    {
        private static final Comparator<Hop> ORDER = Comparator.comparingInt(Hop::interfaceIndex)
            .thenComparing(Hop::gateway).thenComparing(Hop::kind).thenComparingInt(Hop::weight);

        @Override
        public int compareTo(final Hop other)
        {
            return ORDER.compare(this, other);
        }
    }

    /**
     * Properties of a resilient next-hop group (NHA_RES_GROUP, linux/nexthop.h, Linux 6.1).
     *
     * @param groupId      number of the next-hop group.
     * @param buckets      number of parts into which flows are divided, 1 to 65,535.
     * @param idleMs       time in ms without packets after which a bucket may get another next hop.
     * @param unbalancedMs time in ms after which buckets in use get another next hop; 0 for never.
     */
    public record Resilience(int groupId, int buckets, long idleMs, long unbalancedMs)
    {
    }
}
