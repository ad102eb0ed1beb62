package org.fibnuma.pfc.plot;

import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A plot of bars over categories, on an axis that starts at 0: the bars of a category stand beside each other, or are
 * stacked. Fluent; {@link #toSvg} draws what has been added.
 */
public final class BarPlot
{
    private static final double FILL = 0.8;
    /** Names of categories that are longer together are written upwards. */
    private static final int CHARACTERS_BESIDE = 90;
    private static final int UPWARDS = 60;
    private static final int PIXELS_OF_CHARACTER = 6;

    private final String title;
    private final String yLabel;
    private final List<String> categories;
    private final List<Bars> bars = new ArrayList<>();
    private boolean isStacked;

    /** Creates an empty plot with a title above, a label beside the y axis and the categories below the bars. */
    public BarPlot(final String title, final String yLabel, final List<String> categories)
    {
        this.title = title;
        this.yLabel = yLabel;
        this.categories = List.copyOf(categories);
    }

    /**
     * Adds a bar of one colour to each category.
     *
     * @param name   in the legend, not that of other bars.
     * @param values as many as there are categories, 0 or more; NaN for no bar.
     */
    public BarPlot bars(final String name, final double[] values)
    {
        bars.add(new Bars(name, values.clone()));
        return this;
    }

    /** Stacks the bars of each category, the first at the bottom. */
    public BarPlot stacked()
    {
        isStacked = true;
        return this;
    }

    /** {@return the plot as an SVG element; the same on every machine with the same fonts} */
    public String toSvg(final PlotTheme theme)
    {
        PlotFont.require();
        final boolean isBeside = categories.stream().mapToInt(String::length).sum() <= CHARACTERS_BESIDE;
        final int longest = categories.stream().mapToInt(String::length).max().orElse(0);
        final CategoryChart chart = new CategoryChartBuilder().width(SvgChart.WIDTH)
            .height(SvgChart.height(bars.size()) + (isBeside ? 0 : PIXELS_OF_CHARACTER * longest))
            .title(title).yAxisTitle(yLabel).build();
        SvgChart.style(chart.getStyler(), theme);
        chart.getStyler().setXAxisLabelRotation(isBeside ? 0 : UPWARDS);
        chart.getStyler().setStacked(isStacked).setAvailableSpaceFill(FILL);
        for (int i = 0; i < bars.size(); i++)
        {
            final CategorySeries series = chart.addSeries(bars.get(i).name, categories,
                Arrays.stream(bars.get(i).values).mapToObj(value -> Double.isNaN(value) ? null : value).toList());
            series.setFillColor(theme.series(i));
        }
        return SvgChart.draw(chart, bars.stream().map(Bars::name).toList());
    }

    private record Bars(String name, double[] values)
    {
    }
}
