package org.fibnuma.pfc.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A plot of lines over linear axes that start at 0. Fluent; {@link #toSvg()} draws what has been added. */
public final class SvgLinePlot
{
    private static final int WIDTH = 860;
    private static final int HEIGHT = 480;
    private static final int LEFT = 80;
    private static final int RIGHT = 610;
    private static final int TOP = 50;
    private static final int BOTTOM = 420;
    private static final int LEGEND_X = RIGHT + 20;
    private static final int LEGEND_STEP = 20;
    private static final int TICKS = 5;
    private static final String[] COLORS =
        {"#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#17becf", "#7f7f7f", "#bcbd22"};

    private final String title;
    private final String xLabel;
    private final String yLabel;
    private final List<Line> lines = new ArrayList<>();
    private double verticalX = Double.NaN;
    private String verticalLabel = "";

    /** Creates an empty plot with a title above, a label below the x axis and a label beside the y axis. */
    public SvgLinePlot(final String title, final String xLabel, final String yLabel)
    {
        this.title = title;
        this.xLabel = xLabel;
        this.yLabel = yLabel;
    }

    /**
     * Adds a solid line with a mark at each point, for measurements.
     *
     * @param name in the legend.
     * @param x    values, 0 or more.
     * @param y    as many values, 0 or more.
     */
    public SvgLinePlot line(final String name, final double[] x, final double[] y)
    {
        lines.add(new Line(name, x.clone(), y.clone(), false));
        return this;
    }

    /** Adds a dashed line without marks, for stated values, as {@link #line}. */
    public SvgLinePlot statement(final String name, final double[] x, final double[] y)
    {
        lines.add(new Line(name, x.clone(), y.clone(), true));
        return this;
    }

    /** Sets the vertical line at a position on the x axis, with a label beside its upper end. */
    public SvgLinePlot vertical(final double x, final String label)
    {
        verticalX = x;
        verticalLabel = label;
        return this;
    }

    /** {@return the plot as an SVG document} */
    public String toSvg()
    {
        final double maxX = lines.stream().flatMapToDouble(line -> Arrays.stream(line.x)).max().orElse(1);
        final double maxY = roundUp(
            lines.stream().flatMapToDouble(line -> Arrays.stream(line.y)).max().orElse(1));
        final StringBuilder svg = new StringBuilder();
        append(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\"" +
            " font-size=\"12\">%n", WIDTH, HEIGHT);
        append(svg, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n", WIDTH, HEIGHT);
        text(svg, (LEFT + RIGHT) / 2.0, TOP - 20.0, "middle", title);
        text(svg, (LEFT + RIGHT) / 2.0, BOTTOM + 45.0, "middle", xLabel);
        append(svg, "<text transform=\"translate(20,%d) rotate(-90)\" text-anchor=\"middle\">%s</text>%n",
            (TOP + BOTTOM) / 2, escaped(yLabel));
        appendAxes(svg, maxX, maxY);
        for (int i = 0; i < lines.size(); i++)
        {
            appendLine(svg, lines.get(i), i, maxX, maxY);
        }
        if (!Double.isNaN(verticalX))
        {
            final double x = place(verticalX, maxX, LEFT, RIGHT);
            append(svg, "<path d=\"M%.1f %d V%d\" stroke=\"#444\" stroke-dasharray=\"2 3\"/>%n", x, TOP, BOTTOM);
            text(svg, x + 4, TOP + 12.0, "start", verticalLabel);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void appendAxes(final StringBuilder svg, final double maxX, final double maxY)
    {
        append(svg, "<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"black\"/>%n", LEFT, TOP, BOTTOM, RIGHT);
        for (int tick = 0; tick <= TICKS; tick++)
        {
            final double value = maxY * tick / TICKS;
            final double y = place(value, maxY, BOTTOM, TOP);
            append(svg, "<path d=\"M%d %.1f H%d\" stroke=\"#ddd\"/>%n", LEFT, y, RIGHT);
            text(svg, LEFT - 8.0, y + 4, "end", number(value));
        }
        for (int x = 0; x <= (int)maxX; x += Math.max(1, (int)maxX / 10))
        {
            text(svg, place(x, maxX, LEFT, RIGHT), BOTTOM + 20.0, "middle", number(x));
        }
    }

    private static void appendLine(
        final StringBuilder svg, final Line line, final int index, final double maxX, final double maxY)
    {
        final String color = COLORS[index % COLORS.length];
        final StringBuilder path = new StringBuilder();
        final StringBuilder marks = new StringBuilder();
        for (int i = 0; i < line.x.length; i++)
        {
            final double x = place(line.x[i], maxX, LEFT, RIGHT);
            final double y = place(line.y[i], maxY, BOTTOM, TOP);
            append(path, "%s%.1f %.1f ", i == 0 ? "M" : "L", x, y);
            if (!line.isStatement)
            {
                append(marks, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", x, y, color);
            }
        }
        final String dashes = line.isStatement ? " stroke-dasharray=\"6 4\"" : "";
        final double legendY = TOP + 10.0 + index * LEGEND_STEP;
        append(svg, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"%s/>%n",
            path.toString().strip(), color, dashes);
        svg.append(marks);
        append(svg, "<path d=\"M%d %.1f h24\" stroke=\"%s\" stroke-width=\"1.5\"%s/>%n",
            LEGEND_X, legendY, color, dashes);
        text(svg, LEGEND_X + 30.0, legendY + 4, "start", line.name);
    }

    private static void text(
        final StringBuilder svg, final double x, final double y, final String anchor, final String content)
    {
        append(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, escaped(content));
    }

    private static void append(final StringBuilder target, final String format, final Object... values)
    {
        target.append(String.format(Locale.ROOT, format.replace("%n", "\n"), values));
    }

    private static String escaped(final String content)
    {
        return content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static double place(final double value, final double max, final int from, final int to)
    {
        return from + value / max * (to - from);
    }

    private static String number(final double value)
    {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) :
            String.format(Locale.ROOT, "%.2f", value);
    }

    /** Rounds up to 1, 1.5, 2, 3, 4, 5, 7.5 or 10 times a power of ten. */
    private static double roundUp(final double value)
    {
        final double power = Math.pow(10, Math.floor(Math.log10(Math.max(value, 1e-9))));
        for (final double step : new double[]{1, 1.5, 2, 3, 4, 5, 7.5})
        {
            if (value <= step * power)
            {
                return step * power;
            }
        }
        return 10 * power;
    }

    private record Line(String name, double[] x, double[] y, boolean isStatement)
    {
    }
}
