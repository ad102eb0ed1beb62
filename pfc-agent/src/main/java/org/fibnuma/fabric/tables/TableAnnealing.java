package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;
import java.util.Random;

/**
 * Improves tables by simulated annealing (Kirkpatrick, Gelatt and Vecchi, Science 220, 1983). A step is a move of
 * {@link EntryMoves}, of an entry over one of the more loaded channels.
 * <p>
 * The first phase compares loads with their mean and also accepts steps that raise the cost. The second uses a higher
 * power, which lowers the highest load alone. The number of steps depends only on the size of the network, not on time,
 * so equal input gives equal tables.
 */
final class TableAnnealing
{
    /** Steps for each entry of the tables; twice as many gain about 2 % (networks of 36 to 100 switches). */
    private static final long STEPS_PER_ENTRY = 2_000;
    /** Limit of the steps, multiplied by the average number of hops, with which the time of a step grows. */
    private static final double MAX_STEP_HOPS = 30e6;
    private static final double FIRST_PHASE = 0.7;
    /** Doublings of the exponent: the cost of a channel is its relative load to the power of 8, then of 32. */
    private static final int SPREADING = 3;
    private static final int LOWERING = 5;
    /** Channels of which the most loaded is relieved. */
    private static final int CANDIDATES = 3;
    private static final int SERVER_DRAWS = 30;

    private final Fabric fabric;
    private final ForwardingTables tables;
    private final EntryMoves moves;
    /** For each server, lane and switch. */
    private final long[][][] flow;
    private final long[] load;
    private final Random random;

    private TableAnnealing(final ForwardingTables tables, final Lanes lanes, final Demand demand, final long seed)
    {
        this.tables = tables;
        this.fabric = tables.fabric();
        this.random = new PlainRandom(seed);
        this.moves = new EntryMoves(tables, lanes, demand, random, Integer.MAX_VALUE);
        this.flow = new long[fabric.serverCount()][lanes.count()][fabric.switchCount()];
        this.load = moves.loads();
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            moves.measureFlow(server, flow[server]);
            moves.select(server, flow[server]);
            moves.addAll();
        }
    }

    /**
     * Improves tables in place and removes entries that no path uses. The tables have no cycles in any lane and a path
     * for every pair of servers. The seed is that of the random steps.
     */
    static void improve(final ForwardingTables tables, final Lanes lanes, final Demand demand, final long seed)
    {
        final TableAnnealing annealing = new TableAnnealing(tables, lanes, demand, seed);
        if (annealing.load.length > 0 && tables.fabric().serverCount() > 0)
        {
            annealing.run();
        }
        for (int server = 0; server < tables.fabric().serverCount(); server++)
        {
            annealing.moves.select(server, annealing.flow[server]);
            annealing.moves.removeUnused();
        }
    }

    private void run()
    {
        final double total = Arrays.stream(load).sum();
        final double mean = total / load.length;
        final double sent = Math.max(1, sentFlow());
        final double entries = (double)fabric.serverCount() * fabric.switchCount();
        final long steps = (long)Math.min(STEPS_PER_ENTRY * entries, MAX_STEP_HOPS * sent / Math.max(1, total));
        moves.setCost(mean, SPREADING);
        anneal((long)(steps * FIRST_PHASE), 10, 0.01);
        moves.setCost(Arrays.stream(load).max().orElse(1), LOWERING);
        anneal((long)(steps * (1 - FIRST_PHASE)), 1e-3, 1e-4);
    }

    private double sentFlow()
    {
        double sum = 0;
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            final int root = fabric.serverSwitch(server);
            for (int back = fabric.firstChannel(root); back < fabric.firstChannel(root + 1); back++)
            {
                final int node = fabric.target(back);
                sum += tables.next(node, server) == fabric.reverse(back) ? EntryMoves.sum(flow[server], node) : 0;
            }
        }
        return sum;
    }

    private void anneal(final long steps, final double hottest, final double coldest)
    {
        final double cooling = Math.pow(coldest / hottest, 1.0 / Math.max(1, steps));
        double temperature = hottest;
        for (long step = 0; step < steps; step++)
        {
            temperature *= cooling;
            final int channel = loadedChannel();
            final int server = serverOver(channel);
            final int node = fabric.source(channel);
            final int out = fabric.firstChannel(node) + random.nextInt(fabric.degree(node));
            if (server >= 0 && out != channel)
            {
                moves.select(server, flow[server]);
                moves.move(node, out, temperature);
            }
        }
    }

    private int loadedChannel()
    {
        int channel = random.nextInt(load.length);
        for (int i = 1; i < CANDIDATES; i++)
        {
            final int other = random.nextInt(load.length);
            channel = load[other] > load[channel] ? other : channel;
        }
        return channel;
    }

    /** Draws a server with traffic over a channel; returns -1 if none is found. */
    private int serverOver(final int channel)
    {
        final int node = fabric.source(channel);
        for (int i = 0; i < SERVER_DRAWS; i++)
        {
            final int server = random.nextInt(fabric.serverCount());
            if (tables.next(node, server) == channel && EntryMoves.sum(flow[server], node) > 0 &&
                fabric.serverSwitch(server) != node)
            {
                return server;
            }
        }
        return -1;
    }
}
