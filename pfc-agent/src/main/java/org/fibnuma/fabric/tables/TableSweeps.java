package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;
import java.util.Random;

/**
 * Improves tables of networks that are too large for the random steps of {@link TableAnnealing}. A sweep visits all
 * servers in random order and tries to move the entries of one server at a time, mostly those over loaded channels. So
 * only the flow of one server is in memory and in the cache of the processor. Moves are those of {@link EntryMoves}.
 */
final class TableSweeps
{
    private static final int SWEEPS = 2;
    /** Doublings of the exponent: the cost of a channel is its load over the highest load, to the power of 32. */
    private static final int LOWERING = 5;
    private static final double HOTTEST = 1e-3;
    private static final double COLDEST = 1e-4;
    /** Part of the entries over channels without load that are tried; it grows with the square of the load to 1. */
    private static final double LEAST_TRIED = 0.02;
    /** Channels with more of the highest load are relieved with more than one try. */
    private static final double HIGH = 0.8;
    private static final int TRIES_IF_HIGH = 8;
    /** Servers after which the highest load is determined again, which takes a step for each channel. */
    private static final int SERVERS_PER_REFERENCE = 64;
    /** Longer searches for cycles lower the highest load no further (joined fat trees with k = 24). */
    private static final int SEARCH_STEPS = 50;

    private final Fabric fabric;
    private final ForwardingTables tables;
    private final EntryMoves moves;
    /** Of the selected server, for each lane and switch. */
    private final long[][] flow;
    private final long[] load;
    private final Random random;
    private double highest;

    private TableSweeps(final ForwardingTables tables, final Lanes lanes, final Demand demand, final long seed)
    {
        this.tables = tables;
        this.fabric = tables.fabric();
        this.random = new PlainRandom(seed);
        this.moves = new EntryMoves(tables, lanes, demand, random, SEARCH_STEPS);
        this.flow = new long[lanes.count()][fabric.switchCount()];
        this.load = moves.loads();
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            select(server);
            moves.addAll();
        }
    }

    /** Improves tables in place, as {@link TableAnnealing#improve}. */
    static void improve(final ForwardingTables tables, final Lanes lanes, final Demand demand, final long seed)
    {
        new TableSweeps(tables, lanes, demand, seed).run();
    }

    private void select(final int server)
    {
        moves.measureFlow(server, flow);
        moves.select(server, flow);
    }

    private void run()
    {
        final int[] order = new int[fabric.serverCount()];
        Arrays.setAll(order, server -> server);
        for (int sweep = 0; sweep < SWEEPS; sweep++)
        {
            shuffle(order);
            final double temperature = HOTTEST * Math.pow(COLDEST / HOTTEST, sweep / (SWEEPS - 1.0));
            for (int i = 0; i < order.length; i++)
            {
                if (i % SERVERS_PER_REFERENCE == 0)
                {
                    highest = Math.max(1, Arrays.stream(load).max().orElse(1));
                    moves.setCost(highest, LOWERING);
                }
                select(order[i]);
                visit(order[i], temperature);
                if (sweep == SWEEPS - 1)
                {
                    moves.removeUnused();
                }
            }
        }
    }

    private void shuffle(final int[] values)
    {
        for (int i = values.length - 1; i > 0; i--)
        {
            final int other = random.nextInt(i + 1);
            final int value = values[i];
            values[i] = values[other];
            values[other] = value;
        }
    }

    private void visit(final int server, final double temperature)
    {
        final int root = fabric.serverSwitch(server);
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (node != root && moves.flow(node) > 0)
            {
                final double relative = load[tables.next(node, server)] / highest;
                if (random.nextDouble() < LEAST_TRIED + relative * relative)
                {
                    relieve(server, node, relative > HIGH ? TRIES_IF_HIGH : 1, temperature);
                }
            }
        }
    }

    private void relieve(final int server, final int node, final int tries, final double temperature)
    {
        final int channel = tables.next(node, server);
        boolean isMoved = false;
        for (int i = 0; i < tries && !isMoved; i++)
        {
            final int out = fabric.firstChannel(node) + random.nextInt(fabric.degree(node));
            isMoved = out != channel && moves.move(node, out, temperature);
        }
    }
}
