package org.fibnuma.fabric.plan;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.PathVisitor;
import org.fibnuma.fabric.turns.TurnSet;

import java.util.Arrays;

/**
 * One path for each switch and each server that is gone to, in any network: of the shortest ways over allowed turns the
 * one through the least loaded channels. All paths are chosen once in turn and then again, each against all others.
 * <p>
 * The paper leaves the choice among the shortest ways open for networks without structure; this is the balanced one,
 * and the same for the routing without forbidden turns and for every method's.
 */
public final class BalancedPaths
{
    /** Beyond this many paths none is kept, and each is chosen only once. */
    private static final long MAX_KEPT = 2_000_000;
    /** After so many rounds little changes any more (random networks of 10 to 100 switches). */
    private static final int ROUNDS = 4;
    private static final double STEEPNESS = 4;

    private final Fabric fabric;
    private final TurnSet turns;
    private final Demand demand;
    private final WayDistances distances;
    private final long[] load;
    private final double[] cost;
    private final int[] choice;
    private final int[] stamp;
    private int clock;
    private final int[] path;

    /**
     * Paths over allowed turns.
     *
     * @param turns  that may be taken.
     * @param demand what is carried.
     */
    public BalancedPaths(final TurnSet turns, final Demand demand)
    {
        this.turns = turns;
        this.fabric = turns.fabric();
        this.demand = demand;
        this.distances = new WayDistances(turns);
        this.load = new long[fabric.channelCount()];
        this.cost = new double[fabric.channelCount()];
        this.choice = new int[fabric.channelCount()];
        this.stamp = new int[fabric.channelCount()];
        this.path = new int[fabric.channelCount()];
    }

    /**
     * Chooses the paths.
     *
     * @param visitor sees each path once; the channels' array is valid during the call only.
     * @return how many pairs of a switch and a server of another switch have no way.
     */
    public long choose(final PathVisitor visitor)
    {
        return choose((server, channels, length, weight) -> visitor.onPath(channels, length, weight));
    }

    /**
     * Chooses the paths.
     *
     * @param visitor sees each path once, with the server that it leads to.
     * @return how many pairs of a switch and a server of another switch have no way.
     */
    public long choose(final ServerPathVisitor visitor)
    {
        final long pairs = (long)fabric.switchCount() * fabric.serverCount();
        final boolean keeps = pairs <= MAX_KEPT;
        final int[][] kept = new int[keeps ? (int)pairs : 0][];
        long unreachable = 0;
        for (int round = 0; round < (keeps ? ROUNDS : 1); round++)
        {
            final boolean last = !keeps || round == ROUNDS - 1;
            unreachable = 0;
            for (int node = 0; node < fabric.switchCount(); node++)
            {
                if (fabric.serversAt(node) > 0)
                {
                    distances.measureTo(node);
                    unreachable += chooseTo(node, kept, last ? visitor : null);
                }
            }
        }
        return unreachable;
    }

    private long chooseTo(final int destination, final int[][] kept, final ServerPathVisitor visitor)
    {
        long unreachable = 0;
        for (int server = fabric.firstServer(destination); server < fabric.firstServer(destination + 1); server++)
        {
            for (int from = 0; from < fabric.switchCount(); from++)
            {
                if (from == destination || fabric.serversAt(from) == 0)
                {
                    continue;
                }
                final long weight = demand.between(from, server);
                final int slot = (int)((long)server * fabric.switchCount() + from);
                if (kept.length > 0 && kept[slot] != null)
                {
                    add(kept[slot], kept[slot].length, -weight);
                }
                final int length = choose(from);
                if (length == 0)
                {
                    unreachable++;
                    continue;
                }
                add(path, length, weight);
                if (kept.length > 0)
                {
                    kept[slot] = Arrays.copyOf(path, length);
                }
                if (visitor != null)
                {
                    visitor.onPath(server, path, length, weight);
                }
            }
        }
        return unreachable;
    }

    private void add(final int[] channels, final int length, final long weight)
    {
        for (int i = 0; i < length; i++)
        {
            load[channels[i]] += weight;
        }
    }

    private int choose(final int from)
    {
        clock++;
        final int least = distances.from(from);
        if (least == WayDistances.UNREACHABLE)
        {
            return 0;
        }
        int best = -1;
        double lowest = Double.POSITIVE_INFINITY;
        for (int channel = fabric.firstChannel(from); channel < fabric.firstChannel(from + 1); channel++)
        {
            if (distances.of(channel) == least && costFrom(channel) < lowest)
            {
                best = channel;
                lowest = costFrom(channel);
            }
        }
        for (int i = 0; i < least; i++)
        {
            path[i] = best;
            best = choice[best];
        }
        return least;
    }

    /** The least sum of costs over the shortest ways from a channel; remembers the next channel of that way. */
    private double costFrom(final int channel)
    {
        if (stamp[channel] == clock)
        {
            return cost[channel];
        }
        double least = distances.of(channel) > 1 ? Double.POSITIVE_INFINITY : 0;
        int best = -1;
        if (distances.of(channel) > 1)
        {
            final int node = fabric.target(channel);
            for (int next = fabric.firstChannel(node); next < fabric.firstChannel(node + 1); next++)
            {
                if (distances.of(next) == distances.of(channel) - 1 && turns.allows(channel, next) &&
                    costFrom(next) < least)
                {
                    best = next;
                    least = costFrom(next);
                }
            }
        }
        stamp[channel] = clock;
        choice[channel] = best;
        cost[channel] = least + Math.pow(load[channel] + 1, STEEPNESS);
        return cost[channel];
    }
}
