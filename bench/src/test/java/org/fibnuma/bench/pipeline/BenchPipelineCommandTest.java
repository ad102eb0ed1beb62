package org.fibnuma.bench.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.BenchCommand;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BenchPipelineCommandTest
{
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(final String... options)
    {
        return BenchCommand.commandLine("pipeline")
            .setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(Stream.concat(Stream.of("pipeline"), Stream.of(options)).toArray(String[]::new));
    }

    @Test
    void shouldRefuseFrameSizesThatEthernetHasNot()
    {
        assertEquals(2, run("--frame-size", "63"));
        assertEquals(2, run("--frame-size", "1519"));
        assertTrue(err.toString().contains("64 to 1518"), err.toString());
    }

    @Test
    void shouldRefuseATableThatIsNotThere()
    {
        assertEquals(1, run("--table", "no-such-file"));
        assertTrue(err.toString().startsWith("fibnuma bench pipeline: "), err.toString());
        assertEquals(1, err.toString().lines().count());
    }

    @Test
    void shouldRefuseExceptionsOnlyAndTwoKindsAtOnce()
    {
        assertEquals(2, run("--unusual", "1"));
        assertTrue(err.toString().contains("--unusual: 1 is not in 2 to 100000"), err.toString());
        assertEquals(2, run("--unusual", "10", "--unresolved", "10"));
        assertEquals(2, run("--unusual", "10", "--mix", "ipv4=1"));
    }

    @Test
    void shouldRefuseAMixOfUnknownKindsAndFramesTooShortForIpv6()
    {
        assertEquals(2, run("--mix", "ipv4=9,ipx=1"));
        assertTrue(err.toString().contains("--mix: \"ipx\" is none of ipv4, ipv6, "), err.toString());
        assertEquals(2, run("--mix", "ipv4=1,ipv6=1", "--frame-size", "64"));
        assertTrue(err.toString().contains("--frame-size: 64 is not in 66 to 1518"), err.toString());
    }

    @Test
    void shouldMeasureAMixOfBothFamiliesAndExceptions() throws Exception
    {
        assertEquals(0, run("--table", "generated:100", "--table6", "generated:100", "--seconds", "1", "--json",
            "--mix", "ipv4=40,ipv6=40,unresolved=2,unresolved6=2,options=2,fragment=2,expired=2,expired6=2,arp=4,nd=4"),
            err.toString());
        final JsonNode json = new ObjectMapper().readTree(out.toString());
        assertEquals(40, json.get("mix").get("ipv6").asInt());
        assertEquals(8, json.get("exceptions").size());
        assertTrue(json.get("fateBalanced").asBoolean());
        assertTrue(json.get("slices").asInt() >= 3);
        assertEquals(
            json.get("nsPerPacketWith").asDouble() / json.get("nsPerPacketWithout").asDouble(),
            json.get("slowdown").asDouble(), 0.01);
        assertEquals(
            2 * json.get("nsPerPacketWithout").asDouble() /
                (json.get("nsPerPacketIpv4").asDouble() + json.get("nsPerPacketIpv6").asDouble()),
            json.get("slowdownOfMixing").asDouble(), 0.01);
    }

    @Test
    void shouldNotCompareTheFamiliesOfAMixOfOneFamily() throws Exception
    {
        assertEquals(0, run("--table", "generated:100", "--seconds", "1", "--json", "--mix", "ipv4=999,unresolved=1"),
            err.toString());
        final JsonNode json = new ObjectMapper().readTree(out.toString());
        assertTrue(json.get("slowdown").asDouble() > 0);
        assertTrue(json.path("slowdownOfMixing").isMissingNode());
    }

    @Test
    void shouldPrintWhatExceptionsCost() throws Exception
    {
        for (final String option : new String[]{"--unusual", "--unresolved"})
        {
            out.getBuffer().setLength(0);
            assertEquals(0, run("--table", "generated:100", "--seconds", "1", "--json", option, "10"), err.toString());
            final JsonNode json = new ObjectMapper().readTree(out.toString());
            assertEquals(10, json.get("oneIn").asInt());
            assertTrue(json.get("fateBalanced").asBoolean());
            assertEquals(
                json.get("nsPerPacketWith").asDouble() / json.get("nsPerPacketWithout").asDouble(),
                json.get("slowdown").asDouble(), 0.01);
        }
    }

    @Test
    void shouldMeasureWhatCapturesAndTracesCost() throws Exception
    {
        assertEquals(2, run("--taps", "--acl", "10"));
        assertEquals(0, run("--table", "generated:100", "--seconds", "1", "--json", "--taps"), err.toString());
        final JsonNode json = new ObjectMapper().readTree(out.toString());
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
    void shouldPrintWhatItMeasured() throws Exception
    {
        // Exit status 1 means that the sink lost frames on a busy machine; the figures are printed nevertheless.
        final int status = run("--table", "generated:100", "--frame-size", "128", "--seconds", "1", "--json");
        assertTrue(status == 0 || status == 1, err.toString());
        final JsonNode json = new ObjectMapper().readTree(out.toString());
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
}
