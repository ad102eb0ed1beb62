package org.fibnuma.fibnic.adjacency;

import java.util.Arrays;
import java.util.Objects;

/**
 * The members of an adjacency of kind {@link AdjacencyKind#GROUP} and the buckets that divide flows among them:
 * immutable, except for the times of use. A member that is left out has no bucket.
 */
public final class AdjacencyGroup
{
    private static final long UNSIGNED_INT = 0xFFFF_FFFFL;

    private final int[] members;
    private final int[] weights;
    private final char[] buckets;
    private final int[] usedMs;

    /**
     * Creates a group.
     *
     * @param members  index of the adjacency of each member, in the {@link AdjacencyTable}.
     * @param weights  of the members, 1 or more.
     * @param holders  by bucket: position of a member in the other arrays; at least one bucket.
     * @param usedMs   by bucket: receives the time of the last frame, see {@link #onUse}; null if it is not recorded.
     *                 Shared with the caller and with the group that replaces this one.
     */
    public AdjacencyGroup(final int[] members, final int[] weights, final int[] holders, final int[] usedMs)
    {
        this.members = members.clone();
        this.weights = weights.clone();
        this.usedMs = usedMs;
        this.buckets = new char[holders.length];
        for (int bucket = 0; bucket < holders.length; bucket++)
        {
            buckets[bucket] = (char)members[holders[bucket]];
        }
    }

    /** Returns the number of members. */
    public int size()
    {
        return members.length;
    }

    /** Returns the index of the adjacency of a member, 0 to {@link #size()} - 1. */
    public int member(final int position)
    {
        return members[position];
    }

    /** Returns the weight of a member. */
    public int weight(final int position)
    {
        return weights[position];
    }

    /** Returns the number of buckets. */
    public int bucketCount()
    {
        return buckets.length;
    }

    /** Returns the bucket of a flow by the high bits of its hash; any thread. */
    public int bucket(final int hash)
    {
        return (int)((hash & UNSIGNED_INT) * buckets.length >>> Integer.SIZE);
    }

    /** Returns the index of the adjacency that the flows of a bucket leave by; any thread. */
    public int adjacency(final int bucket)
    {
        return buckets[bucket];
    }

    /** Returns whether the times of use are recorded. */
    public boolean recordsUse()
    {
        return usedMs != null;
    }

    /**
     * Records that a frame has used a bucket, if {@link #recordsUse()}; any thread. Stores of several threads may
     * overwrite each other, as their times are about the same.
     *
     * @param timeMs low bits of a time in ms.
     */
    public void onUse(final int bucket, final int timeMs)
    {
        usedMs[bucket] = timeMs;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof final AdjacencyGroup that &&
            Arrays.equals(members, that.members) && Arrays.equals(weights, that.weights) &&
            Arrays.equals(buckets, that.buckets) && usedMs == that.usedMs;
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(Arrays.hashCode(members), Arrays.hashCode(weights), Arrays.hashCode(buckets));
    }
}
