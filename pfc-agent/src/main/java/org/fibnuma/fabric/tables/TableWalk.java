package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.LinkLoads;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnSet;

/**
 * Follows tables from every switch that has servers to every server, as frames would, and keeps what that uses: the
 * turns, the loads, and how many pairs of servers do not reach each other.
 */
public final class TableWalk
{
    private final ForwardingTables tables;
    private final Fabric fabric;
    private final TurnSet used;
    private final LinkLoads loads;
    private final int[] path;
    private long unreachablePairs;

    private TableWalk(final ForwardingTables tables)
    {
        this.tables = tables;
        this.fabric = tables.fabric();
        this.used = new TurnSet(fabric);
        this.loads = new LinkLoads(fabric);
        this.path = new int[fabric.switchCount()];
    }

    /**
     * Follows everything.
     *
     * @param tables to follow.
     * @param demand that is carried.
     * @return what it used.
     */
    public static TableWalk of(final ForwardingTables tables, final Demand demand)
    {
        final TableWalk walk = new TableWalk(tables);
        for (int server = 0; server < walk.fabric.serverCount(); server++)
        {
            for (int node = 0; node < walk.fabric.switchCount(); node++)
            {
                if (walk.fabric.serversAt(node) > 0 && node != walk.fabric.serverSwitch(server))
                {
                    walk.follow(node, server, demand);
                }
            }
        }
        return walk;
    }

    private void follow(final int from, final int server, final Demand demand)
    {
        final int destination = fabric.serverSwitch(server);
        int node = from;
        int length = 0;
        while (node != destination)
        {
            final int channel = tables.next(node, server);
            if (channel != ForwardingTables.NONE && length > 0)
            {
                used.allow(path[length - 1], channel);
            }
            if (channel == ForwardingTables.NONE || length == path.length)
            {
                unreachablePairs += fabric.serversAt(from);
                return;
            }
            path[length++] = channel;
            node = fabric.target(channel);
        }
        loads.onPath(path, length, demand.between(from, server));
    }

    /**
     * The turns that are taken.
     *
     * @return each direction by itself.
     */
    public TurnSet used()
    {
        return used;
    }

    /**
     * What channels carry.
     *
     * @return in units of the demand.
     */
    public LinkLoads loads()
    {
        return loads;
    }

    /**
     * Pairs of servers, in order, of which the first does not reach the second: a route is missing or runs in a ring.
     *
     * @return 0 where everyone reaches everyone.
     */
    public long unreachablePairs()
    {
        return unreachablePairs;
    }
}
