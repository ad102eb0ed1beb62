package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.EscapeTree;
import org.fibnuma.fabric.turns.TurnPlan;
import org.fibnuma.fabric.turns.TurnSet;

import java.util.Arrays;

/**
 * Tables of a large network over allowed turns: one tree for each server, grown backward from it, nearest switches
 * first. Earlier trees give the channels loads. The cost of a path is the sum of the fourth powers of its loads, and a
 * switch takes the cheapest of its next switches of equal distance. A tree that does not reach all switches with
 * servers is replaced by the escape tree, whose turns are all allowed.
 * <p>
 * A tree takes one step for each allowed turn onto its channels. Its loads are added up in one step for each switch.
 */
final class BalancedTrees
{
    private final Fabric fabric;
    private final TurnSet allowed;
    private final EscapeTree escape;
    private final Demand demand;
    private final ForwardingTables tables;
    private final DestinationTree tree;
    private final long[] load;
    /** The switch behind each channel, and the cost of the channel back from it. */
    private final int[] neighbor;
    private final double[] costBack;
    private final long[] flow;
    private final int[] level;
    private final double[] cost;
    /** For each switch the channel back to it from the next switch. */
    private final int[] back;
    private final int[] queue;
    private int queued;
    private int escaped;

    /** Prepares the trees; the allowed turns have both directions of each or none. */
    BalancedTrees(final TurnPlan plan, final Demand demand)
    {
        this.allowed = plan.allowed();
        this.escape = plan.escape();
        this.fabric = allowed.fabric();
        this.demand = demand;
        this.tables = new ForwardingTables(fabric);
        this.tree = new DestinationTree(tables);
        this.load = new long[fabric.channelCount()];
        this.neighbor = new int[fabric.channelCount()];
        Arrays.setAll(neighbor, fabric::target);
        this.costBack = new double[fabric.channelCount()];
        Arrays.fill(costBack, 1);
        this.flow = new long[fabric.switchCount()];
        this.level = new int[fabric.switchCount()];
        this.cost = new double[fabric.switchCount()];
        this.back = new int[fabric.switchCount()];
        this.queue = new int[fabric.switchCount()];
    }

    /**
     * Grows all trees.
     *
     * @param rounds how often each tree is grown, 1 or more; from the second time with the loads of all others.
     * @return the tables.
     */
    ForwardingTables grow(final int rounds)
    {
        for (int round = 0; round < rounds; round++)
        {
            escaped = 0;
            for (int server = 0; server < fabric.serverCount(); server++)
            {
                if (round > 0)
                {
                    arrange(server);
                    addLoad(server, -1);
                }
                growTo(server);
                if (reachesAll() || escape == null)
                {
                    for (int node = 0; node < back.length; node++)
                    {
                        tables.set(node, server,
                            back[node] == ForwardingTables.NONE ? back[node] : fabric.reverse(back[node]));
                    }
                }
                else
                {
                    tables.follow(escape, server);
                    arrange(server);
                    escaped++;
                }
                addLoad(server, 1);
            }
        }
        return tables;
    }

    /** Fills the queue with all switches, each behind the next one on its path to a server. */
    private void arrange(final int server)
    {
        if (!tree.arrange(server))
        {
            throw new IllegalStateException("a tree has a loop");
        }
        queue[0] = fabric.serverSwitch(server);
        queued = queue.length;
        for (int place = 0; place < tree.size(); place++)
        {
            queue[queued - 1 - place] = tree.node(place);
        }
    }

    private void growTo(final int server)
    {
        final int destination = fabric.serverSwitch(server);
        Arrays.fill(level, Integer.MAX_VALUE);
        Arrays.fill(back, ForwardingTables.NONE);
        level[destination] = 0;
        cost[destination] = 0;
        queue[0] = destination;
        queued = 1;
        for (int out = fabric.firstChannel(destination); out < fabric.firstChannel(destination + 1); out++)
        {
            offer(destination, out);
        }
        for (int head = 1; head < queued; head++)
        {
            joinAround(queue[head]);
        }
    }

    // The channels that turn into a channel are the reversed channels into which its reverse turns.
    private void joinAround(final int node)
    {
        final int firstOut = fabric.firstChannel(node);
        final int row = allowed.firstWord(back[node]);
        final int words = allowed.firstWord(back[node] + 1) - row;
        for (int i = 0; i < words; i++)
        {
            for (long word = allowed.word(row + i); word != 0; word &= word - 1)
            {
                offer(node, firstOut + Long.SIZE * i + Long.numberOfTrailingZeros(word));
            }
        }
    }

    /** Routes the neighbour behind a channel through a switch if it has no shorter path and no better one as short. */
    private void offer(final int node, final int out)
    {
        final int child = neighbor[out];
        if (level[child] <= level[node])
        {
            return;
        }
        final double sum = cost[node] + costBack[out];
        if (level[child] == Integer.MAX_VALUE)
        {
            level[child] = level[node] + 1;
            queue[queued++] = child;
        }
        else if (sum >= cost[child])
        {
            return;
        }
        back[child] = out;
        cost[child] = sum;
    }

    private boolean reachesAll()
    {
        boolean reaches = true;
        for (int node = 0; node < level.length; node++)
        {
            reaches &= level[node] != Integer.MAX_VALUE || fabric.serversAt(node) == 0;
        }
        return reaches;
    }

    /** Adds what all switches of the queue send, or removes it with sign -1, from the last on. */
    private void addLoad(final int server, final int sign)
    {
        Arrays.fill(flow, 0);
        for (int place = queued - 1; place > 0; place--)
        {
            final int node = queue[place];
            final int out = tables.next(node, server);
            flow[node] += fabric.serversAt(node) == 0 ? 0 : demand.between(node, server);
            if (out != ForwardingTables.NONE && flow[node] > 0)
            {
                load[out] += sign * flow[node];
                final double square = (load[out] + 1.0) * (load[out] + 1.0);
                costBack[fabric.reverse(out)] = square * square;
                flow[fabric.target(out)] += flow[node];
            }
        }
    }

    long[] loads()
    {
        return load.clone();
    }

    /** {@return the number of servers that are reached over the escape tree only} */
    int escapedServers()
    {
        return escaped;
    }
}
