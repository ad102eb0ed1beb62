package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.topology.JoinLevel;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.pfc.plot.LinePlot;
import org.fibnuma.pfc.plot.PlotTheme;

/** Figure 25: two trees of 16, 128, 1,024 and 8,192 servers each, joined in the middle. */
final class SizeFigure implements Evaluation
{
    static final String NAME = "figure25";
    /** Section 5.3.2, at 8,192 servers. */
    static final double PAPER_OVER_TP = 4.77;
    private static final int SMALLEST = 4;
    private static final int LARGEST = 32;
    /** Larger trees take minutes for each method. */
    private static final int LARGEST_WITH_TABLES = 8;

    private final long seed;
    private final int largest;
    private final boolean byTables;
    private int unproved;

    /**
     * Creates the figure.
     *
     * @param seed     of ties.
     * @param largest  most ports of a switch.
     * @param byTables whether tables by destination are measured too, up to {@value #LARGEST_WITH_TABLES} ports.
     */
    SizeFigure(final long seed, final int largest, final boolean byTables)
    {
        this.byTables = byTables;
        this.seed = seed;
        this.largest = largest;
    }

    @Override
    public CsvTable measure()
    {
        final CsvTable table =
            new CsvTable(NAME, "servers", "ports", "method", "inside", "between", "additionOverThis",
                "betweenBalanced", "insideByTables", "betweenByTables", "paper");
        for (int ports = SMALLEST; ports <= largest; ports *= 2)
        {
            final JoinedFatTrees trees = JoinedFatTrees.joined(ports, JoinLevel.MIDDLE);
            double added = 0;
            for (final Method method : Method.values())
            {
                final TreeMeasurement measurement =
                    new TreeMeasurement(trees, method, seed, byTables && ports <= LARGEST_WITH_TABLES);
                unproved += measurement.isProved() || method == Method.ADDITION_PAPER ? 0 : 1;
                final double between = measurement.between();
                added = method == Method.ADDITION ? between : added;
                table.add(trees.serversPerTree(), ports, method.label(), measurement.inside(), between,
                    added / between, measurement.betweenBalanced(), measurement.insideByTables(),
                    measurement.betweenByTables(), paper(method, ports));
            }
        }
        return table;
    }

    private static String paper(final Method method, final int ports)
    {
        switch (method)
        {
            case UP_DOWN:
                return "inside falls with size; between high";
            case ADDITION:
            case ADDITION_PAPER:
                return "inside 1.00; between above tp, lower at 128 than at 16, then rising";
            default:
                return "inside 1.00; between falls with size" +
                    (ports == LARGEST ? ", addition " + PAPER_OVER_TP + " times this" : "");
        }
    }

    @Override
    public int unproved()
    {
        return unproved;
    }

    @Override
    public String plot(final CsvTable table)
    {
        final LinePlot plot = new LinePlot(
            "Figure 25: trees of 16 (k = 4) to 8,192 (k = 32) servers", "ports of a switch, k", "throughput");
        for (final Method method : Method.values())
        {
            plot.line(method.label() + ", between",
                table.column("ports", row -> row.get("method").equals(method.label())),
                table.column("between", row -> row.get("method").equals(method.label())));
        }
        final double[] x = table.column("ports", row -> row.get("method").equals("updown"));
        plot.line("updown, inside", x, table.column("inside", row -> row.get("method").equals("updown")));
        return plot.statement("paper: addition and tp inside", new double[]{x[0], x[x.length - 1]},
            new double[]{1, 1}).toSvg(PlotTheme.LIGHT);
    }
}
