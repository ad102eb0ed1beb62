package org.fibnuma.fabric.proof;

import org.fibnuma.fabric.plan.WayDistances;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnSet;

/**
 * Whether buffers can wait for each other in a circle, and whether every server reaches every other.
 *
 * @param cycle          the channels of a circle, each leading to the next and the last to the first; empty where there
 *                       is none.
 * @param pairs          of servers, in order.
 * @param reachablePairs of which the first reaches the second.
 */
public record RoutingProof(int[] cycle, long pairs, long reachablePairs)
{
    /**
     * Proves a set of turns: all of them may be taken in any combination.
     *
     * @param turns both directions of each or none.
     * @return the finding.
     */
    public static RoutingProof of(final TurnSet turns)
    {
        final Fabric fabric = turns.fabric();
        final WayDistances distances = new WayDistances(turns);
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
                if (from != to && fabric.serversAt(from) > 0 && distances.from(from) == WayDistances.UNREACHABLE)
                {
                    unreachable += (long)fabric.serversAt(from) * fabric.serversAt(to);
                }
            }
        }
        return finding(fabric, DependencyCycle.find(turns), unreachable);
    }

    /**
     * Proves tables by what following them used.
     *
     * @param walk through all of them.
     * @return the finding.
     */
    public static RoutingProof of(final TableWalk walk)
    {
        return finding(walk.used().fabric(), DependencyCycle.find(walk.used()), walk.unreachablePairs());
    }

    private static RoutingProof finding(final Fabric fabric, final int[] cycle, final long unreachable)
    {
        final long pairs = (long)fabric.serverCount() * (fabric.serverCount() - 1);
        return new RoutingProof(cycle, pairs, pairs - unreachable);
    }

    /**
     * No circle.
     *
     * @return whether buffers never wait for each other in a circle.
     */
    public boolean isAcyclic()
    {
        return cycle.length == 0;
    }

    /**
     * No circle, and everyone reaches everyone.
     *
     * @return whether the routing may be used.
     */
    public boolean holds()
    {
        return isAcyclic() && reachablePairs == pairs;
    }
}
