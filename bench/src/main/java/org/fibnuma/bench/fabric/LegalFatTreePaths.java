package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.plan.FatTreePaths;
import org.fibnuma.fabric.plan.LinkLoads;
import org.fibnuma.fabric.plan.PathDistances;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.turns.TurnSet;

/**
 * The routing of {@link FatTreePaths} without forbidden turns, as in section 4.1.4 of the paper, and its loads. Where
 * the paper leaves the choice open, the balanced one is used.
 * <p>
 * Inside a tree, a path whose turns are all allowed stays. Another one uses the allowed group and root whose most
 * loaded channel has the lowest load or, if none is allowed, one of the shortest allowed paths.
 * <p>
 * Between trees, a pair keeps its usual joining cable if it is among those with the fewest extra hops. Another pair
 * uses the least loaded of those. Pairs with the fewest such cables choose first.
 */
final class LegalFatTreePaths
{
    private final JoinedFatTrees trees;
    private final Fabric fabric;
    private final TurnSet turns;
    private final FatTreePaths free;
    private final PathDistances distances;

    /** Prepares the paths of one or two trees over allowed turns. */
    LegalFatTreePaths(final JoinedFatTrees trees, final TurnSet turns)
    {
        this.trees = trees;
        this.fabric = trees.fabric();
        this.turns = turns;
        this.free = new FatTreePaths(trees);
        this.distances = new PathDistances(turns);
    }

    /** {@return the loads of one unit between every two servers of a tree, 0 or 1} */
    LinkLoads inside(final int tree)
    {
        final LinkLoads loads = new LinkLoads(fabric);
        final int[] path = new int[FatTreePaths.MAX_LENGTH];
        for (int to = 0; to < trees.bottomsPerTree(); to++)
        {
            for (int from = 0; from < trees.bottomsPerTree(); from++)
            {
                for (int server = to * trees.half(); server < (to + 1) * trees.half() && from != to; server++)
                {
                    final int length = free.inside(tree, from, server, path);
                    if (isAllowed(path, length))
                    {
                        loads.onPath(path, length, trees.half());
                    }
                }
            }
        }
        detour(tree, loads, path);
        return loads;
    }

    private void detour(final int tree, final LinkLoads loads, final int[] path)
    {
        final LegalWalk walk = new LegalWalk(turns, loads);
        for (int to = 0; to < trees.bottomsPerTree(); to++)
        {
            boolean measured = false;
            for (int from = 0; from < trees.bottomsPerTree(); from++)
            {
                for (int server = to * trees.half(); server < (to + 1) * trees.half() && from != to; server++)
                {
                    if (isAllowed(path, free.inside(tree, from, server, path)))
                    {
                        continue;
                    }
                    final int length = otherRoot(tree, from, to, loads, path);
                    if (length > 0)
                    {
                        loads.onPath(path, length, trees.half());
                        continue;
                    }
                    if (!measured)
                    {
                        distances.measureTo(trees.bottom(tree, to));
                        measured = true;
                    }
                    walk.clear();
                    walk.leave(trees.bottom(tree, from), distances::of);
                    walk.finish(trees.half());
                }
            }
        }
    }

    private boolean isAllowed(final int[] path, final int length)
    {
        for (int i = 1; i < length; i++)
        {
            if (!turns.allows(path[i - 1], path[i]))
            {
                return false;
            }
        }
        return true;
    }

    /** Computes the least loaded allowed path over any group and root. Returns its length, 0 if there is none. */
    private int otherRoot(final int tree, final int from, final int to, final LinkLoads loads, final int[] path)
    {
        final int half = trees.half();
        final int roots = from / half == to / half ? 1 : half;
        long least = Long.MAX_VALUE;
        int best = -1;
        for (int choice = 0; choice < half * roots; choice++)
        {
            final int length = free.across(tree, from, to, choice / roots, choice % roots, path);
            if (isAllowed(path, length))
            {
                long load = 0;
                for (int i = 0; i < length; i++)
                {
                    load = Math.max(load, loads.of(path[i]));
                }
                if (load < least)
                {
                    least = load;
                    best = choice;
                }
            }
        }
        return best < 0 ? 0 : free.across(tree, from, to, best / roots, best % roots, path);
    }

    /** {@return the loads of one unit between every two servers of different trees} */
    LinkLoads between()
    {
        final LinkLoads loads = new LinkLoads(fabric);
        for (int tree = 0; tree < 2; tree++)
        {
            new CrossPaths(trees, turns, tree, loads).chooseAsUsual();
        }
        return loads;
    }

    /**
     * Returns the loads as {@link #between()}, but no pair keeps its usual cable, and all pairs choose in several
     * rounds. This does more than avoid forbidden turns.
     */
    LinkLoads betweenBalanced()
    {
        final LinkLoads loads = new LinkLoads(fabric);
        for (int tree = 0; tree < 2; tree++)
        {
            new CrossPaths(trees, turns, tree, loads).chooseBalanced();
        }
        return loads;
    }
}
