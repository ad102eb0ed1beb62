package org.fibnuma.core.kernel;

import org.fibnuma.core.wire.IpAddress;

import java.util.Comparator;
import java.util.List;

/**
 * The next hops of a route that has several. Equal whatever the order of the next hops.
 *
 * @param resilience of the flows when the next hops change; null where flows are divided by weights alone.
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
     * @param kind           {@link KernelRoute.Kind#UNICAST}, or {@link KernelRoute.Kind#OTHER} where only the kernel
     *                       can use it.
     * @param interfaceIndex index of the egress interface, or 0 where there is none.
     * @param gateway        of either family, or {@link IpAddress#NONE} where the destination is on the link.
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
     * @param idleMs       a bucket without packets for this time may get another next hop, in ms.
     * @param unbalancedMs after this time in ms buckets move although they are in use; 0 for never.
     */
    public record Resilience(int groupId, int buckets, long idleMs, long unbalancedMs)
    {
    }
}
