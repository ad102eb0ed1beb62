package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.FatTreePaths;
import org.fibnuma.fabric.plan.LinkLoads;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.turns.TurnPlan;
import org.fibnuma.fabric.turns.TurnTraffic;

/** One method on two joined trees: section 5.1 of the paper. */
final class TreeMeasurement
{
    private final JoinedFatTrees trees;
    private final TurnPlan plan;
    private final RoutingProof proof;
    private final ForwardingTables tables;

    /**
     * Plans one method.
     *
     * @param trees    two joined trees.
     * @param method   that chooses the turns.
     * @param seed     of ties.
     * @param byTables whether tables by destination are built too.
     */
    TreeMeasurement(final JoinedFatTrees trees, final Method method, final long seed, final boolean byTables)
    {
        this.trees = trees;
        final TurnTraffic traffic = new FatTreePaths(trees).traffic(method.insideWeight());
        this.plan = method.planner(seed).plan(traffic);
        this.proof = RoutingProof.of(plan.allowed());
        this.tables = byTables ? method.tables(traffic, demand(FatTreePaths.INSIDE_WEIGHT, 1), seed) : null;
    }

    /** Returns the throughput of the worse tree when every server sends 1.00 in all, evenly within its tree. */
    double inside()
    {
        final LegalFatTreePaths paths = new LegalFatTreePaths(trees, plan.allowed());
        final long serverLink = trees.serversPerTree() - 1L;
        return Math.min(paths.inside(0).throughput(serverLink), paths.inside(1).throughput(serverLink));
    }

    /**
     * Returns the throughput when every server sends p/n in all, evenly to the n servers of the other tree over p
     * cables. No routing exceeds 1, because the cables carry n p/n of one tree.
     */
    double between()
    {
        return between(new LegalFatTreePaths(trees, plan.allowed()).between());
    }

    /** Returns the same when no pair is bound to its usual cable. */
    double betweenBalanced()
    {
        return between(new LegalFatTreePaths(trees, plan.allowed()).betweenBalanced());
    }

    private double between(final LinkLoads loads)
    {
        final double servers = trees.serversPerTree();
        return Math.min(1, 1 / (loads.max() * (trees.crossCables() / servers / servers)));
    }

    JoiningTurns joiningTurns()
    {
        return JoiningTurns.of(trees, plan.allowed());
    }

    /** Returns {@link #inside()} of the tables by destination; an empty text without tables. */
    Object insideByTables()
    {
        final long serverLink = trees.serversPerTree() - 1L;
        return tables == null ? "" : TableWalk.of(tables, demand(1, 0)).loads().throughput(serverLink);
    }

    /** Returns {@link #between()} of the tables by destination; an empty text without tables. */
    Object betweenByTables()
    {
        return tables == null ? "" : between(TableWalk.of(tables, demand(0, 1)).loads());
    }

    /** Returns a demand between two servers of one tree and of different trees. */
    private Demand demand(final long inside, final long between)
    {
        final Fabric fabric = trees.fabric();
        final int servers = trees.serversPerTree();
        return new Demand()
        {
            @Override
            public long between(final int fromSwitch, final int toServer)
            {
                final boolean isInside = fabric.firstServer(fromSwitch) / servers == toServer / servers;
                return fabric.serversAt(fromSwitch) * (isInside ? inside : between);
            }

            @Override
            public long busiestServer()
            {
                return (servers - 1) * inside + servers * between;
            }
        };
    }

    boolean isProved()
    {
        return proof.holds() &&
            (tables == null || RoutingProof.of(TableWalk.of(tables, demand(1, 1))).holds());
    }

    String order()
    {
        return plan.order();
    }
}
