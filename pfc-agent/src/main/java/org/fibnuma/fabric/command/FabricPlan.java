package org.fibnuma.fabric.command;

import org.fibnuma.fabric.export.Addressing;
import org.fibnuma.fabric.export.LaneFile;
import org.fibnuma.fabric.export.OpenSmTables;
import org.fibnuma.fabric.export.StaticRoutes;
import org.fibnuma.fabric.export.TurnSetJson;
import org.fibnuma.fabric.plan.BalancedPaths;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.LinkLoads;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.tables.DestinationRoutes;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.tables.JointRoutes;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnMethod;
import org.fibnuma.fabric.turns.TurnPairs;
import org.fibnuma.fabric.turns.TurnPlan;
import org.fibnuma.fabric.turns.TurnProhibition;
import org.fibnuma.fabric.turns.TurnTraffic;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** A plan: turns, proof of the turns, tables, proof of the tables. It is written only if both proofs hold. */
final class FabricPlan
{
    /** Tables with a smaller part of the throughput of paths are reported. */
    private static final double FEW = 0.9;

    private final Fabric fabric;
    private final Demand demand;
    private final TurnTraffic traffic;
    private final Map<String, Object> result = new LinkedHashMap<>();
    private TurnPlan turns;
    private RoutingProof turnProof;
    private RoutingProof tableProof;
    private DestinationRoutes routes;
    private ForwardingTables tables;
    private TableWalk tableWalk;
    private Lanes lanes;
    private long start;
    private long decided;
    private double seconds;
    private double throughput;
    private double averageHops;

    /** Starts a plan. The traffic of the turns is that of provisional paths without forbidden turns. */
    FabricPlan(final String method, final TurnTraffic traffic, final Demand demand)
    {
        result.put("method", method);
        this.traffic = traffic;
        this.fabric = traffic.pairs().fabric();
        this.demand = demand;
    }

    /**
     * Chooses the turns by a method and proves them. The time for provisional paths counts as this plan's even if
     * others use them too.
     */
    void decide(final TurnMethod method, final long provisionalNanos)
    {
        start = System.nanoTime() - provisionalNanos;
        final TurnPairs pairs = traffic.pairs();
        turns = method.plan(traffic);
        turnProof = RoutingProof.of(turns.allowed());
        result.put("turns", pairs.turnCount());
        result.put("forbiddenTurns", turns.allowed().forbiddenPairs(pairs));
        result.put("acyclic", turnProof.isAcyclic());
        result.put("cycle", CheckCommand.describe(fabric, turnProof.cycle()));
        result.put("reachablePairs", turnProof.reachablePairs());
        result.put("pairs", turnProof.pairs());
        decided = System.nanoTime();
        result.put("turnSeconds", (decided - start) / 1e9);
        result.put("order", turns.order());
    }

    /** Builds tables over the chosen turns and proves them. */
    void route()
    {
        lanes = Lanes.one(fabric);
        routes = new DestinationRoutes(turns, demand).make();
        tables = routes.tables();
        prove();
        result.put("consistentServers", routes.consistentServers());
        result.put("escapedServers", routes.escapedServers());
    }

    /**
     * Builds tables that may use turns of their own, chosen by what all routes need together, and proves them.
     *
     * @param own         returns further tables as a start; null for none.
     * @param prohibition returns a finished plan of turn prohibition whose tables may be a start too; null to plan one.
     * @param count       number of lanes.
     * @param seed        of the random choices.
     */
    void routeJointly(
        final Supplier<ForwardingTables> own,
        final Supplier<FabricPlan> prohibition,
        final int count,
        final long seed)
    {
        lanes = Lanes.regions(fabric, count);
        routes = new DestinationRoutes(turns, demand);
        final List<ForwardingTables> starts = new ArrayList<>();
        starts.add(routes.make().tables());
        if (own != null)
        {
            starts.add(own.get());
        }
        // In a large network a further plan is worth its time only if the first has no good trees.
        else if (!BalancedPaths.isLarge(fabric) || routes.escapedServers() > 0)
        {
            starts.add(prohibition != null ? prohibition.get().tables :
                new DestinationRoutes(new TurnProhibition().plan(traffic), demand).make().tables());
        }
        tables = JointRoutes.of(starts, lanes, demand, seed, () -> routes.pathLoads().max());
        prove();
    }

    private void prove()
    {
        tableWalk = TableWalk.of(tables, lanes, demand);
        tableProof = RoutingProof.of(tableWalk);
        result.put("lanes", lanes.count());
        final LinkLoads loads = tableWalk.loads();
        throughput = loads.throughput(demand.busiestServer());
        averageHops = loads.averageHops();
        result.put("maxLinkLoad", (double)loads.max() / demand.busiestServer());
        result.put("throughput", throughput);
        result.put("averageHops", averageHops);
        result.put("tablesAcyclic", tableProof.isAcyclic());
        result.put("tablesReachablePairs", tableProof.reachablePairs());
        result.put("servers", fabric.serverCount());
        result.put("fatTree", routes.isFatTree());
        final long proved = System.nanoTime();
        result.put("tableSeconds", (proved - decided) / 1e9);
        seconds = (proved - start) / 1e9;
        result.put("seconds", seconds);
    }

    /** Compares the tables with paths per pair, which large networks plan only for this. */
    void comparePaths()
    {
        final double pathsThroughput = routes.pathLoads().throughput(demand.busiestServer());
        result.put("pathsThroughput", pathsThroughput);
        result.put("pathsAverageHops", routes.pathLoads().averageHops());
        if (throughput < FEW * pathsThroughput)
        {
            result.put("warning", String.format(Locale.ROOT, "tables reach %.2f of the throughput of paths per pair; " +
                "switches that forward by destination have the former", throughput / pathsThroughput));
        }
    }

    double throughput()
    {
        return throughput;
    }

    /** Returns the time for provisional paths, turns, tables and their proofs, without plans of other methods. */
    double seconds()
    {
        return seconds;
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
        return turnProof.holds() && tableProof.holds();
    }

    /** Writes the plan; {@code addresses} is null for those of an AddressPlan. */
    void write(final Path folder, final Addressing addresses) throws IOException
    {
        final StaticRoutes staticRoutes =
            addresses == null ? new StaticRoutes(tables) : new StaticRoutes(tables, addresses);
        Files.createDirectories(folder);
        TurnSetJson.write(folder, traffic.pairs(), turns, tableWalk);
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

    Map<String, Object> result()
    {
        return result;
    }
}
