package org.fibnuma.fabric.plan;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.PathVisitor;

/** Adds up what each channel carries and how long the ways are. */
public final class LinkLoads implements PathVisitor
{
    private final long[] load;
    private long weight;
    private long hops;
    private long paths;

    /**
     * No load yet.
     *
     * @param fabric whose channels.
     */
    public LinkLoads(final Fabric fabric)
    {
        this.load = new long[fabric.channelCount()];
    }

    @Override
    public void onPath(final int[] channels, final int length, final long demand)
    {
        for (int i = 0; i < length; i++)
        {
            load[channels[i]] += demand;
        }
        weight += demand;
        hops += demand * length;
        paths++;
    }

    /**
     * What a channel carries.
     *
     * @param channel between switches.
     * @return units of the demand.
     */
    public long of(final int channel)
    {
        return load[channel];
    }

    /**
     * What the most loaded channel between switches carries.
     *
     * @return units of the demand.
     */
    public long max()
    {
        long max = 0;
        for (final long value : load)
        {
            max = Math.max(max, value);
        }
        return max;
    }

    /**
     * Cables between switches on a way, on the average over the demand.
     *
     * @return 0 without demand.
     */
    public double averageHops()
    {
        return weight == 0 ? 0 : (double)hops / weight;
    }

    /**
     * Ways seen.
     *
     * @return 0 or more.
     */
    public long paths()
    {
        return paths;
    }

    /**
     * Capacity of a link through the load of the most loaded one, those of the servers among them: what every server
     * can send of what it would.
     *
     * @param serverLink what the busiest server's own link carries, in units of the demand.
     * @return at most 1.
     */
    public double throughput(final long serverLink)
    {
        return (double)serverLink / Math.max(max(), serverLink);
    }
}
