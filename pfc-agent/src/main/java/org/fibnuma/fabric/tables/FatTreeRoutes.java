package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;

/**
 * Tables of a fat tree of any number of levels, with failed cables or without. The levels are found from the cables
 * alone: the level of a switch is its distance from the switches with servers, and all cables must join adjacent
 * levels. Paths lead up and then down.
 * <p>
 * Each server gets one chain of channels down to it, each the least loaded into the switch below. A switch sends over a
 * shortest path that joins the chain, if there is one. Among several it uses the path whose most loaded channel has the
 * lowest load. In a healthy tree of equal switches the servers of a switch have different chains, and all channels have
 * the load that OpenSM's {@code ftree} gives them.
 */
final class FatTreeRoutes
{
    private static final int UNKNOWN = -1;

    private final Fabric fabric;
    private final Demand demand;
    private final int[] level;
    private final ForwardingTables tables;
    private final long[] load;
    private final int[] distance;
    private final boolean[] isDown;
    private final boolean[] joinsChain;
    private final long[] pathLoad;
    private final int[] queue;
    private final int[] height;

    private FatTreeRoutes(final Fabric fabric, final int[] level, final Demand demand)
    {
        this.fabric = fabric;
        this.demand = demand;
        this.level = level;
        this.tables = new ForwardingTables(fabric);
        this.load = new long[fabric.channelCount()];
        this.distance = new int[fabric.switchCount()];
        this.isDown = new boolean[fabric.switchCount()];
        this.joinsChain = new boolean[fabric.switchCount()];
        this.pathLoad = new long[fabric.switchCount()];
        this.queue = new int[fabric.switchCount()];
        this.height = heights();
    }

    /**
     * Builds the tables of a fat tree. Pairs without a path up and down have none.
     *
     * @return null if the network has no such levels.
     */
    static ForwardingTables of(final Fabric fabric, final Demand demand)
    {
        final int[] level = levels(fabric);
        return level == null ? null : new FatTreeRoutes(fabric, level, demand).make();
    }

    /** Returns the level of each switch, 0 with servers; null if a cable joins two switches of one level. */
    private static int[] levels(final Fabric fabric)
    {
        final int[] level = new int[fabric.switchCount()];
        final int[] queue = new int[fabric.switchCount()];
        Arrays.fill(level, UNKNOWN);
        int tail = 0;
        for (int node = 0; node < level.length; node++)
        {
            if (fabric.serversAt(node) > 0)
            {
                level[node] = 0;
                queue[tail++] = node;
            }
        }
        for (int head = 0; head < tail; head++)
        {
            for (int out = fabric.firstChannel(queue[head]); out < fabric.firstChannel(queue[head] + 1); out++)
            {
                if (level[fabric.target(out)] == UNKNOWN)
                {
                    level[fabric.target(out)] = level[queue[head]] + 1;
                    queue[tail++] = fabric.target(out);
                }
            }
        }
        for (int channel = 0; channel < fabric.channelCount(); channel++)
        {
            if (level[fabric.source(channel)] == level[fabric.target(channel)])
            {
                return null;
            }
        }
        return tail == 0 ? null : level;
    }

    /** Returns the highest level to which channels lead up from each switch. */
    private int[] heights()
    {
        final int[] heights = level.clone();
        final int top = Arrays.stream(level).max().orElse(0);
        for (int below = top - 1; below >= 0; below--)
        {
            for (int node = 0; node < level.length; node++)
            {
                for (int out = fabric.firstChannel(node); out < fabric.firstChannel(node + 1); out++)
                {
                    if (level[node] == below && isUp(out))
                    {
                        heights[node] = Math.max(heights[node], heights[fabric.target(out)]);
                    }
                }
            }
        }
        return heights;
    }

    private boolean isUp(final int channel)
    {
        return level[fabric.target(channel)] > level[fabric.source(channel)];
    }

    private ForwardingTables make()
    {
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            route(server);
            addLoad(server);
        }
        return tables;
    }

    private void route(final int server)
    {
        final int root = fabric.serverSwitch(server);
        Arrays.fill(distance, UNKNOWN);
        Arrays.fill(isDown, false);
        Arrays.fill(joinsChain, false);
        distance[root] = 0;
        pathLoad[root] = 0;
        isDown[root] = true;
        markChain(server);
        queue[0] = root;
        int tail = 1;
        for (int head = 0; head < tail; head++)
        {
            tail = joinAround(queue[head], server, tail);
        }
    }

    private void markChain(final int server)
    {
        int node = fabric.serverSwitch(server);
        joinsChain[node] = true;
        int down = chainInto(node);
        while (down != UNKNOWN)
        {
            node = fabric.source(down);
            joinsChain[node] = true;
            down = chainInto(node);
        }
    }

    /** Returns the least loaded channel down into a switch from one that leads up to the highest level. */
    private int chainInto(final int node)
    {
        int best = UNKNOWN;
        for (int up = fabric.firstChannel(node); up < fabric.firstChannel(node + 1); up++)
        {
            if (isUp(up) && (best == UNKNOWN || isBetterChain(up, fabric.reverse(best))))
            {
                best = fabric.reverse(up);
            }
        }
        return best;
    }

    private boolean isBetterChain(final int up, final int bestUp)
    {
        final int difference = height[fabric.target(up)] - height[fabric.target(bestUp)];
        return difference > 0 || difference == 0 && load[fabric.reverse(up)] < load[fabric.reverse(bestUp)];
    }

    /** Routes the neighbours of a switch that have no shorter path through it: down, or up before paths down. */
    private int joinAround(final int node, final int server, final int queued)
    {
        int tail = queued;
        for (int back = fabric.firstChannel(node); back < fabric.firstChannel(node + 1); back++)
        {
            final int in = fabric.reverse(back);
            final int child = fabric.target(back);
            final boolean leadsDown = !isUp(in);
            if (leadsDown && !isDown[node])
            {
                continue;
            }
            if (distance[child] == UNKNOWN)
            {
                distance[child] = distance[node] + 1;
                queue[tail++] = child;
                choose(child, server, in);
            }
            else if (distance[child] == distance[node] + 1 && isBetter(child, server, in))
            {
                choose(child, server, in);
            }
        }
        return tail;
    }

    private boolean isBetter(final int child, final int server, final int in)
    {
        final boolean joins = joinsChain[fabric.target(in)];
        final boolean joined = joinsChain[fabric.target(tables.next(child, server))];
        // All shortest paths of a switch above the server lead down.
        return isDown[child] == !isUp(in) && (joins && !joined || joins == joined && highest(in) < pathLoad[child]);
    }

    /** Returns the load of the most loaded channel of the path that starts with a channel. */
    private long highest(final int in)
    {
        return Math.max(load[in], pathLoad[fabric.target(in)]);
    }

    private void choose(final int child, final int server, final int in)
    {
        tables.set(child, server, in);
        pathLoad[child] = highest(in);
        isDown[child] = !isUp(in);
        joinsChain[child] |= isUp(in) && joinsChain[fabric.target(in)];
    }

    private void addLoad(final int server)
    {
        final int root = fabric.serverSwitch(server);
        for (int from = 0; from < fabric.switchCount(); from++)
        {
            final long weight = fabric.serversAt(from) == 0 || from == root ? 0 : demand.between(from, server);
            for (int node = from; weight > 0 && node != root && distance[from] != UNKNOWN;
                node = fabric.target(tables.next(node, server)))
            {
                load[tables.next(node, server)] += weight;
            }
        }
    }
}
