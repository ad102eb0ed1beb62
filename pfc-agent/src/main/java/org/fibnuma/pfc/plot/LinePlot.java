package org.fibnuma.pfc.plot;

import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A plot of lines over linear axes that start at 0. Fluent; {@link #toSvg} draws what has been added. */
public final class LinePlot
{
    private final String title;
    private final String xLabel;
    private final String yLabel;
    private final List<Line> lines = new ArrayList<>();
    private double verticalX = Double.NaN;
    private String verticalLabel = "";

    /** Creates an empty plot with a title above, a label below the x axis and a label beside the y axis. */
    public LinePlot(final String title, final String xLabel, final String yLabel)
    {
        this.title = title;
        this.xLabel = xLabel;
        this.yLabel = yLabel;
    }

    /**
     * Adds a solid line with a mark at each point, for measurements.
     *
     * @param name in the legend, not that of another line.
     * @param x    values, 0 or more, at least one.
     * @param y    as many values, 0 or more.
     */
    public LinePlot line(final String name, final double[] x, final double[] y)
    {
        lines.add(new Line(name, x.clone(), y.clone(), false));
        return this;
    }

    /** Adds a dashed line without marks, for stated values, as {@link #line}. */
    public LinePlot statement(final String name, final double[] x, final double[] y)
    {
        lines.add(new Line(name, x.clone(), y.clone(), true));
        return this;
    }

    /** Sets the vertical line at a position on the x axis, with a label at its upper end. */
    public LinePlot vertical(final double x, final String label)
    {
        verticalX = x;
        verticalLabel = label;
        return this;
    }

    /** {@return the plot as an SVG element; the same on every machine with the same fonts} */
    public String toSvg(final PlotTheme theme)
    {
        PlotFont.require();
        final XYChart chart = new XYChartBuilder().width(SvgChart.WIDTH).height(SvgChart.height(lines.size()))
            .title(title).xAxisTitle(xLabel).yAxisTitle(yLabel).build();
        SvgChart.style(chart.getStyler(), theme);
        chart.getStyler().setXAxisMin(0.0);
        for (int i = 0; i < lines.size(); i++)
        {
            final Line line = lines.get(i);
            final XYSeries series = chart.addSeries(line.name, line.x, line.y);
            series.setMarker(line.isStatement ? SeriesMarkers.NONE : SeriesMarkers.CIRCLE);
            series.setLineStyle(line.isStatement ? SeriesLines.DASH_DASH : SeriesLines.SOLID);
            series.setLineColor(theme.series(i));
            series.setMarkerColor(theme.series(i));
        }
        final List<String> names = new ArrayList<>(lines.stream().map(Line::name).toList());
        if (!Double.isNaN(verticalX))
        {
            final double top = lines.stream().flatMapToDouble(line -> Arrays.stream(line.y)).max().orElse(1);
            chart.addAnnotation(new AnnotationLine(verticalX, true, false));
            chart.addAnnotation(new AnnotationText(verticalLabel, verticalX, top, false));
            names.add(verticalLabel);
        }
        return SvgChart.draw(chart, names);
    }

    private record Line(String name, double[] x, double[] y, boolean isStatement)
    {
    }
}
