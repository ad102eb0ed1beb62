package org.fibnuma.bench.pingpong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.bench.lab.CommandRun;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PingPongComparisonTest
{
    private static final ObjectMapper JSON = new ObjectMapper();

    private static JsonNode result(final double p50)
    {
        final ObjectNode result = JSON.createObjectNode().put("device", "a device").put("loopsPerSecond", 7);
        result.putObject("rttUs").put("p50", p50).put("p999", 10 * p50);
        return result;
    }

    /** By hand: the ratios to Aeron are 3, 1 and 2, those to the cache line 6, 4 and 4. */
    @Test
    void shouldGiveMediansOfTheRatiosOfRounds()
    {
        final PingPongComparison comparison = new PingPongComparison("aeron", "line");
        final double[][] rounds = {{0.1, 0.2, 0.6}, {0.1, 0.4, 0.4}, {0.2, 0.4, 0.8}};
        for (final double[] round : rounds)
        {
            comparison.add("line", result(round[0]));
            comparison.add("aeron", result(round[1]));
            comparison.add("shm", result(round[2]));
        }

        final JsonNode map = JSON.valueToTree(comparison.toMap());

        assertEquals(0.4, map.get("aeronIpcRttUs").asDouble());
        assertEquals(0.1, map.get("cacheLineRttUs").asDouble());
        final JsonNode shm = map.get("results").get(2);
        assertEquals("shm", shm.get("transport").asText());
        assertEquals(0.6, shm.get("p50Us").asDouble());
        assertEquals(0.4, shm.get("p50LowestUs").asDouble());
        assertEquals(0.8, shm.get("p50HighestUs").asDouble());
        assertEquals(6, shm.get("p999Us").asDouble());
        assertEquals(2, shm.get("timesAeron").asDouble());
        assertEquals(4, shm.get("timesCacheLine").asDouble());
        final StringWriter text = new StringWriter();
        comparison.print(new PrintWriter(text, true));
        assertTrue(text.toString().contains("shm              0.600     0.400     0.800     6.000"), text.toString());
    }

    @Test
    void shouldRefuseWhatItCannotMeasure()
    {
        CommandRun.bench("pingpong", "--transports", "shm,ipx")
            .assertRefused(2, "--transports: unknown \"ipx\"; one of shm, memif, xdp, udp-poll, udp");
        CommandRun.bench("pingpong", "--size", "6")
            .assertRefused(2, "--size must be a multiple of 4 from 4 to 1024: 6");
        CommandRun.bench("pingpong", "--runs", "0").assertRefused(2, "--runs");
    }
}
