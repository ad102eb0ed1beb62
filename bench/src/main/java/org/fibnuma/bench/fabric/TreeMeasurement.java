package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.plan.FatTreePaths;
import org.fibnuma.fabric.plan.LegalFatTreePaths;
import org.fibnuma.fabric.plan.LinkLoads;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.turns.JoiningTurns;
import org.fibnuma.fabric.turns.TurnPairs;
import org.fibnuma.fabric.turns.TurnPlan;
import org.fibnuma.fabric.turns.TurnTraffic;

/** One method on two joined trees: section 5.1 of the paper. */
final class TreeMeasurement
{
    private final JoinedFatTrees trees;
    private final TurnPlan plan;
    private final RoutingProof proof;

    TreeMeasurement(final JoinedFatTrees trees, final Method method, final long seed)
    {
        this.trees = trees;
        final TurnTraffic traffic = new TurnTraffic(new TurnPairs(trees.fabric()));
        new FatTreePaths(trees).all(method.insideWeight(), traffic);
        this.plan = method.planner(seed).plan(traffic);
        this.proof = RoutingProof.of(plan.allowed());
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

    boolean isProved()
    {
        return proof.holds();
    }

    String order()
    {
        return plan.order();
    }
}
