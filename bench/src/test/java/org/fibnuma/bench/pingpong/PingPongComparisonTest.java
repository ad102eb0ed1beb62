package org.fibnuma.bench.pingpong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.bench.lab.Routers;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
            comparison.add("line", Routers.NONE, result(round[0]));
            comparison.add("aeron", Routers.NONE, result(round[1]));
            comparison.add("shm", Routers.NONE, result(round[2]));
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
        assertTrue(text.toString().contains("shm                                 0.600     0.400     0.800     6.000"),
            text.toString());
    }

    /** By hand: (20.976 - 15.096) us / (2 * 3) = 0.98 us; (10 + 30) / (10 + 15) = 1.6. */
    @Test
    void shouldGiveTheTimeOfARouterAndTheEstimateOfAnApplication()
    {
        final PingPongComparison comparison = new PingPongComparison("aeron", "line");
        comparison.add("xdp", Routers.NONE, result(15.096));
        comparison.add("udp", new Routers(3, Routers.Kind.KERNEL), result(30));
        comparison.add("xdp", new Routers(3, Routers.Kind.FIBNUMA), result(20.976));
        comparison.add("udp", Routers.NONE, result(30));

        final JsonNode map = JSON.valueToTree(comparison.toMap());

        final JsonNode direct = map.get("results").get(0);
        assertEquals(0, direct.get("routers").asInt());
        assertTrue(direct.get("router").isNull());
        assertFalse(direct.has("addedPerRouterNs"));
        final JsonNode routed = map.get("results").get(2);
        assertEquals(3, routed.get("routers").asInt());
        assertEquals("fibnuma", routed.get("router").asText());
        assertEquals(980, routed.get("addedPerRouterNs").asInt());
        assertEquals(0, map.get("results").get(1).get("addedPerRouterNs").asInt());
        assertEquals(976, map.get("thesisRouterNs").get("FIBNIC").asInt());
        assertEquals(4072, map.get("thesisRouterNs").get("AX3630S").asInt());
        // Of no router: applications of 1.167 and 10 us.
        assertEquals("{\"routers\":0,\"applicationUs\":1.167,\"thesis\":7.13,\"measured\":1.92}",
            map.get("estimates").get(0).toString());
        assertEquals("{\"routers\":0,\"applicationUs\":10.0,\"thesis\":2.68,\"measured\":1.59}",
            map.get("estimates").get(1).toString());
        // The thesis has no estimate for three.
        assertTrue(map.get("estimates").get(4).get("thesis").isNull());
        final StringWriter text = new StringWriter();
        comparison.print(new PrintWriter(text, true));
        assertTrue(text.toString().contains(
            "xdp, 3 fibnuma routers                  5,880         5,856             980             976"),
            text.toString());
    }

    /** The thesis's own words in section 6.7.1: 1.5 times at 80 us and 1.09 at 500 in a rack, 1.12 between racks. */
    @Test
    void shouldEstimateAsTheThesisDoes()
    {
        assertEquals(1.5, ThesisEstimate.of(1).timesFaster(80), 0.02);
        assertEquals(1.09, ThesisEstimate.of(1).timesFaster(500), 0.005);
        assertEquals(1.5, ThesisEstimate.of(4).timesFaster(110), 0.02);
        assertEquals(1.12, ThesisEstimate.of(4).timesFaster(500), 0.005);
        assertEquals(10.44, ThesisEstimate.of(0).timesFaster(0), 0.005);
        assertEquals(1952, ThesisEstimate.addedNs(new Routers(1, Routers.Kind.FIBNUMA)));
        assertEquals(32_576, ThesisEstimate.addedNs(new Routers(4, Routers.Kind.KERNEL)));
    }

    @Test
    void shouldRefuseWhatItCannotMeasure()
    {
        CommandRun.bench("pingpong", "--routers", "17").assertRefused(2, "--routers must be 0 to 16");
        CommandRun.bench("pingpong", "--router", "l3fwd").assertRefused(2, "--router must be of kernel, fibnuma");
        CommandRun.bench("pingpong", "--transports", "shm,ipx")
            .assertRefused(2, "--transports: unknown \"ipx\"; one of shm, memif, xdp, udp-poll, udp");
        CommandRun.bench("pingpong", "--size", "6")
            .assertRefused(2, "--size must be a multiple of 4 from 4 to 1024: 6");
        CommandRun.bench("pingpong", "--runs", "0").assertRefused(2, "--runs");
    }
}
