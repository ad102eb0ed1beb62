package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.topology.JoinLevel;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.pfc.plot.LinePlot;
import org.fibnuma.pfc.plot.PlotTheme;

import java.util.Locale;

/**
 * Figure 22: two trees joined at the top, in the middle and at the bottom, and at the top without one cable. The last
 * is figure 9 of the paper, where Up*&#47;Down* loses bandwidth inside the trees by section 3.2.2.
 */
final class JoinFigure implements Evaluation
{
    static final String NAME = "figure22";

    private final long seed;
    private final int ports;
    private final boolean byTables;
    private int unproved;

    /**
     * Creates the figure; the paper does not state the size of the trees.
     *
     * @param seed     of ties.
     * @param ports    of a switch.
     * @param byTables whether tables by destination are measured too.
     */
    JoinFigure(final long seed, final int ports, final boolean byTables)
    {
        this.byTables = byTables;
        this.seed = seed;
        this.ports = ports;
    }

    @Override
    public CsvTable measure()
    {
        final CsvTable table =
            new CsvTable(NAME, "joined", "place", "servers", "method", "inside", "between", "betweenBalanced",
                "insideByTables", "betweenByTables", "paper");
        for (final JoinLevel join : JoinLevel.values())
        {
            for (final Method method : Method.values())
            {
                final JoinedFatTrees trees = JoinedFatTrees.joined(ports, join);
                final TreeMeasurement measurement = new TreeMeasurement(trees, method, seed, byTables);
                unproved += measurement.isProved() || method == Method.ADDITION_PAPER ? 0 : 1;
                table.add(
                    join.name().toLowerCase(Locale.ROOT).replace('_', '-'), join.ordinal() + 1,
                    trees.serversPerTree(), method.label(), measurement.inside(), measurement.between(),
                    measurement.betweenBalanced(), measurement.insideByTables(), measurement.betweenByTables(),
                    paper(join, method));
            }
        }
        return table;
    }

    private static String paper(final JoinLevel join, final Method method)
    {
        final String inside = method == Method.UP_DOWN ?
            join == JoinLevel.BOTTOM ? "inside no statement" :
            join == JoinLevel.TOP ? "inside full (3.2.2) or falls (5.3.1)" : "inside falls" : "inside full";
        switch (join)
        {
            case TOP:
            case TOP_BUT_ONE:
                return inside + "; between high";
            case MIDDLE:
                return inside + "; between " + (method == Method.ADDITION || method == Method.ADDITION_PAPER ?
                    "high" : method == Method.UP_DOWN ? "no statement" : "low");
            default:
                return inside + "; between low";
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
        final LinePlot plot = new LinePlot("Figure 22: where two trees are joined (paper: low between at 3)",
            "joined at 1 top, 2 middle, 3 bottom, 4 top without one cable", "throughput");
        for (final Method method : Method.values())
        {
            final double[] x = table.column("place", row -> row.get("method").equals(method.label()));
            plot.line(method.label() + ", between", x,
                table.column("between", row -> row.get("method").equals(method.label())));
        }
        plot.line("updown, inside", table.column("place", row -> row.get("method").equals("updown")),
            table.column("inside", row -> row.get("method").equals("updown")));
        return plot.statement("paper: addition and tp inside", new double[]{1, 4}, new double[]{1, 1})
            .toSvg(PlotTheme.LIGHT);
    }
}
