package org.fibnuma.pfc.plot;

import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

import javax.xml.parsers.DocumentBuilderFactory;
import java.awt.Color;
import java.awt.GraphicsEnvironment;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Plots are XML, with the names of all series, and a mark or bar for each value. */
class PlotTest
{
    private static final double[] X = {1, 2, 3, 4};

    @ParameterizedTest
    @EnumSource
    void shouldMarkEachPointOfALine(final PlotTheme theme) throws Exception
    {
        final String svg = new LinePlot("a <title> & more", "x", "y")
            .line("first", X, new double[] {1, 4, 9, 16})
            .line("second", X, new double[] {2, 3, 5, 7})
            .statement("stated", new double[] {1, 4}, new double[] {5, 5})
            .vertical(2, "here").toSvg(theme);
        final Document plot = parsed(svg);
        assertEquals("a <title> & more", text(plot, "title"));
        assertEquals("first; second; stated; here", text(plot, "desc"));
        // One more is in the legend.
        assertEquals(5, filled(plot, theme, 0, "ellipse"));
        assertEquals(5, filled(plot, theme, 1, "ellipse"));
        assertEquals(0, filled(plot, theme, 2, "ellipse"));
        assertTrue(GraphicsEnvironment.isHeadless());
    }

    @ParameterizedTest
    @EnumSource
    void shouldDrawABarForEachValue(final PlotTheme theme) throws Exception
    {
        final BarPlot bars = new BarPlot("bars", "y", List.of("a", "b", "c"))
            .bars("first", new double[] {1, Double.NaN, 3}).bars("second", new double[] {3, 2, 1});
        for (final String svg : List.of(bars.toSvg(theme), bars.stacked().toSvg(theme)))
        {
            final Document plot = parsed(svg);
            assertEquals("first; second", text(plot, "desc"));
            assertEquals(2, filled(plot, theme, 0, "path"));
            assertEquals(3, filled(plot, theme, 1, "path"));
        }
    }

    /** Before the sweep, which takes minutes. */
    @Test
    void shouldSayAtOnceThatTheHostHasNoFont(@TempDir final Path directory) throws IOException
    {
        final Path fonts = Files.writeString(directory.resolve("fonts.conf"), "<fontconfig></fontconfig>");
        final List<String> command = new ArrayList<>(List.of("env", "FONTCONFIG_FILE=" + fonts));
        // The JVM stores below the user's folder which fonts it has found.
        command.addAll(List.of(JavaProgram.command(
            List.of("-Duser.home=" + directory), "org.fibnuma.pfc.command.PfcCommand", "simulate",
            "--sweep", "--output", directory.resolve("sweep").toString())));
        try (ChildProcess program = ChildProcess.start(command.toArray(String[]::new)))
        {
            assertEquals(1, program.awaitExit(Duration.ofSeconds(60)));
            assertEquals(1, program.errors().size(), program.errors()::toString);
            assertTrue(program.errors().get(0).startsWith("fibnuma: plots need a font: "), program.errors()::toString);
        }
        assertFalse(Files.exists(directory.resolve("sweep")));
    }

    @ParameterizedTest
    @EnumSource
    void shouldDrawTheSameAgain(final PlotTheme theme)
    {
        final LinePlot plot = new LinePlot("t", "x", "y").line("first", X, X);
        assertEquals(plot.toSvg(theme), plot.toSvg(theme));
    }

    private static Document parsed(final String svg) throws Exception
    {
        assertTrue(svg.startsWith("<svg ") && svg.endsWith("</svg>\n"), svg);
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static String text(final Document plot, final String element)
    {
        return plot.getElementsByTagName(element).item(0).getTextContent();
    }

    /** Counts the elements that are filled with the colour of a series. */
    private static long filled(final Document plot, final PlotTheme theme, final int series, final String element)
    {
        final Color color = theme.series(series);
        final String fill =
            String.format("fill:rgb(%d,%d,%d)", color.getRed(), color.getGreen(), color.getBlue());
        final var elements = plot.getElementsByTagName(element);
        return IntStream.range(0, elements.getLength()).mapToObj(i -> (Element)elements.item(i))
            .filter(each -> each.getAttribute("style").contains(fill)).count();
    }
}
