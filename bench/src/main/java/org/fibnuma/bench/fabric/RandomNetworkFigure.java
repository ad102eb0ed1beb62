package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.plan.BalancedPaths;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.LinkLoads;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.RandomNetwork;
import org.fibnuma.fabric.turns.TurnPairs;
import org.fibnuma.fabric.turns.TurnPlan;
import org.fibnuma.fabric.turns.TurnSet;
import org.fibnuma.fabric.turns.TurnTraffic;
import org.fibnuma.pfc.plot.LinePlot;
import org.fibnuma.pfc.plot.PlotTheme;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Figure 21: mean throughput of random networks of 10 to 100 switches, each with 10 ports to other switches and 10
 * servers.
 */
final class RandomNetworkFigure implements Evaluation
{
    static final String NAME = "figure21";
    private static final List<Method> METHODS =
        List.of(Method.ADDITION, Method.ADDITION_PAPER, Method.PROHIBITION, Method.UP_DOWN);
    private static final int PORTS = 10;
    private static final int SERVERS = 10;
    private static final int STEP = 10;
    /** Section 5.2 has 2.08, the abstract 2.05. */
    private static final double PAPER_OVER_UP_DOWN = 2.08;

    private final long seed;
    private final int networks;
    private final int largest;
    private final boolean byTables;
    private int unproved;

    /**
     * Creates the figure.
     *
     * @param seed     of networks and ties.
     * @param networks of each size.
     * @param largest  switches of the largest networks.
     * @param byTables whether tables by destination are measured too.
     */
    RandomNetworkFigure(final long seed, final int networks, final int largest, final boolean byTables)
    {
        this.byTables = byTables;
        this.seed = seed;
        this.networks = networks;
        this.largest = largest;
    }

    @Override
    public CsvTable measure()
    {
        final List<String> columns = new ArrayList<>(List.of("switches", "turn-addition", "turn-addition-paper", "tp",
            "updown", "unrestricted", "additionOverUpDown", "additionOverTp", "paper"));
        if (byTables)
        {
            METHODS.forEach(method -> columns.add(method.label() + "-by-tables"));
        }
        final CsvTable table = new CsvTable(NAME, columns.toArray(new String[0]));
        for (int switches = STEP; switches <= largest; switches += STEP)
        {
            final double[] mean = mean(switches);
            final List<Object> row = new ArrayList<>(List.of(switches, mean[0], mean[1], mean[2], mean[3], mean[4],
                mean[0] / mean[3], mean[0] / mean[2], paper(switches)));
            for (int i = METHODS.size() + 1; i < mean.length; i++)
            {
                row.add(mean[i]);
            }
            table.add(row.toArray());
        }
        return table;
    }

    private static String paper(final int switches)
    {
        if (switches < 2 * STEP)
        {
            return "no statement";
        }
        return "over updown" + (switches == 100 ? " 2.05 to 2.08 times" : "") + "; about as tp";
    }

    /**
     * Measures the networks of one size.
     *
     * @param switches of each network.
     * @return mean throughput of the methods in the order of the columns, then without forbidden turns, then that of
     *         the methods' tables if they are measured.
     */
    double[] mean(final int switches)
    {
        final double[] sum = new double[METHODS.size() + 1 + (byTables ? METHODS.size() : 0)];
        for (int network = 0; network < networks; network++)
        {
            final Random random = new Random(seed * 1_000_003 + switches * 101L + network);
            final Fabric fabric = RandomNetwork.generate(switches, PORTS, SERVERS, random);
            final TurnTraffic traffic = new TurnTraffic(new TurnPairs(fabric));
            final LinkLoads loads = new LinkLoads(fabric);
            final Demand demand = Demand.uniform(fabric);
            new BalancedPaths(TurnSet.everything(fabric), demand).choose((channels, length, weight) ->
            {
                traffic.onPath(channels, length, weight);
                loads.onPath(channels, length, weight);
            });
            for (int i = 0; i < METHODS.size(); i++)
            {
                sum[i] += throughput(METHODS.get(i), traffic, demand) / networks;
            }
            for (int i = 0; i < METHODS.size() && byTables; i++)
            {
                sum[METHODS.size() + 1 + i] += tableThroughput(METHODS.get(i), traffic, demand) / networks;
            }
            sum[METHODS.size()] += loads.throughput(demand.busiestServer()) / networks;
        }
        return sum;
    }

    private double throughput(final Method method, final TurnTraffic traffic, final Demand demand)
    {
        final TurnPlan plan = method.planner(seed).plan(traffic);
        final LinkLoads loads = new LinkLoads(plan.allowed().fabric());
        new BalancedPaths(plan.allowed(), demand).choose(loads);
        unproved += RoutingProof.of(plan.allowed()).holds() || method == Method.ADDITION_PAPER ? 0 : 1;
        return loads.throughput(demand.busiestServer());
    }

    private double tableThroughput(final Method method, final TurnTraffic traffic, final Demand demand)
    {
        final TableWalk walk = TableWalk.of(method.tables(traffic, demand, seed), demand);
        unproved += RoutingProof.of(walk).holds() || method == Method.ADDITION_PAPER ? 0 : 1;
        return walk.loads().throughput(demand.busiestServer());
    }

    @Override
    public int unproved()
    {
        return unproved;
    }

    @Override
    public String plot(final CsvTable table)
    {
        final double[] x = table.column("switches");
        final LinePlot plot = new LinePlot(
            "Figure 21: random networks, mean throughput", "switches", "throughput, 1.00 a server");
        METHODS.forEach(method -> plot.line(method.label(), x, table.column(method.label())));
        plot.line("no turn forbidden", x, table.column("unrestricted"));
        final double[] upDown = table.column(Method.UP_DOWN.label());
        final int last = upDown.length - 1;
        return plot.statement("paper: 2.08 times updown at 100", new double[]{x[0], x[last]},
            new double[]{PAPER_OVER_UP_DOWN * upDown[last], PAPER_OVER_UP_DOWN * upDown[last]}).toSvg(PlotTheme.LIGHT);
    }
}
