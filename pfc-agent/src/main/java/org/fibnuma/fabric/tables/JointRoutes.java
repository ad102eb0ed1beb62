package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.Demand;

import java.util.List;

/**
 * Tables whose turns are chosen by what the routes to all servers need together, not by a turn set that was decided
 * before: the best of some tables, improved by annealing. Turn addition for switches that forward by destination.
 * Tables of more than 10 million entries are not improved, because a few steps for each hundred entries gain nothing.
 */
public final class JointRoutes
{
    private JointRoutes()
    {
    }

    /**
     * Builds tables.
     *
     * @param starts tables without cycles in any lane, with a path for every pair of servers; they stay as they are.
     * @param lanes  the lane of each path.
     * @param demand the traffic.
     * @param seed   of the random steps; equal input gives equal tables.
     * @return tables without cycles in any lane, with a path for every pair of servers, whose most loaded channel has
     *         not more load than that of any start.
     */
    public static ForwardingTables of(
        final List<ForwardingTables> starts, final Lanes lanes, final Demand demand, final long seed)
    {
        if (starts.size() == 1 && !TableAnnealing.isPossible(starts.get(0).fabric()))
        {
            return starts.get(0);
        }
        ForwardingTables best = starts.get(0);
        long least = maxLoad(best, demand);
        for (final ForwardingTables start : starts.subList(1, starts.size()))
        {
            final long load = maxLoad(start, demand);
            best = load < least ? start : best;
            least = Math.min(load, least);
        }
        if (!TableAnnealing.isPossible(best.fabric()))
        {
            return best;
        }
        final ForwardingTables improved = best.copy();
        TableAnnealing.improve(improved, lanes, demand, seed);
        return maxLoad(improved, demand) <= least ? improved : best;
    }

    private static long maxLoad(final ForwardingTables tables, final Demand demand)
    {
        return TableWalk.of(tables, demand).loads().max();
    }
}
