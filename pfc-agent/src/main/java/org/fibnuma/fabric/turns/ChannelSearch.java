package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

import java.util.function.IntPredicate;

/**
 * Breadth-first search over channels along allowed turns, one channel per step, so that two searches can alternate. The
 * reached channels of each switch are a bit mask, so that a whole row of turns is tested in one operation.
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

    /** Resets the search to one channel. */
    void start(final int channel)
    {
        while (touchedCount > 0)
        {
            reached[touched[--touchedCount]] = 0;
        }
        head = 0;
        tail = 0;
        final int node = fabric.source(channel);
        final int port = channel - fabric.firstChannel(node);
        touch(firstOutWord[node] + (port >>> 6), 1L << port);
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
     * Visits the successors of the next channel in the queue.
     *
     * @param limit    channels that it rejects are not followed further.
     * @param opposite the search in the other direction, over reversed channels.
     * @return whether the two searches met.
     */
    boolean advance(final IntPredicate limit, final ChannelSearch opposite)
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
                if (limit.test(next))
                {
                    queue[tail++] = next;
                }
            }
        }
        return false;
    }

    /** Returns the number of channels followed or queued, which {@link #found(int)} returns. */
    int foundCount()
    {
        return tail;
    }

    int found(final int index)
    {
        return queue[index];
    }

    private void touch(final int slot, final long bits)
    {
        if (reached[slot] == 0)
        {
            touched[touchedCount++] = slot;
        }
        reached[slot] |= bits;
    }
}
