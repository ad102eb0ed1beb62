package org.fibnuma.fabric.command;

import org.fibnuma.fabric.plan.BalancedPaths;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.FatTreePaths;
import org.fibnuma.fabric.tables.DestinationRoutes;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.turns.TurnAddition;
import org.fibnuma.fabric.turns.TurnMethod;
import org.fibnuma.fabric.turns.TurnTraffic;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Plans one network with several methods, on as many threads as there are processors. Provisional paths and turn
 * prohibition are planned once for all methods that need them. The plans do not depend on the number of threads.
 */
final class MethodPlans
{
    /** Name of turn prohibition, whose tables are a start of joint ones. */
    static final String PROHIBITION = "tp";
    /** Name of the method whose tables choose their turns themselves, in several lanes too. */
    static final String JOINT = "turn-addition";

    /** Traffic of the turns on provisional paths, and the time for these. */
    private record Provisional(TurnTraffic traffic, long nanos)
    {
    }

    private final Fabric fabric;
    private final JoinedFatTrees trees;
    private final Demand demand;
    private final int lanes;
    private final long seed;
    private final Map<Long, Provisional> provisional = new ConcurrentHashMap<>();
    private final Map<String, Future<FabricPlan>> plans = new HashMap<>();
    /** Null if joint tables have no such start. */
    private Future<ForwardingTables> ownStart;

    /**
     * Prepares plans.
     *
     * @param trees  the network if it is generated fat trees with the paper's demand, otherwise null.
     * @param demand the traffic between servers.
     * @param lanes  number of lanes of joint tables.
     * @param seed   of the random choices.
     */
    MethodPlans(
        final Fabric fabric, final JoinedFatTrees trees, final Demand demand, final int lanes, final long seed)
    {
        this.fabric = fabric;
        this.trees = trees;
        this.demand = demand;
        this.lanes = lanes;
        this.seed = seed;
    }

    /**
     * Plans with each method, by its name, and returns a plan for each. Turn prohibition and joint tables have the
     * names above.
     */
    List<FabricPlan> plan(final List<String> names, final List<TurnMethod> methods)
    {
        final ExecutorService executor =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), MethodPlans::thread);
        try
        {
            // What joint tables wait for is submitted before them, so that some thread has begun it.
            if (names.contains(PROHIBITION))
            {
                submit(PROHIBITION, methods.get(names.indexOf(PROHIBITION)), executor);
            }
            // The turns of joined trees are chosen for the paper's demand, which may load the joining cables unevenly.
            if (names.contains(JOINT) && trees != null && trees.trees() == 2 && BalancedPaths.isLarge(fabric))
            {
                ownStart = executor.submit(() -> DestinationRoutes.of(TurnAddition.sound(seed), fabric, demand));
            }
            for (final String name : names)
            {
                if (!name.equals(PROHIBITION))
                {
                    submit(name, methods.get(names.indexOf(name)), executor);
                }
            }
            return names.stream().map(name -> get(plans.get(name))).toList();
        }
        finally
        {
            executor.shutdownNow();
        }
    }

    private void submit(final String name, final TurnMethod method, final ExecutorService executor)
    {
        final Future<FabricPlan> prohibition = plans.get(PROHIBITION);
        plans.put(name, executor.submit(() -> plan(name, method, prohibition)));
    }

    private FabricPlan plan(final String name, final TurnMethod method, final Future<FabricPlan> prohibition)
    {
        // Turn prohibition keeps full bandwidth inside the trees, as in the paper, only with this weight.
        final long weight = trees == null ? 0 :
            name.equals(PROHIBITION) ? FatTreePaths.INSIDE_FIRST : FatTreePaths.INSIDE_WEIGHT;
        final Provisional paths = provisional.computeIfAbsent(weight, this::provisional);
        final FabricPlan plan = new FabricPlan(name, paths.traffic(), demand);
        plan.decide(method, paths.nanos());
        if (trees != null)
        {
            plan.result().put("demandInside", weight);
            plan.result().put("demandBetween", 1);
        }
        if (name.equals(JOINT))
        {
            // The turns of generated trees have other traffic with turn prohibition.
            plan.routeJointly(ownStart == null ? null : () -> get(ownStart),
                trees != null || prohibition == null ? null : () -> get(prohibition), lanes, seed);
        }
        else
        {
            plan.route();
        }
        return plan;
    }

    private Provisional provisional(final long weight)
    {
        final long start = System.nanoTime();
        final TurnTraffic traffic = trees == null ?
            BalancedPaths.unrestricted(fabric, demand) : new FatTreePaths(trees).traffic(weight);
        return new Provisional(traffic, System.nanoTime() - start);
    }

    private static Thread thread(final Runnable plan)
    {
        final Thread thread = new Thread(plan, "fabric-plan");
        thread.setDaemon(true);
        return thread;
    }

    /** Waits for a result, and throws what its thread has thrown. */
    private static <T> T get(final Future<T> result)
    {
        try
        {
            return result.get();
        }
        catch (final ExecutionException ex)
        {
            if (ex.getCause() instanceof Error)
            {
                throw (Error)ex.getCause();
            }
            throw (RuntimeException)ex.getCause();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the plan was finished", ex);
        }
    }
}
