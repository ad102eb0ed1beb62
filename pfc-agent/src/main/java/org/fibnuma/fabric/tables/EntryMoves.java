package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.ChannelOrder;

import java.util.Arrays;
import java.util.Random;

/**
 * Changes of single entries of tables. A move changes one entry: a switch sends to one server through another port, and
 * so does everything that passes this switch on its way there. A turn is added when the first table uses it and removed
 * after the last. A move whose turns would close a cycle is not made, so tables that are free of cycles and complete
 * stay so at every moment.
 * <p>
 * The cost is the sum of a power of the channels' loads. Moves that raise it are accepted by chance, as in simulated
 * annealing.
 * <p>
 * Moves need the flow of their server: what passes each switch on its way there, in each lane. Callers keep the flows
 * of all servers or compute that of the selected one.
 */
final class EntryMoves
{
    /** Load of one unit of demand; each source adds 1 to it, so that pairs without demand keep their turns too. */
    private static final long UNIT = 1 << 10;

    private final Fabric fabric;
    private final ForwardingTables tables;
    private final Lanes lanes;
    private final Demand demand;
    private final Random random;
    private final int searchSteps;
    private final TurnUse[] turns;
    private final DestinationTree tree;
    private final long[] load;
    private final double[] cost;
    private double reference = 1;
    private int doublings;
    private int server;
    private int root;
    private long[][] flow;
    private final long[] moved;
    private final int[] added;
    private int addedCount;
    private final int[] changed;
    private final long[] loadBefore;
    private final double[] costBefore;
    private int changedCount;

    /**
     * Gives every switch an entry, so that paths may be moved to switches that none uses, and adds no flow.
     *
     * @param tables without cycles in any lane, with a path for every pair of servers.
     * @param random decides on moves that raise the cost.
     * @param steps  limit of the search for a cycle by {@link ChannelOrder}; moves that need more are not made.
     */
    EntryMoves(
        final ForwardingTables tables,
        final Lanes lanes,
        final Demand demand,
        final Random random,
        final int steps)
    {
        this.searchSteps = steps;
        this.tables = tables;
        this.fabric = tables.fabric();
        this.lanes = lanes;
        this.demand = demand;
        this.random = random;
        final int[] order = new int[fabric.channelCount()];
        Arrays.setAll(order, channel -> channel);
        this.turns = new TurnUse[lanes.count()];
        Arrays.setAll(turns, lane -> new TurnUse(fabric, new ChannelOrder(fabric, order)));
        this.tree = new DestinationTree(tables);
        this.load = new long[fabric.channelCount()];
        this.cost = new double[fabric.channelCount()];
        this.moved = new long[lanes.count()];
        this.added = new int[lanes.count() * (fabric.switchCount() +
            Arrays.stream(order).map(fabric::source).map(fabric::degree).max().orElse(0))];
        this.changed = new int[2 * fabric.switchCount()];
        this.loadBefore = new long[changed.length];
        this.costBefore = new double[changed.length];
        for (int to = 0; to < fabric.serverCount(); to++)
        {
            complete(to);
        }
    }

    private void complete(final int to)
    {
        final int[] queue = changed;
        int tail = 0;
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (node == fabric.serverSwitch(to) || tables.next(node, to) != ForwardingTables.NONE)
            {
                queue[tail++] = node;
            }
        }
        for (int head = 0; head < tail; head++)
        {
            for (int back = fabric.firstChannel(queue[head]); back < fabric.firstChannel(queue[head] + 1); back++)
            {
                final int node = fabric.target(back);
                if (node != fabric.serverSwitch(to) && tables.next(node, to) == ForwardingTables.NONE)
                {
                    tables.set(node, to, fabric.reverse(back));
                    queue[tail++] = node;
                }
            }
        }
    }

    /** Computes the flow of a server for each lane and switch from its tables. */
    void measureFlow(final int to, final long[][] result)
    {
        if (!tree.arrange(to))
        {
            throw new IllegalStateException("the tables have a loop");
        }
        for (final long[] ofLane : result)
        {
            Arrays.fill(ofLane, 0);
        }
        final int destination = fabric.serverSwitch(to);
        for (int place = 0; place < tree.size(); place++)
        {
            final int node = tree.node(place);
            if (fabric.serversAt(node) > 0)
            {
                result[lanes.of(node)][node] += UNIT * demand.between(node, to) + 1;
            }
            final int next = fabric.target(tables.next(node, to));
            for (int lane = 0; lane < result.length && next != destination; lane++)
            {
                result[lane][next] += result[lane][node];
            }
        }
    }

    /** Selects the server of the next moves, and its flow for each lane and switch, which moves keep up to date. */
    void select(final int to, final long[][] ofFlow)
    {
        server = to;
        root = fabric.serverSwitch(to);
        flow = ofFlow;
    }

    /** Adds the loads and turns of the selected server. Called once for each server before all moves. */
    void addAll()
    {
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            for (int lane = 0; lane < flow.length; lane++)
            {
                if (flow[lane][node] > 0)
                {
                    load[tables.next(node, server)] += flow[lane][node];
                    addedCount = 0;
                    requireNoCycle(addTurn(lane, node, Integer.MAX_VALUE));
                }
            }
        }
    }

    private static void requireNoCycle(final boolean isAdded)
    {
        if (!isAdded)
        {
            throw new IllegalStateException("the tables have a cycle");
        }
    }

    /**
     * Sets the cost of loads.
     *
     * @param load     the load with a cost of 1, more than 0.
     * @param exponent number of doublings of the exponent, which is 1 without any.
     */
    void setCost(final double load, final int exponent)
    {
        reference = load;
        doublings = exponent;
        Arrays.setAll(cost, channel -> costOf(this.load[channel]));
    }

    private double costOf(final long value)
    {
        double power = value / reference;
        for (int i = 0; i < doublings; i++)
        {
            power *= power;
        }
        return power;
    }

    /** Returns the loads of the channels, which moves change. */
    long[] loads()
    {
        return load;
    }

    /** Returns what passes a switch on its way to the selected server, in all lanes together. */
    long flow(final int node)
    {
        return sum(flow, node);
    }

    /** Returns what passes a switch in all lanes together. */
    static long sum(final long[][] flow, final int node)
    {
        long sum = 0;
        for (final long[] ofLane : flow)
        {
            sum += ofLane[node];
        }
        return sum;
    }

    /**
     * Moves the entry of a switch to the selected server, by chance if this raises the cost.
     *
     * @param node        a switch with flow, other than the server's.
     * @param out         another channel of it.
     * @param temperature more than 0; a rise of the cost by this is accepted with probability 1/e.
     * @return whether it was moved; never if that would close a loop or a cycle.
     */
    boolean move(final int node, final int out, final double temperature)
    {
        if (passes(fabric.target(out), node))
        {
            return false;
        }
        final int before = tables.next(node, server);
        long all = 0;
        for (int lane = 0; lane < moved.length; lane++)
        {
            moved[lane] = flow[lane][node];
            all += moved[lane];
        }
        changedCount = 0;
        double rise = addLoad(node, -all);
        tables.set(node, server, out);
        rise += addLoad(node, all);
        tables.set(node, server, before);
        final boolean accepted = rise <= 0 || random.nextDouble() < Math.exp(-rise / temperature);
        if (!accepted || !moveTurns(node, out))
        {
            restoreLoads();
            return false;
        }
        return true;
    }

    /** Returns whether the path of a switch to the server passes another switch. */
    private boolean passes(final int from, final int passed)
    {
        int node = from;
        while (node != root && node != passed)
        {
            node = fabric.target(tables.next(node, server));
        }
        return node == passed;
    }

    /** Adds an amount to the loads of the path from a switch to the server; returns how much the cost rises. */
    private double addLoad(final int from, final long amount)
    {
        double rise = 0;
        for (int node = from; node != root; node = fabric.target(tables.next(node, server)))
        {
            final int channel = tables.next(node, server);
            changed[changedCount] = channel;
            loadBefore[changedCount] = load[channel];
            costBefore[changedCount++] = cost[channel];
            load[channel] += amount;
            final double costAfter = costOf(load[channel]);
            rise += costAfter - cost[channel];
            cost[channel] = costAfter;
        }
        return rise;
    }

    private void restoreLoads()
    {
        while (changedCount > 0)
        {
            changedCount--;
            load[changed[changedCount]] = loadBefore[changedCount];
            cost[changed[changedCount]] = costBefore[changedCount];
        }
    }

    /** Exchanges the turns and flows of an entry; returns false and changes nothing if a turn would close a cycle. */
    private boolean moveTurns(final int node, final int out)
    {
        final int before = tables.next(node, server);
        for (int lane = 0; lane < moved.length; lane++)
        {
            if (moved[lane] > 0)
            {
                removeTurns(lane, node);
            }
        }
        tables.set(node, server, out);
        boolean isPossible = true;
        addedCount = 0;
        for (int lane = 0; lane < moved.length && isPossible; lane++)
        {
            isPossible = moved[lane] == 0 || addTurns(lane, node, searchSteps);
        }
        if (!isPossible)
        {
            while (addedCount > 0)
            {
                final int turn = added[--addedCount];
                removeTurn(turn % moved.length, turn / moved.length);
            }
            tables.set(node, server, before);
        }
        for (int lane = 0; lane < moved.length; lane++)
        {
            if (moved[lane] > 0)
            {
                requireNoCycle(isPossible || addTurns(lane, node, Integer.MAX_VALUE));
                addFlow(lane, node);
            }
        }
        return isPossible;
    }

    /** Removes the turns onto the channel of an entry and, where no other flow is left, those after it. */
    private void removeTurns(final int lane, final int node)
    {
        for (int back = fabric.firstChannel(node); back < fabric.firstChannel(node + 1); back++)
        {
            if (comesOver(lane, back))
            {
                removeTurn(lane, fabric.target(back));
            }
        }
        final long[] ofLane = flow[lane];
        for (int passed = node; passed != root; passed = fabric.target(tables.next(passed, server)))
        {
            ofLane[passed] -= moved[lane];
            if (ofLane[passed] == 0)
            {
                removeTurn(lane, passed);
            }
        }
    }

    /** Adds the turns that {@link #removeTurns} removes; returns false at the first that cannot be added. */
    private boolean addTurns(final int lane, final int node, final int steps)
    {
        for (int passed = node; passed != root; passed = fabric.target(tables.next(passed, server)))
        {
            if (flow[lane][passed] == 0 && !addTurn(lane, passed, steps))
            {
                return false;
            }
        }
        for (int back = fabric.firstChannel(node); back < fabric.firstChannel(node + 1); back++)
        {
            if (comesOver(lane, back) && !addTurn(lane, fabric.target(back), steps))
            {
                return false;
            }
        }
        return true;
    }

    private void addFlow(final int lane, final int from)
    {
        for (int node = from; node != root; node = fabric.target(tables.next(node, server)))
        {
            flow[lane][node] += moved[lane];
        }
    }

    private boolean comesOver(final int lane, final int back)
    {
        final int neighbor = fabric.target(back);
        return neighbor != root && flow[lane][neighbor] > 0 && tables.next(neighbor, server) == fabric.reverse(back);
    }

    /** Adds the turn after the channel that a switch uses to the server, unless it closes a cycle. */
    private boolean addTurn(final int lane, final int node, final int steps)
    {
        final int in = tables.next(node, server);
        final int next = fabric.target(in);
        final boolean possible = next == root || turns[lane].acquire(in, tables.next(next, server), steps);
        if (possible)
        {
            added[addedCount++] = node * moved.length + lane;
        }
        return possible;
    }

    private void removeTurn(final int lane, final int node)
    {
        final int in = tables.next(node, server);
        final int next = fabric.target(in);
        if (next != root)
        {
            turns[lane].release(in, tables.next(next, server));
        }
    }

    /** Removes the entries of the selected server that no path uses. */
    void removeUnused()
    {
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (flow(node) == 0)
            {
                tables.set(node, server, ForwardingTables.NONE);
            }
        }
    }
}
