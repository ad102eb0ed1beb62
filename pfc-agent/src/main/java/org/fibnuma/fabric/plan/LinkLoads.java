package org.fibnuma.fabric.plan;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.PathVisitor;

/** Adds up the load of each channel and the length of the paths. */
public final class LinkLoads implements PathVisitor
{
    private final long[] load;
    private long weight;
    private long hops;
    private long paths;

    /**
     * Starts without load.
     *
     * @param fabric contains the channels.
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
            addLoad(channels[i], demand);
        }
        addPath(demand);
    }

    /**
     * Adds to the load of a channel that one or more paths pass; {@link #addPath} counts them.
     *
     * @param channel between two switches.
     * @param demand  of the paths together.
     */
    public void addLoad(final int channel, final long demand)
    {
        load[channel] += demand;
        hops += demand;
    }

    /**
     * Counts a path whose channels get their load by {@link #addLoad}.
     *
     * @param demand on it.
     */
    public void addPath(final long demand)
    {
        weight += demand;
        paths++;
    }

    /** {@return the load of a channel between switches, in units of the demand} */
    public long of(final int channel)
    {
        return load[channel];
    }

    /** {@return the load of the most loaded channel between switches, in units of the demand} */
    public long max()
    {
        long max = 0;
        for (final long value : load)
        {
            max = Math.max(max, value);
        }
        return max;
    }

    /** {@return the average number of channels of a path, weighted by demand; 0 without demand} */
    public double averageHops()
    {
        return weight == 0 ? 0 : (double)hops / weight;
    }

    /** {@return the number of paths added} */
    public long paths()
    {
        return paths;
    }

    /**
     * Returns the capacity of a link divided by the highest load of any link, servers' links included: the fraction of
     * its demand that every server can send.
     *
     * @param serverLink load of the busiest server's own link, in units of the demand.
     * @return at most 1.
     */
    public double throughput(final long serverLink)
    {
        return (double)serverLink / Math.max(max(), serverLink);
    }
}
