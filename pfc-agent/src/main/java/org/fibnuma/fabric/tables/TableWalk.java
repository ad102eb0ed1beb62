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
    private final DestinationTree tree;
    private final long[] amount;
    private final int[] senders;
    private final boolean[] arrives;
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
        this.tree = new DestinationTree(tables);
        this.amount = new long[fabric.switchCount()];
        this.senders = new int[fabric.switchCount()];
        this.arrives = new boolean[fabric.switchCount()];
    }

    /** Follows all tables in a single lane. */
    public static TableWalk of(final ForwardingTables tables, final Demand demand)
    {
        return of(tables, Lanes.one(tables.fabric()), demand);
    }

    /** Follows all tables. */
    public static TableWalk of(final ForwardingTables tables, final Lanes lanes, final Demand demand)
    {
        final TableWalk walk = new TableWalk(tables, lanes);
        for (int server = 0; server < walk.fabric.serverCount(); server++)
        {
            if (walk.tree.arrange(server))
            {
                walk.addUp(server, demand);
            }
            else
            {
                walk.followAll(server, demand);
            }
        }
        return walk;
    }

    /** Adds up what all switches send, from switch to switch: paths that join are followed once. */
    private void addUp(final int server, final Demand demand)
    {
        final int destination = fabric.serverSwitch(server);
        arrives[destination] = true;
        for (int place = tree.size() - 1; place >= 0; place--)
        {
            final int node = tree.node(place);
            final int out = tables.next(node, server);
            arrives[node] = out != ForwardingTables.NONE && arrives[fabric.target(out)];
            amount[node] = 0;
            senders[node] = 0;
        }
        for (int place = 0; place < tree.size(); place++)
        {
            final int node = tree.node(place);
            if (fabric.serversAt(node) > 0)
            {
                send(node, server, demand);
            }
            final int out = tables.next(node, server);
            if (out != ForwardingTables.NONE && senders[node] != 0)
            {
                passOn(node, out, server);
            }
        }
    }

    private void send(final int node, final int server, final Demand demand)
    {
        senders[node] |= 1 << lanes.of(node);
        if (arrives[node])
        {
            final long weight = demand.between(node, server);
            amount[node] += weight;
            loads.addPath(weight);
        }
        else
        {
            unreachablePairs += fabric.serversAt(node);
        }
    }

    private void passOn(final int node, final int out, final int server)
    {
        final int next = fabric.target(out);
        if (arrives[node])
        {
            loads.addLoad(out, amount[node]);
        }
        if (next == fabric.serverSwitch(server))
        {
            return;
        }
        amount[next] += amount[node];
        senders[next] |= senders[node];
        final int after = tables.next(next, server);
        for (int lane = 0; lane < used.length && after != ForwardingTables.NONE; lane++)
        {
            if ((senders[node] >>> lane & 1) != 0)
            {
                used[lane].allow(out, after);
            }
        }
    }

    private void followAll(final int server, final Demand demand)
    {
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (fabric.serversAt(node) > 0 && node != fabric.serverSwitch(server))
            {
                follow(node, server, demand);
            }
        }
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
