package org.fibnuma.fabric.command;

import org.fibnuma.fabric.export.Addressing;
import org.fibnuma.fabric.export.LaneFile;
import org.fibnuma.fabric.export.OpenSmTables;
import org.fibnuma.fabric.export.StaticRoutes;
import org.fibnuma.fabric.export.TurnSetJson;
import org.fibnuma.fabric.plan.BalancedPaths;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.FatTreePaths;
import org.fibnuma.fabric.plan.LegalFatTreePaths;
import org.fibnuma.fabric.plan.LinkLoads;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.tables.DestinationRoutes;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.tables.JointRoutes;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.turns.TurnMethod;
import org.fibnuma.fabric.turns.TurnPairs;
import org.fibnuma.fabric.turns.TurnPlan;
import org.fibnuma.fabric.turns.TurnProhibition;
import org.fibnuma.fabric.turns.TurnSet;
import org.fibnuma.fabric.turns.TurnTraffic;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A plan: provisional paths for the demand, turns, proof of the turns, tables, proof of the tables. It is written only
 * if both proofs hold.
 */
final class FabricPlan
{
    /** With more entries, tables are neither built nor written; they would be gigabytes of text. */
    static final long MAX_TABLE_ENTRIES = 10_000_000;
    /** Tables with a smaller part of the throughput of paths are reported. */
    private static final double FEW = 0.9;

    private final Fabric fabric;
    private final Demand demand;
    private final TurnPairs pairs;
    private final TurnTraffic traffic;
    private final Map<String, Object> result = new LinkedHashMap<>();
    private TurnPlan turns;
    private RoutingProof turnProof;
    private RoutingProof tableProof;
    private ForwardingTables tables;
    private TableWalk tableWalk;
    private Lanes lanes;
    private long start;
    private double throughput;
    private double averageHops;

    FabricPlan(final String method, final Fabric fabric, final Demand demand)
    {
        result.put("method", method);
        this.fabric = fabric;
        this.demand = demand;
        this.pairs = new TurnPairs(fabric);
        this.traffic = new TurnTraffic(pairs);
    }

    /**
     * Chooses the turns and proves them.
     *
     * @param method       that chooses the turns.
     * @param trees        null for other networks.
     * @param insideWeight demand inside a tree if that between trees is 1; unused in other networks.
     */
    void decide(final TurnMethod method, final JoinedFatTrees trees, final long insideWeight)
    {
        start = System.nanoTime();
        if (trees == null)
        {
            new BalancedPaths(TurnSet.everything(fabric), demand).choose(traffic);
        }
        else
        {
            new FatTreePaths(trees).all(insideWeight, traffic);
        }
        turns = method.plan(traffic);
        turnProof = RoutingProof.of(turns.allowed());
        result.put("turns", pairs.turnCount());
        result.put("forbiddenTurns", turns.allowed().forbiddenPairs(pairs));
        result.put("acyclic", turnProof.isAcyclic());
        result.put("cycle", CheckCommand.describe(fabric, turnProof.cycle()));
        result.put("reachablePairs", turnProof.reachablePairs());
        result.put("pairs", turnProof.pairs());
        result.put("turnSeconds", (System.nanoTime() - start) / 1e9);
        result.put("order", turns.order());
        if (trees != null)
        {
            result.put("demandInside", insideWeight);
            result.put("demandBetween", 1);
        }
    }

    /**
     * Builds and proves tables, unless they are too large.
     *
     * @param trees null for other networks.
     * @param joint whether tables may use turns of their own, chosen by what all routes need together.
     * @param count number of lanes; 1 if not joint.
     * @param seed  of the random choices.
     */
    void route(final JoinedFatTrees trees, final boolean joint, final int count, final long seed)
    {
        lanes = Lanes.regions(fabric, count);
        if ((long)fabric.switchCount() * fabric.serverCount() > MAX_TABLE_ENTRIES)
        {
            if (trees != null && turnProof.holds())
            {
                putLoads(new LegalFatTreePaths(trees, turns.allowed()).inside(0), trees.serversPerTree() - 1L);
            }
            return;
        }
        final DestinationRoutes routes = new DestinationRoutes(turns, demand).make();
        tables = joint ? JointRoutes.of(List.of(routes.tables(),
            new DestinationRoutes(new TurnProhibition().plan(traffic), demand).make().tables()), lanes, demand, seed) :
            routes.tables();
        tableWalk = TableWalk.of(tables, lanes, demand);
        tableProof = RoutingProof.of(tableWalk);
        result.put("lanes", count);
        putLoads(tableWalk.loads(), demand.busiestServer());
        result.put("tablesAcyclic", tableProof.isAcyclic());
        result.put("tablesReachablePairs", tableProof.reachablePairs());
        result.put("servers", fabric.serverCount());
        result.put("fatTree", routes.isFatTree());
        if (!joint)
        {
            result.put("consistentServers", routes.consistentServers());
            result.put("escapedServers", routes.escapedServers());
        }
        result.put("seconds", (System.nanoTime() - start) / 1e9);
        final double pathsThroughput = routes.pathLoads().throughput(demand.busiestServer());
        result.put("pathsThroughput", pathsThroughput);
        result.put("pathsAverageHops", routes.pathLoads().averageHops());
        if (throughput() < FEW * pathsThroughput)
        {
            result.put("warning", String.format(Locale.ROOT, "tables reach %.2f of the throughput of paths per pair; " +
                "switches that forward by destination have the former", throughput() / pathsThroughput));
        }
    }

    private void putLoads(final LinkLoads loads, final long serverLink)
    {
        throughput = loads.throughput(serverLink);
        averageHops = loads.averageHops();
        result.put("maxLinkLoad", (double)loads.max() / serverLink);
        result.put("throughput", throughput);
        result.put("averageHops", loads.averageHops());
    }

    /** Returns the throughput of the tables, or of the paths if there are no tables. */
    double throughput()
    {
        return throughput;
    }

    /** Returns whether both plans have proofs and this one has more throughput, or as much with shorter paths. */
    boolean isBetterThan(final FabricPlan other)
    {
        return holds() && (!other.holds() || throughput > other.throughput ||
            throughput == other.throughput && averageHops < other.averageHops);
    }

    Fabric fabric()
    {
        return fabric;
    }

    /** Returns the tables, or null if they are too large to be built. */
    ForwardingTables tables()
    {
        return tables;
    }

    Lanes lanes()
    {
        return lanes;
    }

    boolean holds()
    {
        return turnProof.holds() && (tableProof == null || tableProof.holds());
    }

    /** Writes the plan; {@code addresses} is null for those of an AddressPlan. */
    void write(final Path folder, final Addressing addresses) throws IOException
    {
        final StaticRoutes staticRoutes = tables == null ? null : addresses == null ?
            new StaticRoutes(tables) : new StaticRoutes(tables, addresses);
        Files.createDirectories(folder);
        TurnSetJson.write(folder, pairs, turns, tableWalk);
        if (tables != null)
        {
            staticRoutes.write(folder);
            if (lanes.count() > 1)
            {
                LaneFile.write(folder, fabric, lanes);
            }
            final OpenSmTables openSm = new OpenSmTables(tables);
            // OpenSM's engine "file" has one service level for all paths.
            if (openSm.isPossible() && lanes.count() == 1)
            {
                openSm.write(folder);
            }
        }
    }

    Map<String, Object> result()
    {
        return result;
    }
}
