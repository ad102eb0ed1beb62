package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

/** Adds up what passes each turn pair, both directions together, in the units of the demand. */
public final class TurnTraffic implements PathVisitor
{
    private final TurnPairs pairs;
    private final Fabric fabric;
    private final long[] traffic;
    private final long[] channelTraffic;

    /**
     * No traffic yet.
     *
     * @param pairs the turns.
     */
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

    /**
     * The turns.
     *
     * @return their numbering.
     */
    public TurnPairs pairs()
    {
        return pairs;
    }

    /**
     * What passes a turn pair.
     *
     * @param pair a number.
     * @return the sum of both directions.
     */
    public long of(final int pair)
    {
        return traffic[pair];
    }

    /**
     * What passes a cable.
     *
     * @param channel one of its two channels.
     * @return the sum of both directions.
     */
    public long ofCable(final int channel)
    {
        return channelTraffic[channel] + channelTraffic[fabric.reverse(channel)];
    }

    /**
     * Sets what passes a turn pair, for orders that are given.
     *
     * @param pair  a number.
     * @param value the sum of both directions.
     */
    public void set(final int pair, final long value)
    {
        traffic[pair] = value;
    }
}
