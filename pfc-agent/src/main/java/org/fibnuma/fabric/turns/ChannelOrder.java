package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A growing set of turns without cycles: an incremental topological order of the channels.
 * <p>
 * Every channel has a label; every turn leads from a lower label to a higher one. A turn that already does is added at
 * once. Otherwise one search goes forward from the end of the turn and one backward from its start, both only over
 * labels between the two (as Pearce and Kelly, JEA 11, 2006), one step each alternately. If they meet, the turn would
 * close a cycle; if one of them ends first, only the channels it found move, behind or before the other end of the
 * turn. So the cost depends on the smaller of the two sides (as in Bender, Fineman, Gilbert and Tarjan, TALG 12(2),
 * 2016). Labels have gaps; when a gap is used up, all channels get new labels.
 */
public final class ChannelOrder
{
    private static final int NONE = -1;
    private static final int CHANNEL_BITS = 22;
    private static final long MAX_LABEL = 1L << 62 - CHANNEL_BITS;

    private final Fabric fabric;
    private final TurnSet turns;
    private final TurnSet mirrored;
    private final ChannelSearch forward;
    private final ChannelSearch backward;
    private final long[] label;
    private final int[] next;
    private final int[] previous;
    private final long[] moved;
    private int first;
    private boolean ordered = true;

    /**
     * Starts without turns.
     *
     * @param fabric  whose channels are ordered.
     * @param initial all channels; an order that suits the later turns saves searches and has no other effect.
     */
    public ChannelOrder(final Fabric fabric, final int[] initial)
    {
        this.fabric = fabric;
        this.turns = new TurnSet(fabric);
        this.mirrored = new TurnSet(fabric);
        this.forward = new ChannelSearch(turns);
        this.backward = new ChannelSearch(mirrored);
        this.label = new long[initial.length];
        this.next = new int[initial.length];
        this.previous = new int[initial.length];
        this.moved = new long[initial.length];
        this.first = initial.length == 0 ? NONE : initial[0];
        for (int i = 0; i < initial.length; i++)
        {
            previous[initial[i]] = i == 0 ? NONE : initial[i - 1];
            next[initial[i]] = i == initial.length - 1 ? NONE : initial[i + 1];
        }
        renumber();
    }

    TurnSet turns()
    {
        return turns;
    }

    /**
     * Adds one direction of a turn unless it closes a cycle.
     *
     * @param in  channel into a switch.
     * @param out channel out of it, not the reverse of {@code in}.
     * @return whether the turn is in the set now.
     */
    public boolean add(final int in, final int out)
    {
        if (!ordered)
        {
            return addUnordered(in, out);
        }
        return add(in, out, Integer.MAX_VALUE);
    }

    /**
     * Adds one direction of a turn unless it closes a cycle or the search for one is long.
     *
     * @param in    channel into a switch.
     * @param out   channel out of it, not the reverse of {@code in}.
     * @param steps limit of the steps in each direction; the turn is not added if the search takes more.
     * @return whether the turn is in the set now.
     */
    public boolean add(final int in, final int out, final int steps)
    {
        if (label[in] >= label[out] && !makeRoom(in, out, steps))
        {
            return false;
        }
        put(in, out);
        return true;
    }

    /** Adds one direction of a turn even if it closes a cycle; after that, only searches detect cycles. */
    void addUnchecked(final int in, final int out)
    {
        if (!add(in, out))
        {
            ordered = false;
            put(in, out);
        }
    }

    /**
     * Removes one direction of a turn; the order stays valid.
     *
     * @param in  channel into a switch.
     * @param out channel out of it.
     */
    public void remove(final int in, final int out)
    {
        turns.forbid(in, out);
        mirrored.forbid(fabric.reverse(out), fabric.reverse(in));
    }

    private void put(final int in, final int out)
    {
        turns.allow(in, out);
        mirrored.allow(fabric.reverse(out), fabric.reverse(in));
    }

    private boolean addUnordered(final int in, final int out)
    {
        forward.start(out);
        backward.start(fabric.reverse(in));
        while (!forward.exhausted() && !backward.exhausted())
        {
            if (forward.advance(channel -> true, backward) || backward.advance(channel -> true, forward))
            {
                return false;
            }
        }
        put(in, out);
        return true;
    }

    private boolean makeRoom(final int in, final int out, final int steps)
    {
        final long upper = label[in];
        final long lower = label[out];
        final IntPredicate below = channel -> label[channel] < upper;
        final IntPredicate above = channel -> label[fabric.reverse(channel)] > lower;
        forward.start(out);
        backward.start(fabric.reverse(in));
        for (int step = 0; step < steps; step++)
        {
            if (forward.advance(below, backward))
            {
                return false;
            }
            if (forward.exhausted())
            {
                moveBehind(in);
                return true;
            }
            if (backward.advance(above, forward))
            {
                return false;
            }
            if (backward.exhausted())
            {
                moveBefore(out);
                return true;
            }
        }
        return false;
    }

    /** Moves the channels of the forward search, in their order, right behind a channel. */
    private void moveBehind(final int channel)
    {
        final int count = forward.foundCount();
        for (int i = 0; i < count; i++)
        {
            take(i, forward.found(i));
        }
        insert(channel, count);
    }

    /** Moves the channels of the backward search, in their order, right before a channel. */
    private void moveBefore(final int channel)
    {
        final int count = backward.foundCount();
        for (int i = 0; i < count; i++)
        {
            take(i, fabric.reverse(backward.found(i)));
        }
        insert(previous[channel], count);
    }

    private void take(final int index, final int channel)
    {
        moved[index] = label[channel] << CHANNEL_BITS | channel;
        if (previous[channel] == NONE)
        {
            first = next[channel];
        }
        else
        {
            next[previous[channel]] = next[channel];
        }
        if (next[channel] != NONE)
        {
            previous[next[channel]] = previous[channel];
        }
    }

    /** Inserts the removed channels, in the order of their labels, behind a channel, or first for {@link #NONE}. */
    private void insert(final int place, final int count)
    {
        Arrays.sort(moved, 0, count);
        final int follower = place == NONE ? first : next[place];
        final long low = place == NONE ? 0 : label[place];
        final long high = follower == NONE ? MAX_LABEL : label[follower];
        final long gap = (high - low) / (count + 1);
        int last = place;
        for (int i = 0; i < count; i++)
        {
            final int channel = (int)(moved[i] & (1L << CHANNEL_BITS) - 1);
            join(last, channel);
            label[channel] = low + (i + 1) * gap;
            last = channel;
        }
        join(last, follower);
        if (gap == 0)
        {
            renumber();
        }
    }

    private void join(final int before, final int after)
    {
        if (before == NONE)
        {
            first = after;
        }
        else
        {
            next[before] = after;
        }
        if (after != NONE)
        {
            previous[after] = before;
        }
    }

    private void renumber()
    {
        final long gap = MAX_LABEL / (label.length + 1);
        long value = gap;
        for (int channel = first; channel != NONE; channel = next[channel])
        {
            label[channel] = value;
            value += gap;
        }
    }
}
