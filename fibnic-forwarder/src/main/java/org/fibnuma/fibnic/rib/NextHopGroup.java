package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The members of a {@link NextHop} that is a group, and the buckets that divide flows among them. Control thread.
 * <p>
 * A resilient group does not use the buckets that the kernel reports (RTM_NEWNEXTHOPBUCKET). The kernel does not see
 * the frames that the router forwards: all its buckets are idle.
 */
final class NextHopGroup
{
    private static final long BALANCED = -1;

    private final KernelMultipath multipath;
    private final NextHop[] members;
    private final int[] weights;
    private final GroupBuckets buckets;
    /** By bucket: time of the last frame in ms, written by the workers; null unless the group is resilient. */
    private final int[] usedMs;
    /** Whether {@link #usedMs} has times of the workers' clock. */
    private boolean isTimed;
    private long unbalancedSinceMs = BALANCED;

    /**
     * Creates a group.
     *
     * @param members  in the order of the next hops of the route.
     * @param previous the previous resilient group of this number, whose flows keep their members; null for none.
     */
    NextHopGroup(final KernelMultipath multipath, final List<NextHop> members, final NextHopGroup previous)
    {
        this.multipath = multipath;
        this.members = members.toArray(new NextHop[0]);
        this.weights = multipath.hops().stream().mapToInt(KernelMultipath.Hop::weight).toArray();
        if (multipath.resilience() == null)
        {
            this.buckets = GroupBuckets.of(weights);
            this.usedMs = null;
            return;
        }
        final int count = multipath.resilience().buckets();
        final boolean inherits = previous != null && previous.usedMs.length == count;
        this.buckets = GroupBuckets.resilient(weights, inherits ? holdersOf(previous) : GroupBuckets.free(count));
        this.usedMs = inherits ? previous.usedMs : new int[count];
        this.isTimed = inherits && previous.isTimed;
    }

    private int[] holdersOf(final NextHopGroup previous)
    {
        final Map<NextHop, Integer> positions = new HashMap<>();
        for (int position = 0; position < members.length; position++)
        {
            positions.put(members[position], position);
        }
        return Arrays.stream(previous.buckets.holders())
            .map(holder -> positions.getOrDefault(previous.members[holder], GroupBuckets.NONE)).toArray();
    }

    /** Returns the members in the order of the next hops of the route. */
    List<NextHop> members()
    {
        return List.of(members);
    }

    /** Leaves out the members that cannot be used; returns whether a bucket has moved. */
    boolean update(final Predicate<NextHop> usable)
    {
        final boolean[] flags = new boolean[members.length];
        for (int member = 0; member < flags.length; member++)
        {
            flags[member] = usable.test(members[member]);
        }
        return buckets.update(flags);
    }

    /**
     * Moves buckets of a resilient group to members that have fewer than their share: buckets without frames for the
     * idle time, or any if the group has been unbalanced for too long.
     *
     * @param nowMs time on the workers' clock.
     * @return whether a bucket has moved.
     */
    boolean balance(final long nowMs)
    {
        if (!isTimed)
        {
            isTimed = true;
            Arrays.fill(usedMs, (int)nowMs);
        }
        if (!buckets.isUnbalanced())
        {
            unbalancedSinceMs = BALANCED;
            return false;
        }
        unbalancedSinceMs = unbalancedSinceMs == BALANCED ? nowMs : unbalancedSinceMs;
        final KernelMultipath.Resilience resilience = multipath.resilience();
        final boolean isForced =
            resilience.unbalancedMs() > 0 && nowMs - unbalancedSinceMs >= resilience.unbalancedMs();
        // The times wrap after 24 days; an idle bucket has moved long before.
        return buckets.balance(bucket -> isForced || (int)nowMs - usedMs[bucket] >= resilience.idleMs());
    }

    List<MemberView> views()
    {
        final List<MemberView> views = new ArrayList<>();
        for (int i = 0; i < members.length; i++)
        {
            final int position = i;
            views.add(new MemberView(
                members[i].adjacency(), members[i].gateway(), members[i].egressInterface(), weights[i],
                (int)Arrays.stream(buckets.holders()).filter(holder -> holder == position).count()));
        }
        return views;
    }

    /** Returns the current state for the workers. */
    AdjacencyGroup adjacencies()
    {
        return new AdjacencyGroup(
            Arrays.stream(members).mapToInt(NextHop::adjacency).toArray(), weights, buckets.holders(), usedMs);
    }
}
