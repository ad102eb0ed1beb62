package org.fibnuma.fabric.proof;

import org.fibnuma.fabric.plan.PathDistances;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnSet;

/**
 * Result of a check of turns or tables: a cycle in which buffers can wait for each other, and which servers can be
 * reached.
 *
 * @param cycle          the channels of a cycle, each leading to the next and the last to the first; empty if there is
 *                       none.
 * @param lane           the lane of the cycle, from 0; the last lane if there is no cycle.
 * @param pairs          number of ordered pairs of servers.
 * @param reachablePairs number of those whose first server reaches the second.
 */
public record RoutingProof(int[] cycle, int lane, long pairs, long reachablePairs)
{
    /** Checks a set of turns, both directions of each or none, which routes may use in any combination. */
    public static RoutingProof of(final TurnSet turns)
    {
        final Fabric fabric = turns.fabric();
        final PathDistances distances = new PathDistances(turns);
        long unreachable = 0;
        for (int to = 0; to < fabric.switchCount(); to++)
        {
            if (fabric.serversAt(to) == 0)
            {
                continue;
            }
            distances.measureTo(to);
            for (int from = 0; from < fabric.switchCount(); from++)
            {
                if (from != to && fabric.serversAt(from) > 0 && distances.from(from) == PathDistances.UNREACHABLE)
                {
                    unreachable += (long)fabric.serversAt(from) * fabric.serversAt(to);
                }
            }
        }
        return finding(fabric, DependencyCycle.find(turns), 0, unreachable);
    }

    /** Checks tables by the turns that they use in each lane. */
    public static RoutingProof of(final TableWalk walk)
    {
        int lane = 0;
        int[] cycle = DependencyCycle.find(walk.used(lane));
        while (cycle.length == 0 && lane + 1 < walk.laneCount())
        {
            cycle = DependencyCycle.find(walk.used(++lane));
        }
        return finding(walk.used(0).fabric(), cycle, lane, walk.unreachablePairs());
    }

    private static RoutingProof finding(
        final Fabric fabric, final int[] cycle, final int lane, final long unreachable)
    {
        final long pairs = (long)fabric.serverCount() * (fabric.serverCount() - 1);
        return new RoutingProof(cycle, lane, pairs, pairs - unreachable);
    }

    /** {@return whether no buffers can wait for each other in a cycle} */
    public boolean isAcyclic()
    {
        return cycle.length == 0;
    }

    /** {@return whether there is no cycle and every server reaches every other} */
    public boolean holds()
    {
        return isAcyclic() && reachablePairs == pairs;
    }
}
