package org.fibnuma.pfc.plot;

import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Locale;

/** Size, style and encoding of all plots. */
final class SvgChart
{
    static final int WIDTH = 680;

    private static final int HEIGHT = 400;
    /** Of a line of the legend, which is below the axes. */
    private static final int LEGEND_LINE = 22;
    private static final int MARK = 7;

    private SvgChart()
    {
    }

    /** Returns the height in pixels of a plot with a number of names in the legend. */
    static int height(final int names)
    {
        return HEIGHT + LEGEND_LINE * names;
    }

    static void style(final AxesChartStyler styler, final PlotTheme theme)
    {
        styler.setLocale(Locale.ROOT).setMarkerSize(MARK).setDecimalPattern("#,##0.###");
        styler.setLegendPosition(LegendPosition.OutsideS);
        styler.setChartTitleFont(PlotFont.of(Font.BOLD, 15)).setLegendFont(PlotFont.of(Font.PLAIN, 12));
        styler.setAxisTitleFont(PlotFont.of(Font.PLAIN, 13)).setAxisTickLabelsFont(PlotFont.of(Font.PLAIN, 12));
        styler.setAnnotationTextFont(PlotFont.of(Font.PLAIN, 12));
        styler.setChartBackgroundColor(theme.background()).setChartFontColor(theme.text());
        styler.setLegendBackgroundColor(theme.background()).setLegendBorderColor(theme.background());
        styler.setPlotBackgroundColor(theme.background()).setPlotBorderColor(theme.grid());
        styler.setPlotGridLinesColor(theme.grid()).setAxisTickMarksColor(theme.grid());
        styler.setAxisTickLabelsColor(theme.text()).setXAxisTitleColor(theme.text()).setYAxisTitleColor(theme.text());
        styler.setAnnotationTextFontColor(theme.text()).setAnnotationLineColor(theme.text());
        styler.setYAxisMin(0.0);
    }

    /**
     * Draws a chart.
     *
     * @param chart to draw.
     * @param names of its series. Letters are drawn as outlines, so that title and names are also in the elements for
     *              readers of screens.
     */
    static String draw(final Chart<?, ?> chart, final Collection<String> names)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try
        {
            VectorGraphicsEncoder.saveVectorGraphic(chart, bytes, VectorGraphicsFormat.SVG);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        // Hundredths of a pixel; more digits double the size.
        final String document = bytes.toString(StandardCharsets.UTF_8).replaceAll("(\\.\\d\\d)\\d+", "$1");
        // Without the declarations before it, which name a DTD of the network.
        final int root = document.indexOf("<svg");
        final int content = document.indexOf('>', root) + 1;
        return document.substring(root, content) + "<title>" + escaped(chart.getTitle()) + "</title><desc>" +
            escaped(String.join("; ", names)) + "</desc>" + document.substring(content).stripTrailing() + "\n";
    }

    private static String escaped(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
