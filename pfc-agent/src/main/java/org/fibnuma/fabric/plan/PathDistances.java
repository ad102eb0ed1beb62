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

    /**
     * Prepares the distances.
     *
     * @param turns the allowed turns, both directions of each or none.
     */
    public PathDistances(final TurnSet turns)
    {
        this.turns = turns;
        this.fabric = turns.fabric();
        this.distance = new int[fabric.channelCount()];
        this.queue = new int[fabric.channelCount()];
    }

    /**
     * Measures the distances to a switch.
     *
     * @param destination the switch.
     */
    public void measureTo(final int destination)
    {
        Arrays.fill(distance, UNREACHABLE);
        int tail = 0;
        for (int back = fabric.firstChannel(destination); back < fabric.firstChannel(destination + 1); back++)
        {
            distance[fabric.reverse(back)] = 1;
            queue[tail++] = fabric.reverse(back);
        }
        spread(tail);
    }

    /**
     * Measures the distances to a channel.
     *
     * @param channel has distance 1.
     */
    public void measureToChannel(final int channel)
    {
        Arrays.fill(distance, UNREACHABLE);
        distance[channel] = 1;
        queue[0] = channel;
        spread(1);
    }

    // The channels that turn into a channel are the reversed channels into which its reverse turns.
    private void spread(final int queued)
    {
        int tail = queued;
        for (int head = 0; head < tail; head++)
        {
            final int channel = queue[head];
            final int back = fabric.reverse(channel);
            final int firstOut = fabric.firstChannel(fabric.source(channel));
            for (int index = turns.firstWord(back); index < turns.firstWord(back + 1); index++)
            {
                long word = turns.word(index);
                while (word != 0)
                {
                    final int port = 64 * (index - turns.firstWord(back)) + Long.numberOfTrailingZeros(word);
                    word &= word - 1;
                    final int before = fabric.reverse(firstOut + port);
                    if (distance[before] == UNREACHABLE)
                    {
                        distance[before] = distance[channel] + 1;
                        queue[tail++] = before;
                    }
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
     * {@return the number of channels of a path from a switch, 1 or more, or {@link #UNREACHABLE}; not for the
     * destination}
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
}
