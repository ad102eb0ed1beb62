package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.ChannelOrder;

import java.util.Arrays;
import java.util.Random;

/**
 * Improves tables by simulated annealing (Kirkpatrick, Gelatt and Vecchi, Science 220, 1983). A step changes one entry:
 * a switch sends to one server through another port, and with it everything that passes this switch on its way there.
 * A turn is added when the first table uses it and removed after the last; a step whose turns would close a cycle is
 * not made, so the tables are free of cycles and complete at every moment if they were at the start.
 * <p>
 * The cost is the sum of a power of the channels' loads. The first phase compares loads with their mean and also
 * accepts steps that raise the cost; the second uses a higher power, which lowers the highest load alone. The number of
 * steps depends only on the size of the network, not on time, so equal input gives equal tables.
 */
final class TableAnnealing
{
    /** Steps for each entry of the tables; twice as many gain about 2 % (networks of 36 to 100 switches). */
    private static final long STEPS_PER_ENTRY = 2_000;
    /** Limit of the steps, multiplied by the average number of hops, with which the time of a step grows. */
    private static final double MAX_STEP_HOPS = 30e6;
    /** With more entries, the limited steps are too few to improve tables. */
    private static final long MAX_ENTRIES = 10_000_000;
    private static final double FIRST_PHASE = 0.7;
    /** Doublings of the exponent: the cost of a channel is its relative load to the power of 8, then of 32. */
    private static final int SPREADING = 3;
    private static final int LOWERING = 5;
    /** Channels of which the most loaded is relieved. */
    private static final int CANDIDATES = 3;
    private static final int SERVER_DRAWS = 30;
    /** Load of one unit of demand; each source adds 1 to it, so that pairs without demand keep their turns too. */
    private static final long UNIT = 1 << 10;

    private final Fabric fabric;
    private final ForwardingTables tables;
    private final Lanes lanes;
    private final TurnUse[] turns;
    private final long[][][] flow;
    private final long[] load;
    private final Random random;
    private final long[] moved;
    private final int[] added;
    private int addedCount;
    private double reference;
    private int doublings;

    private TableAnnealing(final ForwardingTables tables, final Lanes lanes, final Demand demand, final long seed)
    {
        this.lanes = lanes;
        this.tables = tables;
        this.fabric = tables.fabric();
        final int[] order = new int[fabric.channelCount()];
        Arrays.setAll(order, channel -> channel);
        this.turns = new TurnUse[lanes.count()];
        Arrays.setAll(turns, lane -> new TurnUse(fabric, new ChannelOrder(fabric, order)));
        this.flow = new long[lanes.count()][fabric.serverCount()][fabric.switchCount()];
        this.moved = new long[lanes.count()];
        this.load = new long[fabric.channelCount()];
        this.random = new Random(seed);
        this.added = new int[lanes.count() * (fabric.switchCount() +
            Arrays.stream(order).map(fabric::source).map(fabric::degree).max().orElse(0))];
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            complete(server);
            for (int node = 0; node < fabric.switchCount(); node++)
            {
                if (fabric.serversAt(node) > 0 && node != fabric.serverSwitch(server))
                {
                    addFlow(lanes.of(node), server, node, UNIT * demand.between(node, server) + 1);
                }
            }
            for (int node = 0; node < lanes.count() * fabric.switchCount(); node++)
            {
                if (flow[node % lanes.count()][server][node / lanes.count()] > 0)
                {
                    restoreTurn(node % lanes.count(), server, node / lanes.count());
                }
            }
        }
    }

    /** Returns whether a network is small enough for its tables to be improved. */
    static boolean isPossible(final Fabric fabric)
    {
        return (long)fabric.serverCount() * fabric.switchCount() <= MAX_ENTRIES;
    }

    /**
     * Improves tables in place.
     *
     * @param tables without cycles in any lane, with a path for every pair of servers; entries that no path uses are
     *               removed.
     * @param lanes  the lane of each path.
     * @param demand the traffic.
     * @param seed   of the random steps.
     */
    static void improve(final ForwardingTables tables, final Lanes lanes, final Demand demand, final long seed)
    {
        final TableAnnealing annealing = new TableAnnealing(tables, lanes, demand, seed);
        if (annealing.load.length > 0 && tables.fabric().serverCount() > 0)
        {
            annealing.run();
        }
        annealing.removeUnused();
    }

    private void run()
    {
        final double total = Arrays.stream(load).sum();
        final double mean = total / load.length;
        final double sent = Math.max(1, sentFlow());
        final double entries = (double)fabric.serverCount() * fabric.switchCount();
        final long steps = (long)Math.min(STEPS_PER_ENTRY * entries, MAX_STEP_HOPS * sent / Math.max(1, total));
        reference = mean;
        doublings = SPREADING;
        anneal((long)(steps * FIRST_PHASE), 10, 0.01);
        reference = Arrays.stream(load).max().orElse(1);
        doublings = LOWERING;
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
                sum += tables.next(node, server) == fabric.reverse(back) ? flow(server, node) : 0;
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
            if (server >= 0 && out != channel && !isBefore(server, node, fabric.target(out)))
            {
                move(server, node, out, temperature);
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

    /** Draws a server to which there is traffic over a channel; returns -1 if none is found. */
    private int serverOver(final int channel)
    {
        final int node = fabric.source(channel);
        for (int i = 0; i < SERVER_DRAWS; i++)
        {
            final int server = random.nextInt(fabric.serverCount());
            if (tables.next(node, server) == channel && flow(server, node) > 0 && fabric.serverSwitch(server) != node)
            {
                return server;
            }
        }
        return -1;
    }

    /** Returns whether the path of a switch to a server passes another switch. */
    private boolean isBefore(final int server, final int passed, final int from)
    {
        final int root = fabric.serverSwitch(server);
        int node = from;
        while (node != root && node != passed)
        {
            node = fabric.target(tables.next(node, server));
        }
        return node == passed;
    }

    private void move(final int server, final int node, final int out, final double temperature)
    {
        final int before = tables.next(node, server);
        long all = 0;
        for (int lane = 0; lane < moved.length; lane++)
        {
            moved[lane] = flow[lane][server][node];
            all += moved[lane];
        }
        double rise = addLoad(server, node, -all);
        tables.set(node, server, out);
        rise += addLoad(server, node, all);
        tables.set(node, server, before);
        final boolean accepted = rise <= 0 || random.nextDouble() < Math.exp(-rise / temperature);
        if (!accepted || !moveTurns(server, node, out))
        {
            tables.set(node, server, out);
            addLoad(server, node, -all);
            tables.set(node, server, before);
            addLoad(server, node, all);
        }
    }

    /** Adds to the loads from a switch to a server; returns how much the cost rises. */
    private double addLoad(final int server, final int from, final long amount)
    {
        final int root = fabric.serverSwitch(server);
        double rise = 0;
        for (int node = from; node != root; node = fabric.target(tables.next(node, server)))
        {
            final int channel = tables.next(node, server);
            rise += cost(load[channel] + amount) - cost(load[channel]);
            load[channel] += amount;
        }
        return rise;
    }

    private double cost(final long value)
    {
        double power = value / reference;
        for (int i = 0; i < doublings; i++)
        {
            power *= power;
        }
        return power;
    }

    private long flow(final int server, final int node)
    {
        long sum = 0;
        for (final long[][] each : flow)
        {
            sum += each[server][node];
        }
        return sum;
    }

    /** Exchanges the turns and flows of an entry; returns false and changes nothing if a turn would close a cycle. */
    private boolean moveTurns(final int server, final int node, final int out)
    {
        final int before = tables.next(node, server);
        for (int lane = 0; lane < moved.length; lane++)
        {
            if (moved[lane] > 0)
            {
                removeTurns(lane, server, node);
            }
        }
        tables.set(node, server, out);
        boolean isPossible = true;
        addedCount = 0;
        for (int lane = 0; lane < moved.length && isPossible; lane++)
        {
            isPossible = moved[lane] == 0 || addTurns(lane, server, node);
        }
        if (!isPossible)
        {
            while (addedCount > 0)
            {
                final int turn = added[--addedCount];
                removeTurn(turn % moved.length, server, turn / moved.length);
            }
            tables.set(node, server, before);
        }
        for (int lane = 0; lane < moved.length; lane++)
        {
            if (moved[lane] > 0)
            {
                if (!isPossible)
                {
                    restoreTurns(lane, server, node);
                }
                addFlowOnly(lane, server, node, moved[lane]);
            }
        }
        return isPossible;
    }

    /** Removes the turns onto the channel of an entry and, where no other flow is left, those after it. */
    private void removeTurns(final int lane, final int server, final int node)
    {
        for (int back = fabric.firstChannel(node); back < fabric.firstChannel(node + 1); back++)
        {
            if (comesOver(lane, server, back))
            {
                removeTurn(lane, server, fabric.target(back));
            }
        }
        final int root = fabric.serverSwitch(server);
        final long[] ofServer = flow[lane][server];
        for (int passed = node; passed != root; passed = fabric.target(tables.next(passed, server)))
        {
            ofServer[passed] -= moved[lane];
            if (ofServer[passed] == 0)
            {
                removeTurn(lane, server, passed);
            }
        }
    }

    private boolean addTurns(final int lane, final int server, final int node)
    {
        final int root = fabric.serverSwitch(server);
        for (int passed = node; passed != root; passed = fabric.target(tables.next(passed, server)))
        {
            if (flow[lane][server][passed] == 0 && !addTurn(lane, server, passed))
            {
                return false;
            }
        }
        for (int back = fabric.firstChannel(node); back < fabric.firstChannel(node + 1); back++)
        {
            if (comesOver(lane, server, back) && !addTurn(lane, server, fabric.target(back)))
            {
                return false;
            }
        }
        return true;
    }

    /** Adds the turns that {@link #removeTurns} removed. */
    private void restoreTurns(final int lane, final int server, final int node)
    {
        if (!addTurns(lane, server, node))
        {
            throw new IllegalStateException("the tables have a cycle");
        }
    }

    /** Returns whether traffic to a server arrives over the cable of a channel. */
    private boolean comesOver(final int lane, final int server, final int back)
    {
        final int neighbor = fabric.target(back);
        return neighbor != fabric.serverSwitch(server) && flow[lane][server][neighbor] > 0 &&
            tables.next(neighbor, server) == fabric.reverse(back);
    }

    /** Adds the turn at the end of a switch's channel to a server, unless it closes a cycle. */
    private boolean addTurn(final int lane, final int server, final int node)
    {
        final int in = tables.next(node, server);
        final int next = fabric.target(in);
        final boolean possible =
            next == fabric.serverSwitch(server) || turns[lane].acquire(in, tables.next(next, server));
        if (possible)
        {
            added[addedCount++] = node * moved.length + lane;
        }
        return possible;
    }

    private void restoreTurn(final int lane, final int server, final int node)
    {
        addedCount = 0;
        if (!addTurn(lane, server, node))
        {
            throw new IllegalStateException("the tables have a cycle");
        }
    }

    private void removeTurn(final int lane, final int server, final int node)
    {
        final int in = tables.next(node, server);
        final int next = fabric.target(in);
        if (next != fabric.serverSwitch(server))
        {
            turns[lane].release(in, tables.next(next, server));
        }
    }

    private void addFlow(final int lane, final int server, final int from, final long amount)
    {
        addFlowOnly(lane, server, from, amount);
        final int root = fabric.serverSwitch(server);
        for (int node = from; node != root; node = fabric.target(tables.next(node, server)))
        {
            load[tables.next(node, server)] += amount;
        }
    }

    private void addFlowOnly(final int lane, final int server, final int from, final long amount)
    {
        final int root = fabric.serverSwitch(server);
        for (int node = from; node != root; node = fabric.target(tables.next(node, server)))
        {
            flow[lane][server][node] += amount;
        }
    }

    /** Gives every switch an entry, so that paths may be moved to switches that none uses. */
    private void complete(final int server)
    {
        final int[] queue = new int[fabric.switchCount()];
        int tail = 0;
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (node == fabric.serverSwitch(server) || tables.next(node, server) != ForwardingTables.NONE)
            {
                queue[tail++] = node;
            }
        }
        for (int head = 0; head < tail; head++)
        {
            for (int back = fabric.firstChannel(queue[head]); back < fabric.firstChannel(queue[head] + 1); back++)
            {
                final int node = fabric.target(back);
                if (node != fabric.serverSwitch(server) && tables.next(node, server) == ForwardingTables.NONE)
                {
                    tables.set(node, server, fabric.reverse(back));
                    queue[tail++] = node;
                }
            }
        }
    }

    private void removeUnused()
    {
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            for (int node = 0; node < fabric.switchCount(); node++)
            {
                if (flow(server, node) == 0)
                {
                    tables.set(node, server, ForwardingTables.NONE);
                }
            }
        }
    }
}
