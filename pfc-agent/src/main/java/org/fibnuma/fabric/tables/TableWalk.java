package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.LinkLoads;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnSet;

import java.util.Arrays;

/**
 * Follows tables from every switch with servers to every server, as frames do, and records the used turns, the loads,
 * and the number of server pairs without a path.
 */
public final class TableWalk
{
    private final ForwardingTables tables;
    private final Fabric fabric;
    private final Lanes lanes;
    private final TurnSet[] used;
    private final LinkLoads loads;
    private final int[] path;
    private long unreachablePairs;

    private TableWalk(final ForwardingTables tables, final Lanes lanes)
    {
        this.tables = tables;
        this.fabric = tables.fabric();
        this.lanes = lanes;
        this.used = new TurnSet[lanes.count()];
        Arrays.setAll(used, lane -> new TurnSet(fabric));
        this.loads = new LinkLoads(fabric);
        this.path = new int[fabric.switchCount()];
    }

    /**
     * Follows all tables in a single lane.
     *
     * @param tables to follow.
     * @param demand the traffic.
     * @return the result.
     */
    public static TableWalk of(final ForwardingTables tables, final Demand demand)
    {
        return of(tables, Lanes.one(tables.fabric()), demand);
    }

    /**
     * Follows all tables.
     *
     * @param tables to follow.
     * @param lanes  the lane of each path.
     * @param demand the traffic.
     * @return the result.
     */
    public static TableWalk of(final ForwardingTables tables, final Lanes lanes, final Demand demand)
    {
        final TableWalk walk = new TableWalk(tables, lanes);
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
                used[lanes.of(from)].allow(path[length - 1], channel);
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

    /** {@return the number of lanes} */
    public int laneCount()
    {
        return lanes.count();
    }

    /** {@return the turns that are used in a lane, each direction separately} */
    public TurnSet used(final int lane)
    {
        return used[lane];
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
