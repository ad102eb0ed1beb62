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
        return BenchCommand.commandLine()
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
        assertTrue(err.toString().contains("--unusual: 1 is not 2 or more"), err.toString());
        assertEquals(2, run("--unusual", "10", "--unresolved", "10"));
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
