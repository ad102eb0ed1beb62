package org.fibnuma.fibnic.rib;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Divides the buckets of a group of next hops among its members in proportion to their weights, by the method of the
 * largest remainder. Members are positions in the group. A member that cannot be used has no buckets, unless no member
 * can be used. Control thread.
 * <p>
 * When a member fails, only its buckets move. When it returns, it gets the same buckets again, unless the group is
 * resilient: then no bucket of a usable member moves, except by {@link #balance}.
 */
final class GroupBuckets
{
    /** Holder of a bucket without a member. */
    static final int NONE = -1;

    private static final int FEWEST = 256;
    private static final int MOST = 1 << 14;
    /** Fewer buckets could change the share of the member with the lowest weight by 2 % of this share. */
    private static final int FOR_LOWEST_WEIGHT = 64;

    private final int[] weights;
    private final boolean resilient;
    private final int[] original;
    private final int[] holders;
    private boolean[] usable;

    private GroupBuckets(final int[] weights, final int[] holders, final boolean resilient)
    {
        this.weights = weights;
        this.holders = holders;
        this.resilient = resilient;
        this.usable = new boolean[weights.length];
        Arrays.fill(usable, true);
        fill(holders);
        this.original = holders.clone();
    }

    /** Creates as many buckets as the weights of a group need; all members can be used. */
    static GroupBuckets of(final int[] weights)
    {
        final long sum = Arrays.stream(weights).asLongStream().sum();
        final long needed = FOR_LOWEST_WEIGHT * sum / Arrays.stream(weights).min().orElseThrow();
        int count = FEWEST;
        while (count < needed && count < MOST)
        {
            count *= 2;
        }
        return new GroupBuckets(weights, free(count), false);
    }

    /**
     * Creates the buckets of a resilient group; all members can be used.
     *
     * @param holders by bucket: the member that has it, or {@link #NONE}; owned by the result.
     */
    static GroupBuckets resilient(final int[] weights, final int[] holders)
    {
        return new GroupBuckets(weights, holders, true);
    }

    /** Returns buckets without holders. */
    static int[] free(final int count)
    {
        final int[] holders = new int[count];
        Arrays.fill(holders, NONE);
        return holders;
    }

    /** Returns the member of each bucket, valid until the next change. */
    int[] holders()
    {
        return holders;
    }

    /** Sets which members can be used; returns whether a bucket has moved. */
    boolean update(final boolean[] nowUsable)
    {
        if (Arrays.equals(usable, nowUsable))
        {
            return false;
        }
        usable = nowUsable.clone();
        final int[] before = holders.clone();
        final int[] wanted = wanted();
        final int[] counts = new int[weights.length];
        for (int bucket = 0; bucket < holders.length; bucket++)
        {
            if (!resilient && isInUse(original[bucket]))
            {
                holders[bucket] = original[bucket];
                counts[original[bucket]]++;
            }
        }
        for (int bucket = 0; bucket < holders.length; bucket++)
        {
            final int holder = holders[bucket];
            if (resilient ? !isInUse(holder) : !isInUse(original[bucket]) &&
                (!isInUse(holder) || ++counts[holder] > wanted[holder]))
            {
                holders[bucket] = NONE;
            }
        }
        fill(holders);
        return !Arrays.equals(before, holders);
    }

    /** Returns whether a member has more buckets than its share and another member fewer. */
    boolean isUnbalanced()
    {
        return !Arrays.equals(wanted(), counts(holders));
    }

    /**
     * Moves buckets from members that have more than their share to members that have less.
     *
     * @param movable returns whether a bucket may move.
     * @return whether a bucket has moved.
     */
    boolean balance(final IntPredicate movable)
    {
        final int[] wanted = wanted();
        final int[] counts = counts(holders);
        boolean changed = false;
        for (int bucket = 0; bucket < holders.length; bucket++)
        {
            final int holder = holders[bucket];
            if (counts[holder] > wanted[holder] && movable.test(bucket))
            {
                counts[holder]--;
                holders[bucket] = NONE;
                changed = true;
            }
        }
        fill(holders);
        return changed;
    }

    /** Gives the buckets without holders to the members that have fewer than their share, in turn. */
    private void fill(final int[] buckets)
    {
        final int[] wanted = wanted();
        final int[] counts = counts(buckets);
        int member = 0;
        for (int bucket = 0; bucket < buckets.length; bucket++)
        {
            if (buckets[bucket] == NONE)
            {
                do
                {
                    member = member + 1 < weights.length ? member + 1 : 0;
                }
                while (counts[member] >= wanted[member]);
                buckets[bucket] = member;
                counts[member]++;
            }
        }
    }

    private int[] counts(final int[] buckets)
    {
        final int[] counts = new int[weights.length];
        for (final int holder : buckets)
        {
            if (holder != NONE)
            {
                counts[holder]++;
            }
        }
        return counts;
    }

    private int[] wanted()
    {
        final long count = holders.length;
        long sum = 0;
        for (int member = 0; member < weights.length; member++)
        {
            sum += isInUse(member) ? weights[member] : 0;
        }
        final long total = sum;
        final int[] wanted = new int[weights.length];
        int left = holders.length;
        for (int member = 0; member < weights.length; member++)
        {
            wanted[member] = isInUse(member) ? (int)(count * weights[member] / total) : 0;
            left -= wanted[member];
        }
        IntStream.range(0, weights.length).filter(this::isInUse).boxed()
            .sorted(Comparator.comparingLong(member -> -(count * weights[member] % total))).limit(left)
            .forEach(member -> wanted[member]++);
        return wanted;
    }

    private boolean isInUse(final int member)
    {
        return member != NONE && (usable[member] || isNoneUsable());
    }

    private boolean isNoneUsable()
    {
        for (final boolean each : usable)
        {
            if (each)
            {
                return false;
            }
        }
        return true;
    }
}
