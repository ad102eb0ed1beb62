package org.fibnuma.fabric.plan;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.PathVisitor;

import java.util.Arrays;

/** Adds up the load of each channel and the length of the paths. */
public final class LinkLoads implements PathVisitor
{
    private final long[] load;
    private long weight;
    private long hops;

    /** Starts without load. */
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

    /** Adds the demand of one or more paths to a channel that they pass; {@link #addPath} counts them. */
    public void addLoad(final int channel, final long demand)
    {
        load[channel] += demand;
        hops += demand;
    }

    /** Counts a path whose channels get their load by {@link #addLoad}. */
    public void addPath(final long demand)
    {
        weight += demand;
    }

    /** {@return the load of a channel between switches, in units of the demand} */
    public long of(final int channel)
    {
        return load[channel];
    }

    /** {@return the load of the most loaded channel between switches, in units of the demand} */
    public long max()
    {
        return Arrays.stream(load).max().orElse(0);
    }

    /** {@return the average number of channels of a path, weighted by demand; 0 without demand} */
    public double averageHops()
    {
        return weight == 0 ? 0 : (double)hops / weight;
    }

    /**
     * Returns the fraction of its demand that every server can send: the capacity of a link divided by the highest load
     * of any link, servers' links included.
     *
     * @param serverLink load of the busiest server's own link, in units of the demand.
     * @return at most 1.
     */
    public double throughput(final long serverLink)
    {
        return (double)serverLink / Math.max(max(), serverLink);
    }
}
