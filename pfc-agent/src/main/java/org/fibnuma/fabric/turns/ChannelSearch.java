package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

/**
 * Breadth-first search over channels along allowed turns, one channel at a time, so that two searches can take turns.
 * What was reached is kept as one bit mask for each switch over the channels that leave it; a whole row of turns is
 * looked at in one operation.
 */
final class ChannelSearch
{
    private final Fabric fabric;
    private final TurnSet turns;
    private final int[] firstOutWord;
    private final long[] reached;
    private final int[] touched;
    private final int[] queue;
    private int touchedCount;
    private int head;
    private int tail;

    ChannelSearch(final TurnSet turns)
    {
        this.turns = turns;
        this.fabric = turns.fabric();
        this.firstOutWord = new int[fabric.switchCount() + 1];
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            firstOutWord[node + 1] = firstOutWord[node] + (fabric.degree(node) + 63) / 64;
        }
        this.reached = new long[firstOutWord[fabric.switchCount()]];
        this.touched = new int[reached.length];
        this.queue = new int[fabric.channelCount()];
    }

    /** Forgets the last search and begins at a channel. */
    void start(final int channel)
    {
        while (touchedCount > 0)
        {
            reached[touched[--touchedCount]] = 0;
        }
        head = 0;
        tail = 0;
        mark(channel);
        queue[tail++] = channel;
    }

    boolean exhausted()
    {
        return head == tail;
    }

    boolean hasReached(final int channel)
    {
        final int node = fabric.source(channel);
        final int port = channel - fabric.firstChannel(node);
        return (reached[firstOutWord[node] + (port >>> 6)] >>> port & 1) != 0;
    }

    /**
     * Looks at the successors of the next channel in the queue.
     *
     * @param limit    channels that it refuses are not followed further.
     * @param opposite the search that comes the other way, over reversed channels.
     * @return whether the two met.
     */
    boolean advance(final ChannelLimit limit, final ChannelSearch opposite)
    {
        final int channel = queue[head++];
        final int node = fabric.target(channel);
        final int firstWord = turns.firstWord(channel);
        final int words = turns.firstWord(channel + 1) - firstWord;
        for (int i = 0; i < words; i++)
        {
            final int slot = firstOutWord[node] + i;
            long fresh = turns.word(firstWord + i) & ~reached[slot];
            if (fresh == 0)
            {
                continue;
            }
            touch(slot, fresh);
            while (fresh != 0)
            {
                final int next = fabric.firstChannel(node) + 64 * i + Long.numberOfTrailingZeros(fresh);
                fresh &= fresh - 1;
                if (opposite.hasReached(fabric.reverse(next)))
                {
                    return true;
                }
                if (limit.follows(next))
                {
                    queue[tail++] = next;
                }
            }
        }
        return false;
    }

    /** How many channels are to be followed or were; {@link #found(int)} gives them. */
    int foundCount()
    {
        return tail;
    }

    int found(final int index)
    {
        return queue[index];
    }

    private void mark(final int channel)
    {
        final int node = fabric.source(channel);
        final int port = channel - fabric.firstChannel(node);
        touch(firstOutWord[node] + (port >>> 6), 1L << port);
    }

    private void touch(final int slot, final long bits)
    {
        if (reached[slot] == 0)
        {
            touched[touchedCount++] = slot;
        }
        reached[slot] |= bits;
    }

    /** Where a search ends. */
    @FunctionalInterface
    interface ChannelLimit
    {
        boolean follows(int channel);
    }
}
