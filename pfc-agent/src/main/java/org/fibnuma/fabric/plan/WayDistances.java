package org.fibnuma.fabric.plan;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnSet;

import java.util.Arrays;

/** How far each channel is from a destination when only allowed turns are taken. */
public final class WayDistances
{
    /** The distance of a channel from which there is no way. */
    public static final int UNREACHABLE = Integer.MAX_VALUE;

    private final Fabric fabric;
    private final TurnSet turns;
    private final int[] distance;
    private final int[] queue;

    /**
     * Distances of nothing yet.
     *
     * @param turns that may be taken; both directions of each or none.
     */
    public WayDistances(final TurnSet turns)
    {
        this.turns = turns;
        this.fabric = turns.fabric();
        this.distance = new int[fabric.channelCount()];
        this.queue = new int[fabric.channelCount()];
    }

    /**
     * Measures the distances to a switch.
     *
     * @param destination a switch.
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
     * @param channel itself at distance 1.
     */
    public void measureToChannel(final int channel)
    {
        Arrays.fill(distance, UNREACHABLE);
        distance[channel] = 1;
        queue[0] = channel;
        spread(1);
    }

    // What may turn into a channel is what the channel's reverse may turn into, reversed.
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

    /**
     * Channels of a way from one on, itself among them.
     *
     * @param channel where the way begins.
     * @return at least 1, or {@link #UNREACHABLE}.
     */
    public int of(final int channel)
    {
        return distance[channel];
    }

    /**
     * Channels of a way from a switch.
     *
     * @param node where the way begins, not the destination.
     * @return at least 1, or {@link #UNREACHABLE}.
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
