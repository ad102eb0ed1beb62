package org.fibnuma.bench.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BenchPipelineCommandTest
{
    private static CommandRun run(final String... options)
    {
        return CommandRun.bench(Stream.concat(Stream.of("pipeline"), Stream.of(options)).toArray(String[]::new));
    }

    private static JsonNode measure(final String... options)
    {
        return run(Stream.concat(
            Stream.of("--table", "generated:100", "--seconds", "1", "--json"), Stream.of(options))
            .toArray(String[]::new)).json();
    }

    private static void assertSlowdown(final JsonNode json)
    {
        assertTrue(json.get("fateBalanced").asBoolean());
        assertEquals(
            json.get("nsPerPacketWith").asDouble() / json.get("nsPerPacketWithout").asDouble(),
            json.get("slowdown").asDouble(), 0.01);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --frame-size 63 | 64 to 1518
        --frame-size 1519 | 64 to 1518
        --unusual 1 | --unusual: 1 is not in 2 to 100000
        --unusual 10 --unresolved 10 | --un
        --unusual 10 --mix ipv4=1 | --mix
        --mix ipv4=9,ipx=1 | --mix: "ipx" is none of ipv4, ipv6,
        --mix ipv4=1,ipv6=1 --frame-size 64 | --frame-size: 64 is not in 66 to 1518
        --taps --acl 10 | --taps
        --taps --overload 3 | --taps
        --overload 17 | --overload: 17 is not in 1 to 16
        --overload 3 --egress-fifo-depth 3 | --egress-fifo-depth: 3 is not a power of two from 1 to 128
        """)
    void shouldRefuse(final String options, final String error)
    {
        run(options.split(" ")).assertRefused(2, error);
    }

    @Test
    void shouldRefuseATableThatIsNotThere()
    {
        final CommandRun run = run("--table", "no-such-file");
        run.assertRefused(1, "fibnuma bench pipeline: ");
        assertEquals(1, run.errors().lines().count());
    }

    @Test
    void shouldMeasureAMixOfBothFamiliesAndExceptions()
    {
        final JsonNode json = measure("--table6", "generated:100", "--mix",
            "ipv4=40,ipv6=40,unresolved=2,unresolved6=2,options=2,fragment=2,expired=2,expired6=2,arp=4,nd=4");
        assertEquals(40, json.get("mix").get("ipv6").asInt());
        assertEquals(8, json.get("exceptions").size());
        assertTrue(json.get("slices").asInt() >= 3);
        assertSlowdown(json);
        assertEquals(
            2 * json.get("nsPerPacketWithout").asDouble() /
                (json.get("nsPerPacketIpv4").asDouble() + json.get("nsPerPacketIpv6").asDouble()),
            json.get("slowdownOfMixing").asDouble(), 0.01);
    }

    @Test
    void shouldNotCompareTheFamiliesOfAMixOfOneFamily()
    {
        final JsonNode json = measure("--mix", "ipv4=999,unresolved=1");
        assertSlowdown(json);
        assertTrue(json.path("slowdownOfMixing").isMissingNode());
    }

    @Test
    void shouldPrintWhatExceptionsCost()
    {
        for (final String option : new String[]{"--unusual", "--unresolved"})
        {
            final JsonNode json = measure(option, "10");
            assertEquals(10, json.get("oneIn").asInt());
            assertSlowdown(json);
        }
    }

    @Test
    void shouldMeasureWhatCapturesAndTracesCost()
    {
        final JsonNode json = measure("--taps");
        final double off = json.get("nsPerPacket").get("off").asDouble();
        assertTrue(off > 0);
        for (final String use : new String[]{
            "capture", "captureHeaders", "captureLost", "captureNone", "trace", "traceNone"})
        {
            final double time = json.get("nsPerPacket").get(use).asDouble();
            assertTrue(time > 0, use);
            assertEquals(time - off, json.get("addedNsPerPacket").get(use).asDouble(), 0.01);
            final JsonNode records = json.get("records").get(use);
            assertEquals(use.endsWith("None"), records.get("kept").asLong() == 0, use);
            assertEquals(use.equals("captureLost"), records.get("lost").asLong() > 0, use);
        }
        assertTrue(json.get("slices").asInt() >= 3);
        assertTrue(json.get("fateBalanced").asBoolean());
    }

    @Test
    void shouldPrintWhatItMeasured()
    {
        // Exit status 1 means that the sink lost frames on a busy machine; the figures are printed nevertheless.
        final CommandRun run = run("--table", "generated:100", "--frame-size", "128", "--seconds", "1", "--json");
        assertTrue(run.status() == 0 || run.status() == 1, run::errors);
        final JsonNode json = new CommandRun(0, run.output(), run.errors()).json();
        assertEquals(100, json.get("routes").asInt());
        assertEquals(128, json.get("frameSize").asInt());
        assertTrue(json.get("mpps").asDouble() > 0);
        assertEquals(1000, json.get("mpps").asDouble() * json.get("nsPerPacket").asDouble(), 50);
        assertTrue(json.get("fateBalanced").asBoolean());
        assertTrue(json.get("frames").asLong() > 0);
        long previous = 0;
        for (final String percentile : new String[]{"p50", "p99", "p999", "p9999"})
        {
            final long value = json.get("latencyNs").get(percentile).asLong();
            assertTrue(value >= previous, percentile);
            previous = value;
        }
    }

    /** Two of three frames have no room on the output's link; each FIFO and the link may keep the first ones. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64})
    void shouldLoseTwoThirdsOfThreeInputsForOneOutput(final int depth)
    {
        final JsonNode json = measure("--overload", "3", "--egress-fifo-depth", Integer.toString(depth));
        final long frames = json.get("framesPerInput").asLong();
        long received = 0;
        for (int input = 0; input < 3; input++)
        {
            received += json.get("receivedByInput").get(input).asLong();
            assertEquals(frames / 3.0, json.get("receivedByInput").get(input).asLong(), depth + 1, json::toString);
            final long firstLost = json.get("firstLostByInput").get(input).asLong();
            assertTrue(firstLost > depth && firstLost <= 2 * depth + 2, json::toString);
        }
        assertTrue(received >= frames && received <= frames + 3 * depth + 1, json::toString);
        assertEquals(1 - received / (3.0 * frames), json.get("lossRate").asDouble(), 1e-6);
        assertTrue(json.get("fateBalanced").asBoolean());
    }

    @Test
    void shouldLoseNothingOfOneInputForOneOutput()
    {
        final JsonNode json = measure("--overload", "1", "--egress-fifo-depth", "1");
        assertEquals(0, json.get("lossRate").asDouble());
        assertEquals(0, json.get("firstLostByInput").get(0).asLong());
    }
}
