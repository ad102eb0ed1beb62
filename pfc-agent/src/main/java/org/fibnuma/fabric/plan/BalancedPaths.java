package org.fibnuma.fabric.plan;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.PathVisitor;
import org.fibnuma.fabric.turns.TurnSet;

import java.util.Arrays;

/**
 * Chooses one path for each switch and each destination server, in any network: among the shortest paths over allowed
 * turns, the one through the least loaded channels. All paths are chosen once and then again, each with the loads of
 * all others.
 * <p>
 * The paper leaves the choice among the shortest paths open for networks without structure. The same balanced choice is
 * used for the routing without forbidden turns and for every method.
 */
public final class BalancedPaths
{
    /** With more paths, none is stored and each is chosen only once. */
    private static final long MAX_KEPT = 2_000_000;
    /** More rounds change little (random networks of 10 to 100 switches). */
    private static final int ROUNDS = 4;
    /** With more pairs of a switch and a server, the costs are renewed less often than for every path. */
    private static final long RENEWED_PAIRS = 100_000;

    /** Receives the paths of a routing one by one, with their destination servers. */
    @FunctionalInterface
    public interface ServerPathVisitor
    {
        /**
         * Handles a path between two different switches.
         *
         * @param server   its destination.
         * @param channels the path from its source; valid only during the call.
         * @param length   number of valid channels, 1 or more.
         * @param weight   demand on this path.
         */
        void onPath(int server, int[] channels, int length, long weight);
    }

    private final Fabric fabric;
    private final TurnSet turns;
    private final Demand demand;
    private final PathDistances distances;
    private final long[] load;
    private final double[] cost;
    private final int[] choice;
    private final int[] stamp;
    private int clock;
    private final int[] path;

    /**
     * Prepares the choice.
     *
     * @param turns  the allowed turns.
     * @param demand the traffic.
     */
    public BalancedPaths(final TurnSet turns, final Demand demand)
    {
        this.turns = turns;
        this.fabric = turns.fabric();
        this.demand = demand;
        this.distances = new PathDistances(turns);
        this.load = new long[fabric.channelCount()];
        this.cost = new double[fabric.channelCount()];
        this.choice = new int[fabric.channelCount()];
        this.stamp = new int[fabric.channelCount()];
        this.path = new int[fabric.channelCount()];
    }

    /**
     * Chooses the paths.
     *
     * @param visitor receives each path once.
     * @return the number of pairs of a switch and a server of another switch without a path.
     */
    public long choose(final PathVisitor visitor)
    {
        return choose((server, channels, length, weight) -> visitor.onPath(channels, length, weight));
    }

    /**
     * Chooses the paths.
     *
     * @param visitor receives each path once, with its destination server.
     * @return the number of pairs of a switch and a server of another switch without a path.
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
        final long pairs = (long)fabric.switchCount() * fabric.serverCount();
        final long pathsPerRenewal = 1 + pairs / (RENEWED_PAIRS + 1);
        long unreachable = 0;
        long paths = 0;
        clock++;
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
                clock += paths++ % pathsPerRenewal == 0 ? 1 : 0;
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
        final int least = distances.from(from);
        if (least == PathDistances.UNREACHABLE)
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

    /**
     * Returns the lowest sum of costs, the fourth powers of the loads, over the shortest paths from a channel and
     * stores the next channel of that path.
     */
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
        final double square = (load[channel] + 1.0) * (load[channel] + 1.0);
        cost[channel] = least + square * square;
        return cost[channel];
    }
}
