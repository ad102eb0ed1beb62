package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.plan.BalancedPaths;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.tables.DestinationRoutes;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.tables.JointRoutes;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinLevel;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.topology.TopologyReader;
import org.fibnuma.fabric.turns.TurnPairs;
import org.fibnuma.fabric.turns.TurnPlan;
import org.fibnuma.fabric.turns.TurnSet;
import org.fibnuma.fabric.turns.TurnTraffic;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The load of the most loaded channel under uniform demand, one unit for each pair of servers, when switches forward by
 * destination: networks of several families, all methods, and OpenSM's engines where it is installed. The last columns
 * are the times for provisional paths, turns, tables and their proof.
 */
final class BalanceTable implements Evaluation
{
    static final String NAME = "balance";
    /** Lossless priorities that RoCE networks have. */
    private static final int LANES = 2;
    private static final double NANOS = 1e9;
    private static final String NOT_INSTALLED = "not installed";
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
        NETWORKS.put("fat tree k 6, 6 cables failed",
            () -> NetworkFamilies.failed(JoinedFatTrees.single(6).fabric(), 6, 1));
        NETWORKS.put("fat tree k 8, 12 cables failed",
            () -> NetworkFamilies.failed(JoinedFatTrees.single(8).fabric(), 12, 2));
        NETWORKS.put("torus 4x4x4", () -> NetworkFamilies.torus(4, 4, 4));
        NETWORKS.put("torus 5x5x5", () -> NetworkFamilies.torus(5, 5, 5));
        NETWORKS.put("mesh 4x4x4", () -> NetworkFamilies.mesh(4, 4, 4));
        NETWORKS.put("hypercube 7", () -> NetworkFamilies.hypercube(7));
        NETWORKS.put("HyperX 6x6", () -> NetworkFamilies.hyperX(3, 6, 6));
        NETWORKS.put("random regular 48 degree 7", () -> NetworkFamilies.randomRegular(48, 7, 1, 3));
        NETWORKS.put("jellyfish 80 degree 6", () -> NetworkFamilies.randomRegular(80, 6, 3, 4));
        NETWORKS.put("Xpander 48 degree 5", () -> NetworkFamilies.xpander(5, 8, 2, 5));
        NETWORKS.put("slim fly 7", () -> NetworkFamilies.slimFly(7, 3, 2));
        NETWORKS.put("dragonfly 114", () -> NetworkFamilies.dragonfly(6, 3));
        NETWORKS.put("Kautz 48", () -> NetworkFamilies.words(3, 5, true));
        NETWORKS.put("de Bruijn 64", () -> NetworkFamilies.words(2, 6, false));
        NETWORKS.put("Moebius-Kantor 16", () -> NetworkFamilies.cubic(16, 5, -5));
        NETWORKS.put("Tutte-Coxeter cage 30", () -> NetworkFamilies.cubic(30, -13, -9, 7, -7, 9, 13));
    }

    private final long seed;
    private final int networks;
    private final List<Path> files;
    private final Consumer<String> progress;
    private int unproved;

    /**
     * Creates the table.
     *
     * @param seed     of ties and random choices.
     * @param networks number of generated networks, from the first.
     * @param files    topologies of further networks.
     * @param progress gets the name of each network before it is measured.
     */
    BalanceTable(final long seed, final int networks, final List<Path> files, final Consumer<String> progress)
    {
        this.progress = progress;
        this.seed = seed;
        this.networks = networks;
        this.files = files;
    }

    /** Returns the generated networks, by their names. */
    static Map<String, Supplier<Fabric>> networks()
    {
        return Collections.unmodifiableMap(NETWORKS);
    }

    @Override
    public CsvTable measure() throws IOException, InterruptedException
    {
        final CsvTable table = new CsvTable(NAME, "network", "switches", "servers", "turn-addition", "two-lanes", "tp",
            "updown", "turn-addition-paper", "turn-addition-paths", "ibdmchk", "opensm-updn", "opensm-nue",
            "opensm-dfsssp", "opensm-ftree", "turn-addition-seconds", "tp-seconds", "updown-seconds");
        final Map<String, Supplier<Fabric>> all = new LinkedHashMap<>();
        NETWORKS.keySet().stream().limit(networks).forEach(name -> all.put(name, NETWORKS.get(name)));
        files.forEach(file -> all.put(
            file.getFileName().toString().replaceFirst("\\.[a-z]+$", ""), () -> TopologyReader.read(file.toString())));
        for (final Map.Entry<String, Supplier<Fabric>> network : all.entrySet())
        {
            progress.accept(NAME + ": " + network.getKey());
            add(table, network.getKey(), network.getValue().get());
        }
        return table;
    }

    private void add(final CsvTable table, final String name, final Fabric fabric)
        throws IOException, InterruptedException
    {
        final Demand demand = Demand.uniform(fabric);
        final TurnTraffic traffic = new TurnTraffic(new TurnPairs(fabric));
        final long start = System.nanoTime();
        new BalancedPaths(TurnSet.everything(fabric), demand).choose(traffic);
        final long provisional = System.nanoTime();
        final DestinationRoutes prohibited = routes(Method.PROHIBITION, traffic, demand);
        final long prohibitedLoad = proved(prohibited.tables(), Lanes.one(fabric), demand);
        final long withProhibited = System.nanoTime();
        final DestinationRoutes added = routes(Method.ADDITION, traffic, demand);
        final List<ForwardingTables> starts = List.of(added.tables(), prohibited.tables());
        final ForwardingTables joint = JointRoutes.of(starts, Lanes.one(fabric), demand, seed);
        final long jointLoad = proved(joint, Lanes.one(fabric), demand);
        final long withJoint = System.nanoTime();
        final TurnPlan upDownPlan = Method.UP_DOWN.planner(seed).plan(traffic);
        final DestinationRoutes upDown = new DestinationRoutes(upDownPlan, demand).make();
        final long upDownLoad = proved(upDown.tables(), Lanes.one(fabric), demand);
        final long withUpDown = System.nanoTime();
        final Lanes lanes = Lanes.regions(fabric, LANES);
        final TableWalk papers =
            TableWalk.of(routes(Method.ADDITION_PAPER, traffic, demand).tables(), demand);
        final List<Object> row = new ArrayList<>(List.of(name, fabric.switchCount(), fabric.serverCount(), jointLoad,
            proved(JointRoutes.of(starts, lanes, demand, seed), lanes, demand), prohibitedLoad, upDownLoad,
            OpenSm.maxLinkLoad(papers), added.pathLoads().max(),
            creditLoops(List.of(joint, prohibited.tables(), upDown.tables()))));
        for (final String engine : ENGINES)
        {
            row.add(OpenSm.isInstalled() ?
                new OpenSm(fabric).maxLinkLoad(engine, upDownPlan.escape().root()) : NOT_INSTALLED);
        }
        // Joint tables begin with those of turn prohibition too.
        row.add((withJoint - start) / NANOS);
        row.add((withProhibited - start) / NANOS);
        row.add((provisional - start + withUpDown - withJoint) / NANOS);
        table.add(row.toArray());
    }

    private DestinationRoutes routes(final Method method, final TurnTraffic traffic, final Demand demand)
    {
        return new DestinationRoutes(method.planner(seed).plan(traffic), demand).make();
    }

    private long proved(final ForwardingTables tables, final Lanes lanes, final Demand demand)
    {
        final TableWalk walk = TableWalk.of(tables, lanes, demand);
        unproved += RoutingProof.of(walk).holds() ? 0 : 1;
        return walk.loads().max();
    }

    /** Returns the verdict of ibdmchk on tables, which OpenSM loads into the simulated switches. */
    private String creditLoops(final List<ForwardingTables> plans) throws IOException, InterruptedException
    {
        if (!OpenSm.isInstalled() || !OpenSm.isCheckerInstalled())
        {
            return NOT_INSTALLED;
        }
        for (final ForwardingTables tables : plans)
        {
            if (new OpenSm(tables.fabric()).hasCreditLoop(tables))
            {
                unproved++;
                return "credit loop";
            }
        }
        return "no loops";
    }

    @Override
    public int unproved()
    {
        return unproved;
    }
}
