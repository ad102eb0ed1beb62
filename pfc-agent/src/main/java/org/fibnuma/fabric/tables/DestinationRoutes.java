package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.BalancedPaths;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.LinkLoads;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.EscapeTree;
import org.fibnuma.fabric.turns.TurnMethod;
import org.fibnuma.fabric.turns.TurnPlan;
import org.fibnuma.fabric.turns.TurnSet;

import java.util.Arrays;

/**
 * Turns planned paths into tables. If all paths to a server agree at every switch, they are the table. Otherwise a tree
 * is grown backward from the server over allowed turns, nearest switches first, on ties over the least loaded channel.
 * If that tree does not reach all switches with servers, the escape tree is used, whose turns are all allowed.
 * <p>
 * In a {@linkplain BalancedPaths#isLarge large} network the trees of {@link BalancedTrees} are the tables. In a fat
 * tree, tables along its levels are used instead if all their turns are allowed and their highest load is not higher.
 */
public final class DestinationRoutes
{
    private final Fabric fabric;
    /** Rounds of the trees of a large network. */
    private static final int LARGE_ROUNDS = 2;

    private final TurnPlan plan;
    private final TurnSet allowed;
    private final EscapeTree escape;
    private final Demand demand;
    private ForwardingTables tables;
    private LinkLoads pathLoads;
    private final long[] load;
    private final boolean[] mixed;
    private final int[] queue;
    private int consistent;
    private int escaped;
    private boolean isFatTree;

    /** Prepares the routes over the allowed turns of a plan. */
    public DestinationRoutes(final TurnPlan plan, final Demand demand)
    {
        this.plan = plan;
        this.allowed = plan.allowed();
        this.escape = plan.escape();
        this.fabric = allowed.fabric();
        this.demand = demand;
        this.load = new long[fabric.channelCount()];
        this.mixed = new boolean[fabric.serverCount()];
        this.queue = new int[fabric.switchCount()];
    }

    /** {@return tables over the turns that a method chooses for the demand on paths without forbidden turns} */
    public static ForwardingTables of(final TurnMethod method, final Fabric fabric, final Demand demand)
    {
        return new DestinationRoutes(method.plan(BalancedPaths.unrestricted(fabric, demand)), demand).make().tables();
    }

    /** Builds the tables and returns this. */
    public DestinationRoutes make()
    {
        if (BalancedPaths.isLarge(fabric))
        {
            final BalancedTrees trees = new BalancedTrees(plan, demand);
            tables = trees.grow(LARGE_ROUNDS);
            escaped = trees.escapedServers();
            System.arraycopy(trees.loads(), 0, load, 0, load.length);
            followLevels();
            return this;
        }
        tables = new ForwardingTables(fabric);
        pathLoads = new LinkLoads(fabric);
        new BalancedPaths(allowed, demand).choose(this::onPath);
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            if (!mixed[server])
            {
                consistent++;
                addLoad(server);
            }
        }
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            if (mixed[server])
            {
                if (!grow(server) && escape != null)
                {
                    tables.follow(escape, server);
                    escaped++;
                }
                addLoad(server);
            }
        }
        followLevels();
        return this;
    }

    private void followLevels()
    {
        final ForwardingTables levelled = FatTreeRoutes.of(fabric, demand);
        if (levelled == null)
        {
            return;
        }
        final TableWalk walk = TableWalk.of(levelled, demand);
        isFatTree = walk.unreachablePairs() == 0 && walk.loads().max() <= Arrays.stream(load).max().orElse(0) &&
            allowed.containsAll(walk.used(0));
        if (isFatTree)
        {
            tables = levelled;
            consistent = fabric.serverCount();
            escaped = 0;
        }
    }

    private void onPath(final int server, final int[] channels, final int length, final long weight)
    {
        pathLoads.onPath(channels, length, weight);
        for (int i = 0; i < length; i++)
        {
            final int node = fabric.source(channels[i]);
            final int before = tables.next(node, server);
            mixed[server] |= before != ForwardingTables.NONE && before != channels[i];
            tables.set(node, server, channels[i]);
        }
    }

    /** Grows a tree backward from a server; returns whether it contains every switch with servers. */
    private boolean grow(final int server)
    {
        final int destination = fabric.serverSwitch(server);
        final int[] level = new int[fabric.switchCount()];
        for (int node = 0; node < level.length; node++)
        {
            tables.set(node, server, ForwardingTables.NONE);
        }
        Arrays.fill(level, Integer.MAX_VALUE);
        level[destination] = 0;
        queue[0] = destination;
        int tail = 1;
        for (int head = 0; head < tail; head++)
        {
            tail = joinAround(queue[head], server, level, tail);
        }
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (level[node] == Integer.MAX_VALUE && fabric.serversAt(node) > 0)
            {
                return false;
            }
        }
        return true;
    }

    private int joinAround(final int node, final int server, final int[] level, final int queued)
    {
        int tail = queued;
        final int onward = tables.next(node, server);
        for (int back = fabric.firstChannel(node); back < fabric.firstChannel(node + 1); back++)
        {
            final int in = fabric.reverse(back);
            final int child = fabric.source(in);
            if (onward != ForwardingTables.NONE && !allowed.allows(in, onward))
            {
                continue;
            }
            if (level[child] == Integer.MAX_VALUE)
            {
                level[child] = level[node] + 1;
                tables.set(child, server, in);
                queue[tail++] = child;
            }
            else if (level[child] == level[node] + 1 && load[in] < load[tables.next(child, server)])
            {
                tables.set(child, server, in);
            }
        }
        return tail;
    }

    private void addLoad(final int server)
    {
        final int destination = fabric.serverSwitch(server);
        for (int from = 0; from < fabric.switchCount(); from++)
        {
            final long weight = fabric.serversAt(from) == 0 || from == destination ? 0 : demand.between(from, server);
            int node = from;
            for (int hop = 0; hop < fabric.switchCount() && weight > 0 && node != destination; hop++)
            {
                final int channel = tables.next(node, server);
                if (channel == ForwardingTables.NONE)
                {
                    break;
                }
                load[channel] += weight;
                node = fabric.target(channel);
            }
        }
    }

    /** {@return the tables that {@link #make()} built} */
    public ForwardingTables tables()
    {
        return tables;
    }

    /**
     * Returns the loads of the planned paths per pair, in units of the demand. In a large network the first call plans
     * them.
     */
    public LinkLoads pathLoads()
    {
        if (pathLoads == null)
        {
            pathLoads = new LinkLoads(fabric);
            new BalancedPaths(allowed, demand).choose(pathLoads);
        }
        return pathLoads;
    }

    /** {@return whether the tables are those of a fat tree, along its levels} */
    public boolean isFatTree()
    {
        return isFatTree;
    }

    /** {@return the number of servers to which all planned paths agree; all in a fat tree, 0 in a large network} */
    public int consistentServers()
    {
        return consistent;
    }

    /** {@return the number of servers that are reached over the escape tree only} */
    public int escapedServers()
    {
        return escaped;
    }
}
