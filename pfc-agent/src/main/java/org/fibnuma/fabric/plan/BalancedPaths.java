package org.fibnuma.fabric.plan;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.PathVisitor;
import org.fibnuma.fabric.turns.TurnPairs;
import org.fibnuma.fabric.turns.TurnSet;
import org.fibnuma.fabric.turns.TurnTraffic;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Chooses one path for each switch and each destination server, in any network: among the shortest paths over allowed
 * turns, the one through the least loaded channels. All paths are chosen once and then again, each with the loads of
 * all others.
 * <p>
 * The paper leaves the choice among the shortest paths open for networks without structure. The same choice is used for
 * every method and for the routing without forbidden turns.
 */
public final class BalancedPaths
{
    /** With more pairs of a switch and a server, all servers of a switch share the paths. */
    private static final long LARGE_PAIRS = 200_000;
    /** With more paths, none is stored and each is chosen only once. */
    private static final long MAX_KEPT = 1_000_000;
    /** More rounds change little (random networks of 10 to 100 switches). */
    private static final int ROUNDS = 4;
    private static final int LARGE_ROUNDS = 2;
    /**
     * Turns whose costs are renewed in a round. Where renewal for each path would need more, several paths share the
     * costs.
     */
    private static final long RENEWED_TURNS = 4_000_000_000L;

    /** Receives the paths of a routing one by one, with their destination servers. */
    @FunctionalInterface
    public interface ServerPathVisitor
    {
        /**
         * Handles a path between two different switches.
         *
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

    /** Prepares the choice over allowed turns. */
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
     * Returns whether a network is so large that all servers of a switch share the paths to it. It then has more than
     * 200,000 pairs of a switch with servers and a server.
     */
    public static boolean isLarge(final Fabric fabric)
    {
        return (long)fabric.switchesWithServers() * fabric.serverCount() > LARGE_PAIRS;
    }

    /** {@return the traffic of each turn on paths without forbidden turns} */
    public static TurnTraffic unrestricted(final Fabric fabric, final Demand demand)
    {
        final TurnTraffic traffic = new TurnTraffic(new TurnPairs(fabric));
        new BalancedPaths(TurnSet.everything(fabric), demand).choose(traffic);
        return traffic;
    }

    /** Chooses the paths as {@link #choose(ServerPathVisitor)} and passes them without their destination servers. */
    public long choose(final PathVisitor visitor)
    {
        return choose((server, channels, length, weight) -> visitor.onPath(channels, length, weight));
    }

    /**
     * Chooses the paths.
     *
     * @param visitor receives each path once, with its destination server. In a {@linkplain #isLarge large} network
     *                this is the first server of the last switch, with the demand to all servers of that switch.
     * @return the number of pairs of a switch and a server of another switch without a path.
     */
    public long choose(final ServerPathVisitor visitor)
    {
        final boolean isShared = isLarge(fabric);
        final int[] destinations = destinations(isShared);
        final long paths = (long)fabric.switchesWithServers() * destinations.length;
        final int[][][] kept = paths <= MAX_KEPT ? new int[destinations.length][fabric.switchCount()][] : null;
        final int rounds = kept == null ? 1 : isShared ? LARGE_ROUNDS : ROUNDS;
        final long pathsPerRenewal = isShared ? 1 + paths * turnCount() / RENEWED_TURNS : 1;
        long unreachable = 0;
        for (int round = 0; round < rounds; round++)
        {
            unreachable = 0;
            for (int i = 0; i < destinations.length; i++)
            {
                final int node = fabric.serverSwitch(destinations[i]);
                if (i == 0 || fabric.serverSwitch(destinations[i - 1]) != node)
                {
                    distances.measureTo(node);
                    distances.findNearest();
                    clock++;
                }
                unreachable += chooseTo(destinations[i], isShared ? fabric.serversAt(node) : 1, pathsPerRenewal,
                    kept == null ? null : kept[i], round == rounds - 1 ? visitor : null);
            }
        }
        return unreachable;
    }

    private long turnCount()
    {
        long count = 0;
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            count += (long)fabric.degree(node) * (fabric.degree(node) - 1);
        }
        return count;
    }

    /** Returns all servers, or the first of each switch. */
    private int[] destinations(final boolean isShared)
    {
        return IntStream.range(0, fabric.serverCount())
            .filter(server -> !isShared || server == fabric.firstServer(fabric.serverSwitch(server))).toArray();
    }

    private long chooseTo(
        final int first,
        final int servers,
        final long pathsPerRenewal,
        final int[][] kept,
        final ServerPathVisitor visitor)
    {
        final int destination = fabric.serverSwitch(first);
        long unreachable = 0;
        long paths = 0;
        for (int from = 0; from < fabric.switchCount(); from++)
        {
            if (from == destination || fabric.serversAt(from) == 0)
            {
                continue;
            }
            long weight = 0;
            for (int server = first; server < first + servers; server++)
            {
                weight += demand.between(from, server);
            }
            if (kept != null && kept[from] != null)
            {
                add(kept[from], kept[from].length, -weight);
            }
            clock += paths++ % pathsPerRenewal == 0 ? 1 : 0;
            final int length = choose(from);
            if (length == 0)
            {
                unreachable += servers;
                continue;
            }
            add(path, length, weight);
            if (kept != null)
            {
                kept[from] = Arrays.copyOf(path, length);
            }
            if (visitor != null)
            {
                visitor.onPath(first, path, length, weight);
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
        final int least = distances.least(from);
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
     * Returns the lowest sum of costs, the fourth powers of the loads, over the shortest paths from a channel. Stores
     * the next channel of that path.
     */
    private double costFrom(final int channel)
    {
        if (stamp[channel] == clock)
        {
            return cost[channel];
        }
        stamp[channel] = clock;
        choice[channel] = -1;
        cost[channel] = distances.of(channel) > 1 ? Double.POSITIVE_INFINITY : 0;
        if (distances.of(channel) > 1)
        {
            chooseNext(channel);
        }
        final double square = (load[channel] + 1.0) * (load[channel] + 1.0);
        cost[channel] += square * square;
        return cost[channel];
    }

    private void chooseNext(final int channel)
    {
        final int node = fabric.target(channel);
        final int row = turns.firstWord(channel);
        final int rest = distances.of(channel) - 1;
        // From most switches, all paths of this length are the shortest ones.
        final boolean isShortest = distances.least(node) == rest;
        for (int i = 0; i < turns.firstWord(channel + 1) - row; i++)
        {
            long word = turns.word(row + i) & (isShortest ? distances.nearestWord(node, i) : -1);
            for (; word != 0; word &= word - 1)
            {
                final int next = fabric.firstChannel(node) + Long.SIZE * i + Long.numberOfTrailingZeros(word);
                if ((isShortest || distances.of(next) == rest) && costFrom(next) < cost[channel])
                {
                    choice[channel] = next;
                    cost[channel] = costFrom(next);
                }
            }
        }
    }
}
