package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.LinkLoads;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnSet;

/**
 * Follows tables from every switch with servers to every server, as frames do, and records the used turns, the loads,
 * and the number of server pairs without a path.
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
     * Follows all tables.
     *
     * @param tables to follow.
     * @param demand the traffic.
     * @return the result.
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

    /** {@return the used turns, each direction separately} */
    public TurnSet used()
    {
        return used;
    }

    /** {@return the loads of the channels, in units of the demand} */
    public LinkLoads loads()
    {
        return loads;
    }

    /** {@return the number of ordered pairs of servers without a path: a route is missing or loops} */
    public long unreachablePairs()
    {
        return unreachablePairs;
    }
}
