package org.fibnuma.fabric.proof;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnSet;

import java.util.ArrayDeque;

/**
 * Finds a cycle in the dependencies of buffers by Kahn's method. Channels on which nothing depends are removed
 * repeatedly. What remains contains a cycle, which a walk backward from any remaining channel finds.
 */
public final class DependencyCycle
{
    private static final int[] NONE = new int[0];

    private DependencyCycle()
    {
    }

    /**
     * {@return the channels of a cycle of turns, each leading to the next and the last to the first; empty if there is
     * none}
     */
    public static int[] find(final TurnSet turns)
    {
        final Fabric fabric = turns.fabric();
        final int channels = fabric.channelCount();
        final int[] incoming = new int[channels];
        for (int in = 0; in < channels; in++)
        {
            for (int out = next(turns, in, -1); out >= 0; out = next(turns, in, out))
            {
                incoming[out]++;
            }
        }
        final int[] queue = new int[channels];
        int tail = 0;
        for (int channel = 0; channel < channels; channel++)
        {
            if (incoming[channel] == 0)
            {
                queue[tail++] = channel;
            }
        }
        for (int head = 0; head < tail; head++)
        {
            for (int out = next(turns, queue[head], -1); out >= 0; out = next(turns, queue[head], out))
            {
                if (--incoming[out] == 0)
                {
                    queue[tail++] = out;
                }
            }
        }
        return tail == channels ? NONE : walkBack(turns, incoming);
    }

    private static int[] walkBack(final TurnSet turns, final int[] incoming)
    {
        int channel = 0;
        while (incoming[channel] == 0)
        {
            channel++;
        }
        final int[] seenAt = new int[incoming.length];
        final ArrayDeque<Integer> path = new ArrayDeque<>();
        while (seenAt[channel] == 0)
        {
            path.addFirst(channel);
            seenAt[channel] = path.size();
            channel = dependingOn(turns, channel, incoming);
        }
        final int length = path.size() - seenAt[channel] + 1;
        final int[] cycle = path.stream().limit(length).mapToInt(Integer::intValue).toArray();
        return beginningWithLowest(cycle);
    }

    private static int[] beginningWithLowest(final int[] cycle)
    {
        int lowest = 0;
        for (int i = 0; i < cycle.length; i++)
        {
            lowest = cycle[i] < cycle[lowest] ? i : lowest;
        }
        final int[] turned = new int[cycle.length];
        for (int i = 0; i < cycle.length; i++)
        {
            turned[i] = cycle[(lowest + i) % cycle.length];
        }
        return turned;
    }

    /** Returns a remaining channel that turns into the given one; every remaining channel has one. */
    private static int dependingOn(final TurnSet turns, final int out, final int[] incoming)
    {
        final Fabric fabric = turns.fabric();
        final int node = fabric.source(out);
        for (int port = fabric.firstChannel(node); port < fabric.firstChannel(node + 1); port++)
        {
            final int in = fabric.reverse(port);
            if (incoming[in] > 0 && turns.allows(in, out))
            {
                return in;
            }
        }
        throw new IllegalStateException("nothing leads to channel " + out);
    }

    /** Returns the next channel that a channel may turn into, after a given one; -1 at the end. */
    private static int next(final TurnSet turns, final int in, final int after)
    {
        final Fabric fabric = turns.fabric();
        final int first = fabric.firstChannel(fabric.target(in));
        final int from = after < 0 ? 0 : after - first + 1;
        final int words = turns.firstWord(in + 1) - turns.firstWord(in);
        for (int i = from >>> 6; i < words; i++)
        {
            final long word = turns.word(turns.firstWord(in) + i) & (i == from >>> 6 ? -1L << from : -1L);
            if (word != 0)
            {
                return first + 64 * i + Long.numberOfTrailingZeros(word);
            }
        }
        return -1;
    }
}
