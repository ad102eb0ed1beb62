package org.fibnuma.fabric.plan;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnSet;

import java.util.Arrays;

/** The distance of each channel from a destination over allowed turns. */
public final class PathDistances
{
    /** The distance of a channel without a path. */
    public static final int UNREACHABLE = Integer.MAX_VALUE;

    private final Fabric fabric;
    private final TurnSet turns;
    private final int[] distance;
    private final int[] queue;
    private final int[] firstWord;
    private final long[] everyPort;
    /** For each switch the ports whose cables into it have no distance yet. */
    private final long[] unmeasured;
    private final int[] least;
    private final long[] nearest;

    /** Prepares the distances over allowed turns, both directions of each or none. */
    public PathDistances(final TurnSet turns)
    {
        this.turns = turns;
        this.fabric = turns.fabric();
        this.distance = new int[fabric.channelCount()];
        this.queue = new int[fabric.channelCount()];
        this.firstWord = new int[fabric.switchCount() + 1];
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            firstWord[node + 1] = firstWord[node] + (fabric.degree(node) + Long.SIZE - 1) / Long.SIZE;
        }
        this.everyPort = new long[firstWord[fabric.switchCount()]];
        for (int channel = 0; channel < fabric.channelCount(); channel++)
        {
            final int port = channel - fabric.firstChannel(fabric.source(channel));
            everyPort[firstWord[fabric.source(channel)] + (port >>> 6)] |= 1L << port;
        }
        this.unmeasured = new long[everyPort.length];
        this.least = new int[fabric.switchCount()];
        this.nearest = new long[everyPort.length];
    }

    /** Measures the distances to a switch. */
    public void measureTo(final int destination)
    {
        clear();
        int tail = 0;
        for (int back = fabric.firstChannel(destination); back < fabric.firstChannel(destination + 1); back++)
        {
            measure(fabric.reverse(back), 1);
            queue[tail++] = fabric.reverse(back);
        }
        spread(tail);
    }

    /** Measures the distances to a channel, which has distance 1. */
    public void measureToChannel(final int channel)
    {
        clear();
        measure(channel, 1);
        queue[0] = channel;
        spread(1);
    }

    private void clear()
    {
        Arrays.fill(distance, UNREACHABLE);
        System.arraycopy(everyPort, 0, unmeasured, 0, everyPort.length);
    }

    private void measure(final int channel, final int value)
    {
        distance[channel] = value;
        final int node = fabric.target(channel);
        final int port = fabric.reverse(channel) - fabric.firstChannel(node);
        unmeasured[firstWord[node] + (port >>> 6)] &= ~(1L << port);
    }

    // The channels that turn into a channel are the reversed channels into which its reverse turns.
    private void spread(final int queued)
    {
        int tail = queued;
        for (int head = 0; head < tail; head++)
        {
            final int channel = queue[head];
            final int back = fabric.reverse(channel);
            final int node = fabric.source(channel);
            final int firstOut = fabric.firstChannel(node);
            final int row = turns.firstWord(back);
            for (int i = 0; i < firstWord[node + 1] - firstWord[node]; i++)
            {
                long word = turns.word(row + i) & unmeasured[firstWord[node] + i];
                unmeasured[firstWord[node] + i] ^= word;
                while (word != 0)
                {
                    final int before = fabric.reverse(firstOut + 64 * i + Long.numberOfTrailingZeros(word));
                    word &= word - 1;
                    distance[before] = distance[channel] + 1;
                    queue[tail++] = before;
                }
            }
        }
    }

    /** {@return the number of channels of a path that starts with a channel, 1 or more, or {@link #UNREACHABLE}} */
    public int of(final int channel)
    {
        return distance[channel];
    }

    /**
     * {@return the number of channels of a path from a switch other than the destination, 1 or more, or UNREACHABLE}
     */
    public int from(final int node)
    {
        int least = UNREACHABLE;
        for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
        {
            least = Math.min(least, distance[channel]);
        }
        return least;
    }

    /** Finds the shortest paths from each switch, for {@link #least} and {@link #nearestWord}. */
    void findNearest()
    {
        Arrays.fill(nearest, 0);
        for (int node = 0; node < least.length; node++)
        {
            least[node] = from(node);
            for (int out = fabric.firstChannel(node); out < fabric.firstChannel(node + 1); out++)
            {
                final int port = out - fabric.firstChannel(node);
                nearest[firstWord[node] + (port >>> 6)] |= distance[out] == least[node] ? 1L << port : 0;
            }
        }
    }

    /** Returns {@link #from(int)} as {@link #findNearest()} found it. */
    int least(final int node)
    {
        return least[node];
    }

    /** Returns 64 ports of a switch as a {@link TurnSet#word(int)}; the ports that begin a shortest path are set. */
    long nearestWord(final int node, final int index)
    {
        return nearest[firstWord[node] + index];
    }
}
