package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.plan.BalancedPaths;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.tables.DestinationRoutes;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.tables.JointRoutes;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinLevel;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.turns.TurnPairs;
import org.fibnuma.fabric.turns.TurnPlan;
import org.fibnuma.fabric.turns.TurnSet;
import org.fibnuma.fabric.turns.TurnTraffic;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The load of the most loaded channel under uniform demand, one unit for each pair of servers, when switches forward by
 * destination: networks of several families, all methods, and OpenSM's engines where it is installed.
 */
final class BalanceTable
{
    static final String NAME = "balance";
    private static final List<String> ENGINES = List.of("updn", "nue", "dfsssp", "ftree");
    private static final Map<String, Supplier<Fabric>> NETWORKS = new LinkedHashMap<>();

    static
    {
        NETWORKS.put("torus 8x8", () -> NetworkFamilies.torus(8, 8));
        NETWORKS.put("random regular 64 degree 4", () -> NetworkFamilies.randomRegular(64, 4, 1, 1));
        NETWORKS.put("dragonfly 36", () -> NetworkFamilies.dragonfly(4, 2));
        NETWORKS.put("hypercube 6", () -> NetworkFamilies.hypercube(6));
        NETWORKS.put("jellyfish 50 degree 5", () -> NetworkFamilies.randomRegular(50, 5, 4, 2));
        NETWORKS.put("slim fly 5", () -> NetworkFamilies.slimFly(5, 2, 3));
        NETWORKS.put("joined fat trees k 6", () -> JoinedFatTrees.joined(6, JoinLevel.MIDDLE).fabric());
        NETWORKS.put("mesh 8x8", () -> NetworkFamilies.mesh(8, 8));
        NETWORKS.put("fat tree k 6", () -> JoinedFatTrees.single(6).fabric());
    }

    private final long seed;
    private final int networks;
    private int unproved;

    /**
     * Creates the table.
     *
     * @param seed     of ties and random choices.
     * @param networks number of networks, from the first.
     */
    BalanceTable(final long seed, final int networks)
    {
        this.seed = seed;
        this.networks = networks;
    }

    CsvTable measure() throws IOException, InterruptedException
    {
        final CsvTable table = new CsvTable(NAME, "network", "servers", "turn-addition", "tp", "updown",
            "turn-addition-paths", "opensm-updn", "opensm-nue", "opensm-dfsssp", "opensm-ftree");
        int left = networks;
        for (final Map.Entry<String, Supplier<Fabric>> network : NETWORKS.entrySet())
        {
            if (left-- > 0)
            {
                add(table, network.getKey(), network.getValue().get());
            }
        }
        return table;
    }

    private void add(final CsvTable table, final String name, final Fabric fabric)
        throws IOException, InterruptedException
    {
        final Demand demand = Demand.uniform(fabric);
        final TurnTraffic traffic = new TurnTraffic(new TurnPairs(fabric));
        new BalancedPaths(TurnSet.everything(fabric), demand).choose(traffic);
        final DestinationRoutes added = routes(Method.ADDITION, traffic, demand);
        final DestinationRoutes prohibited = routes(Method.PROHIBITION, traffic, demand);
        final TurnPlan upDownPlan = Method.UP_DOWN.planner(seed).plan(traffic);
        final DestinationRoutes upDown = new DestinationRoutes(upDownPlan, demand).make();
        final ForwardingTables joint = JointRoutes.of(List.of(added.tables(), prohibited.tables()), demand, seed);
        final String[] engines = new String[ENGINES.size()];
        for (int i = 0; i < engines.length; i++)
        {
            engines[i] = OpenSmEngine.isInstalled() ?
                OpenSmEngine.maxLinkLoad(fabric, ENGINES.get(i), upDownPlan.escape().root()) : "not installed";
        }
        table.add(name, fabric.serverCount(), proved(joint, demand), proved(prohibited.tables(), demand),
            proved(upDown.tables(), demand), added.pathLoads().max(), engines[0], engines[1], engines[2], engines[3]);
    }

    private DestinationRoutes routes(final Method method, final TurnTraffic traffic, final Demand demand)
    {
        return new DestinationRoutes(method.planner(seed).plan(traffic), demand).make();
    }

    private long proved(final ForwardingTables tables, final Demand demand)
    {
        final TableWalk walk = TableWalk.of(tables, demand);
        unproved += RoutingProof.of(walk).holds() ? 0 : 1;
        return walk.loads().max();
    }

    /** Returns the number of our tables whose proof failed. */
    int unproved()
    {
        return unproved;
    }
}
