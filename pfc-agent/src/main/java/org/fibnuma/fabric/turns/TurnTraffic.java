package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

/** Adds up the traffic of each turn pair, both directions together, in units of the demand. */
public final class TurnTraffic implements PathVisitor
{
    private final TurnPairs pairs;
    private final Fabric fabric;
    private final long[] traffic;
    private final long[] channelTraffic;

    /** Starts without traffic. */
    public TurnTraffic(final TurnPairs pairs)
    {
        this.pairs = pairs;
        this.fabric = pairs.fabric();
        this.traffic = new long[pairs.count()];
        this.channelTraffic = new long[fabric.channelCount()];
    }

    @Override
    public void onPath(final int[] channels, final int length, final long weight)
    {
        for (int i = 0; i < length; i++)
        {
            channelTraffic[channels[i]] += weight;
            if (i > 0)
            {
                traffic[pairs.ofTurn(channels[i - 1], channels[i])] += weight;
            }
        }
    }

    /** {@return the numbering of the turns} */
    public TurnPairs pairs()
    {
        return pairs;
    }

    /** {@return the traffic of a turn pair, sum of both directions} */
    public long of(final int pair)
    {
        return traffic[pair];
    }

    /** {@return the traffic of the cable of a channel, sum of both directions} */
    public long ofCable(final int channel)
    {
        return channelTraffic[channel] + channelTraffic[fabric.reverse(channel)];
    }

    void set(final int pair, final long value)
    {
        traffic[pair] = value;
    }
}
