package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.Demand;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * Builds tables whose turns are chosen by what the routes to all servers need together, not by a turn set that was
 * decided before. It improves the best of some tables by annealing, in a large network by sweeps over the servers. This
 * is turn addition for switches that forward by destination.
 */
public final class JointRoutes
{
    /**
     * With more entries, sweeps take the place of random steps. Joined fat trees with k = 18 have 2.4 million entries
     * and less load after random steps; with k = 22, 6.4 million, they have less after sweeps.
     */
    private static final long MAX_ANNEALED_ENTRIES = 3_000_000;

    private JointRoutes()
    {
    }

    /** Builds tables as {@link #of(List, Lanes, Demand, long, LongSupplier)}, however good the starts are. */
    public static ForwardingTables of(
        final List<ForwardingTables> starts, final Lanes lanes, final Demand demand, final long seed)
    {
        return of(starts, lanes, demand, seed, () -> 0);
    }

    /**
     * Builds tables, with less work for a network of more than 3 million entries if a start is good enough.
     *
     * @param starts tables without cycles in any lane, with a path for every pair of servers; they stay as they are.
     * @param seed   of the random steps; equal input gives equal tables.
     * @param enough highest load of a start, in units of the demand, with which sweeps over the servers are not needed;
     *               computed only in such a large network.
     * @return tables without cycles in any lane, with a path for every pair of servers, whose most loaded channel has
     *         not more load than that of any start.
     */
    public static ForwardingTables of(
        final List<ForwardingTables> starts,
        final Lanes lanes,
        final Demand demand,
        final long seed,
        final LongSupplier enough)
    {
        ForwardingTables best = starts.get(0);
        long least = maxLoad(best, demand);
        for (final ForwardingTables start : starts.subList(1, starts.size()))
        {
            final long load = maxLoad(start, demand);
            best = load < least ? start : best;
            least = Math.min(load, least);
        }
        final boolean isAnnealed =
            (long)best.fabric().serverCount() * best.fabric().switchCount() <= MAX_ANNEALED_ENTRIES;
        if (!isAnnealed && least <= enough.getAsLong())
        {
            return best;
        }
        final ForwardingTables improved = best.copy();
        if (isAnnealed)
        {
            TableAnnealing.improve(improved, lanes, demand, seed);
        }
        else
        {
            TableSweeps.improve(improved, lanes, demand, seed);
        }
        return maxLoad(improved, demand) <= least ? improved : best;
    }

    private static long maxLoad(final ForwardingTables tables, final Demand demand)
    {
        return TableWalk.of(tables, demand).loads().max();
    }
}
