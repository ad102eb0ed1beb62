package org.fibnuma.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.UserException;
import org.fibnuma.pfc.plot.PlotTheme;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The forms of the report have the same values, and a command that fails becomes a reason. */
class ReportTest
{
    private static final List<String> COMMAND = List.of("bench", "x", "--out", "a b");
    private static final List<String> FAILING = List.of("bench", "y");

    private final List<List<String>> runs = new ArrayList<>();
    private final Measurements measurements = new Measurements(command ->
    {
        runs.add(command);
        if (command.equals(FAILING))
        {
            throw new UserException("needs <root>: run it with sudo");
        }
        return new Measurements.Output("{\"results\": [{\"name\": \"a\", \"ns\": 1234567.8}, {\"name\": \"b\"}]}",
            List.of("left out: memif: no DPDK", "other"));
    });

    @Test
    void shouldMeasureOnceAndRound()
    {
        final MeasuredFigure measured = MeasuredFigure.of(figure("thesis-1.6", COMMAND), measurements);
        MeasuredFigure.of(figure("thesis-1.7", COMMAND), measurements);
        assertEquals(List.of(COMMAND), runs);
        assertNull(measured.missing());
        assertEquals(List.of("1,234,568", "0.123", "-"), measured.ours().get(0).texts());
        assertEquals(List.of("./fibnuma bench x --out 'a b'"), measured.commands());
        assertEquals(List.of("memif: no DPDK"), measured.leftOut());
    }

    @Test
    void shouldGiveTheReasonOfAFailureAndGoOn()
    {
        final MeasuredFigure failed = MeasuredFigure.of(figure("thesis-1.6", FAILING), measurements);
        assertEquals("needs <root>: run it with sudo", failed.missing());
        assertTrue(failed.ours().isEmpty());
        assertNull(MeasuredFigure.of(figure("thesis-1.7", COMMAND), measurements).missing());
    }

    @Test
    void shouldSayThatAResultHasNoSuchValue()
    {
        final Figure figure = figure("thesis-1.6", COMMAND).measured(List.of(COMMAND), results ->
            List.of(new Series("none", Rows.of(results.result(COMMAND).path("absent")).number("/ns"))));
        assertEquals("the command has no such result on this machine",
            MeasuredFigure.of(figure, measurements).missing());
    }

    @Test
    void shouldHaveTheSameValuesInEachForm() throws Exception
    {
        final Report report = new Report(List.of(MeasuredFigure.of(figure("thesis-1.6", COMMAND), measurements),
            MeasuredFigure.of(figure("pause-4", FAILING), measurements)), "fibnuma bench report",
            Map.of("processor", "a|b <c>"), 1.5);
        final String html = HtmlPage.of(report);
        final String markdown = MarkdownPage.of(report);
        final JsonNode json = new ObjectMapper().valueToTree(report.toMap());
        assertEquals("thesis-1.6", json.at("/figures/0/id").asText());
        for (final String by : List.of("paper", "ours"))
        {
            for (final JsonNode series : json.at("/figures/0/" + by))
            {
                final List<String> cells = new ArrayList<>();
                series.path("values").forEach(value -> cells.add(value.isNull() ? "-" : value.asText()));
                assertTrue(html.replaceAll("(?<=\\d),(?=\\d{3})", "")
                    .contains("<td>" + String.join("</td><td>", cells) + "</td></tr>"), series + " " + html);
                assertTrue(markdown.replaceAll("(?<=\\d),(?=\\d{3})", "")
                    .contains("| " + String.join(" | ", cells) + " |"), series + " " + markdown);
            }
        }
        assertEquals("needs <root>: run it with sudo", json.at("/figures/1/missing").asText());
        assertTrue(html.contains("Not measured: needs &lt;root&gt;: run it with sudo") && html.contains("a|b " +
            "&lt;c&gt;"));
        assertTrue(html.contains("<td>x &lt;y&gt; &amp; &quot;z&quot;</td>"), html);
        assertTrue(markdown.contains("a\\|b \\<c\\>") && markdown.contains("x \\<y\\> &amp; \"z\""), markdown);
        assertFalse(html.contains("<script"));
        assertEquals(HardwareOnly.ALL.size(), json.path("hardwareOnly").size());
    }

    @Test
    void shouldDrawEachShape()
    {
        for (final Figure.Shape shape : List.of(Figure.Shape.LINES, Figure.Shape.BARS, Figure.Shape.STACKED))
        {
            final Figure figure = new Figure("thesis-1.6", "t", shape, "s").columns("n", "1", "2")
                .paper("p", 1, Double.NaN).measured(List.of(COMMAND), results -> List.of(new Series("q", 3, 4)));
            final MeasuredFigure measured = MeasuredFigure.of(figure, measurements);
            assertTrue(measured.isDrawn());
            final String svg = FigurePlot.svg(measured, PlotTheme.DARK);
            assertTrue(svg.contains(shape == Figure.Shape.STACKED ? "<desc>1; 2<" : "<desc>paper: p; ours: q<"), svg);
        }
    }

    private static Figure figure(final String id, final List<String> command)
    {
        return new Figure(id, "t", Figure.Shape.TABLE, "ns").columns("n", "1", "2", "3")
            .paper("x <y> & \"z\"", 1_488_095, 22.58, Double.NaN)
            .measured(List.of(command), results -> List.of(
                new Series("first", Rows.of(results.result(command).path("results")).where("name", "a").number("/ns"),
                    0.12345, Rows.of(results.result(command).path("results")).where("name", "b").number("/ns")),
                new Series("empty", Double.NaN, Double.NaN, Double.NaN)));
    }
}
