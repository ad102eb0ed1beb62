package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A growing set of turns without cycles, kept by an incremental topological order of the channels.
 * <p>
 * Every channel has a label. Every turn leads from a lower label to a higher one, and a turn that already does is added
 * at once. Otherwise one search goes forward from the end of the turn and one backward from its start, one step each
 * alternately. Both cover only labels between the two (as Pearce and Kelly, JEA 11, 2006). If they meet, the turn would
 * close a cycle. If one of them ends first, only the channels it found move, behind or before the other end of the
 * turn. So the cost depends on the smaller of the two sides (as in Bender, Fineman, Gilbert and Tarjan, TALG 12(2),
 * 2016). Labels have gaps. When a gap is used up, all channels get new labels.
 * <p>
 * Parameters: {@code in} is a channel into a switch, {@code out} a channel out of it, not the reverse of {@code in}.
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
     * @param initial all channels of the fabric; an order that suits the later turns saves searches and has no other
     *                effect.
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

    /** Adds one direction of a turn unless it closes a cycle. Returns whether the turn is in the set now. */
    public boolean add(final int in, final int out)
    {
        return ordered ? add(in, out, Integer.MAX_VALUE) : addUnordered(in, out);
    }

    /**
     * Adds one direction of a turn unless it closes a cycle or the search for one takes more than some steps in each
     * direction. Returns whether the turn is in the set now.
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

    /** Adds one direction of a turn even if it closes a cycle. After that, only searches detect cycles. */
    void addUnchecked(final int in, final int out)
    {
        if (!add(in, out))
        {
            ordered = false;
            put(in, out);
        }
    }

    /** Removes one direction of a turn; the order stays valid. */
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

    /** Moves the channels of the forward search, in their order, to the place behind a channel. */
    private void moveBehind(final int channel)
    {
        for (int i = 0; i < forward.foundCount(); i++)
        {
            take(i, forward.found(i));
        }
        insert(channel, forward.foundCount());
    }

    /** Moves the channels of the backward search, in their order, to the place before a channel. */
    private void moveBefore(final int channel)
    {
        for (int i = 0; i < backward.foundCount(); i++)
        {
            take(i, fabric.reverse(backward.found(i)));
        }
        insert(previous[channel], backward.foundCount());
    }

    private void take(final int index, final int channel)
    {
        moved[index] = label[channel] << CHANNEL_BITS | channel;
        join(previous[channel], next[channel]);
    }

    /** Inserts the removed channels, in the order of their labels, behind a place; {@link #NONE} is the start. */
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
