package org.fibnuma.bench.fabric;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.fabric.plan.FatTreePaths;
import org.fibnuma.fabric.topology.JoinLevel;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.turns.TurnAddition;
import org.fibnuma.fabric.turns.TurnTraffic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Repeats the figures with small sizes and compares them with the paper's statements. */
class EvaluateCommandTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldRepeatFiguresAndTable() throws IOException
    {
        final JsonNode result = measure("--networks", "3", "--largest-network", "40", "--largest-ports", "16");
        for (final JsonNode row : result.path("figure21"))
        {
            assertTrue(row.path("switches").asInt() < 20 || row.path("additionOverUpDown").asDouble() > 1, "" + row);
            assertTrue(row.path("additionOverTp").asDouble() > 0.9, "" + row);
        }
        for (final JsonNode row : result.path("figure25"))
        {
            final String method = row.path("method").asText();
            assertTrue(method.equals("updown") || method.equals("tp-hundredth") ||
                row.path("inside").asDouble() == 1.0, "" + row);
            // Nothing exceeds 1: the cables carry what one tree sends.
            assertTrue(row.path("between").asDouble() <= 1.0, "" + row);
            assertTrue(row.path("betweenBalanced").asDouble() >= row.path("between").asDouble() - 1e-9, "" + row);
            assertTrue(row.path("additionOverThis").asDouble() > 1.2 || !method.startsWith("tp"), "" + row);
        }
        assertEquals(20, result.path("figure22").size());
        for (final JsonNode row : result.path("figure22"))
        {
            final String joined = row.path("joined").asText();
            final boolean falls = row.path("method").asText().equals("updown") &&
                (joined.equals("middle") || joined.equals("top-but-one"));
            assertTrue(row.path("method").asText().equals("tp-hundredth") ||
                falls == row.path("inside").asDouble() < 0.9, "" + row);
        }
        assertEquals(405, result.path("table2").get(4).path("forbidden").asInt());
        for (final String file : new String[]{
            "figure21.csv", "figure21.svg", "figure22.csv", "figure22.svg", "figure25.csv", "figure25.svg",
            "table2.csv"})
        {
            assertTrue(Files.size(folder.resolve(file)) > 100, file);
        }
    }

    @Test
    void shouldMeasureTablesBesidePaths()
    {
        final JsonNode result = measure("--by-tables", "--figure", "21", "--networks", "1",
            "--largest-network", "10", "--figure", "25", "--largest-ports", "4");
        final JsonNode random = result.path("figure21").path(0);
        assertTrue(random.path("turn-addition-by-tables").asDouble() >= random.path("tp-by-tables").asDouble());
        assertTrue(random.path("turn-addition-by-tables").asDouble() >= random.path("updown-by-tables").asDouble());
        final JsonNode added = result.path("figure25").path(0);
        assertEquals("turn-addition", added.path("method").asText());
        for (final JsonNode row : result.path("figure25"))
        {
            for (final String column : new String[]{"insideByTables", "betweenByTables"})
            {
                assertTrue(row.path(column).asDouble() > 0 && row.path(column).asDouble() <= 1, "" + row);
            }
        }
    }

    @Test
    void shouldBalanceTablesBetterThanTheOtherMethods()
    {
        final JsonNode rows = measure("--balance", "--balance-networks", "2").path("balance");
        assertEquals(2, rows.size());
        for (final JsonNode row : rows)
        {
            final long least = Math.min(row.path("tp").asLong(), row.path("updown").asLong());
            assertTrue(row.path("turn-addition").asLong() < 0.85 * least, "" + row);
            for (final String method : List.of("turn-addition", "tp", "updown"))
            {
                assertTrue(row.path(method + "-seconds").asDouble() > 0, "" + row);
            }
            assertTrue(row.path("tp-seconds").asDouble() < row.path("turn-addition-seconds").asDouble(), "" + row);
            assertTrue(row.path("two-lanes").asLong() < 0.95 * row.path("turn-addition").asLong(), "" + row);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldBeFarAboveUpDownAndNotBelowTurnProhibitionAtAHundredSwitches(final long seed)
    {
        final double[] mean = new RandomNetworkFigure(seed, 2, 100, false).mean(100);
        assertTrue(mean[0] / mean[3] >= 1.8, mean[0] + " and " + mean[3]);
        assertTrue(mean[0] / mean[2] >= 1.0, mean[0] + " and " + mean[2]);
    }

    @Test
    void shouldRefuseOtherFigures()
    {
        evaluate("--figure", "23").assertRefused(2, "--figure: only 21, 22 and 25 can be repeated");
        evaluate("--table", "1").assertRefused(2, "--table: only 2 can be repeated");
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void shouldDecideAsThePapersOwnLoopCheck(final int ports)
    {
        final JoinedFatTrees trees = JoinedFatTrees.joined(ports, JoinLevel.MIDDLE);
        final TurnTraffic traffic = new FatTreePaths(trees).traffic(FatTreePaths.INSIDE_WEIGHT);
        final TurnAddition method = TurnAddition.asInThePaper(1);
        assertEquals(method.plan(traffic).allowed().forbiddenPairs(traffic.pairs()),
            new PaperLoopCheck(traffic.pairs()).distinct(method.order(traffic)));
    }

    private JsonNode measure(final String... options)
    {
        return evaluate(options).json();
    }

    private CommandRun evaluate(final String... options)
    {
        return CommandRun.of(new CommandLine(new EvaluateCommand()), Stream.concat(
            Stream.of(options), Stream.of("--out", folder.toString(), "--json")).toArray(String[]::new));
    }
}
