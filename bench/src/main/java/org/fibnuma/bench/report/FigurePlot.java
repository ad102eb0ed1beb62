package org.fibnuma.bench.report;

import org.fibnuma.pfc.plot.BarPlot;
import org.fibnuma.pfc.plot.LinePlot;
import org.fibnuma.pfc.plot.PlotTheme;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Draws the values of a figure, those of the paper first. Of lines, those of the paper are dashed. */
final class FigurePlot
{
    private static final String PAPER = "paper: ";
    private static final String OURS = "ours: ";

    private FigurePlot()
    {
    }

    /** Returns the plot as SVG. Figures that are tables have none. */
    static String svg(final MeasuredFigure measured, final PlotTheme theme)
    {
        return switch (measured.figure().shape())
        {
            case LINES -> lines(measured, theme);
            case STACKED -> stacked(measured, theme);
            default -> bars(measured, theme);
        };
    }

    private static String lines(final MeasuredFigure measured, final PlotTheme theme)
    {
        final Figure figure = measured.figure();
        final LinePlot plot = new LinePlot(figure.title(), figure.columnsLabel(), figure.unit());
        final double[] columns = figure.columns().stream().mapToDouble(Double::parseDouble).toArray();
        for (final Series series : figure.paper())
        {
            final int[] points = points(series);
            plot.statement(PAPER + series.name(), at(columns, points), at(series.values(), points));
        }
        for (final Series series : measured.ours())
        {
            final int[] points = points(series);
            plot.line(OURS + series.name(), at(columns, points), at(series.values(), points));
        }
        return plot.toSvg(theme);
    }

    private static int[] points(final Series series)
    {
        return IntStream.range(0, series.values().length).filter(i -> !Double.isNaN(series.values()[i])).toArray();
    }

    private static double[] at(final double[] values, final int[] points)
    {
        return Arrays.stream(points).mapToDouble(i -> values[i]).toArray();
    }

    private static String bars(final MeasuredFigure measured, final PlotTheme theme)
    {
        final Figure figure = measured.figure();
        final BarPlot plot = new BarPlot(figure.title(), figure.unit(), figure.columns());
        figure.paper().forEach(series -> plot.bars(PAPER + series.name(), series.values()));
        measured.ours().forEach(series -> plot.bars(OURS + series.name(), series.values()));
        return plot.toSvg(theme);
    }

    private static String stacked(final MeasuredFigure measured, final PlotTheme theme)
    {
        final Figure figure = measured.figure();
        final List<String> names = new ArrayList<>();
        figure.paper().forEach(series -> names.add(PAPER + series.name()));
        measured.ours().forEach(series -> names.add(OURS + series.name()));
        final List<Series> all = new ArrayList<>(figure.paper());
        all.addAll(measured.ours());
        final BarPlot plot = new BarPlot(figure.title(), figure.unit(), names).stacked();
        for (int i = 0; i < figure.columns().size(); i++)
        {
            final int column = i;
            plot.bars(figure.columns().get(i), all.stream().mapToDouble(series -> series.values()[column]).toArray());
        }
        return plot.toSvg(theme);
    }
}
