package org.fibnuma.bench.pingpong;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.bench.lab.NamespaceTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(600)
@NamespaceTest("dpdk-testpmd")
class PingPongBenchSystemTest
{
    @Test
    void shouldMeasureEveryTransportBesideAeronAndACacheLine()
    {
        final JsonNode json = CommandRun.bench(
            "pingpong", "--runs", "1", "--iterations", "2000", "--limit-seconds", "1", "--json").json();

        assertEquals(List.of("cache-line", "aeron-ipc", "shm", "memif", "xdp", "udp-poll", "udp"),
            json.get("results").findValuesAsText("transport"));
        for (final JsonNode result : json.get("results"))
        {
            assertTrue(result.get("p50Us").asDouble() > 0, result::toString);
            assertTrue(result.get("loopsPerSecond").asLong() > 0, result::toString);
        }
        assertEquals(1, json.get("results").get(0).get("timesCacheLine").asDouble());
        assertEquals(1, json.get("results").get(1).get("timesAeron").asDouble());
        assertTrue(json.get("aeronIpcRttUs").asDouble() > 0);
    }

    /** The command fails if a router has not forwarded what was measured, which {@code RouterChainSystemTest} tests. */
    @Test
    void shouldMeasureThroughARouterOfEachKind()
    {
        final JsonNode json = CommandRun.bench("pingpong", "--transports", "xdp,udp", "--routers", "0,1",
            "--runs", "1", "--iterations", "2000", "--limit-seconds", "1", "--json").json();

        final List<String> measured = new ArrayList<>();
        for (final JsonNode result : json.get("results"))
        {
            measured.add(result.get("transport").asText() + " " + result.get("routers") + " " + result.get("router"));
            assertTrue(result.get("p50Us").asDouble() > 0, result::toString);
            assertEquals(result.get("routers").asInt() > 0, result.has("addedPerRouterNs"), result::toString);
        }
        assertEquals(List.of("cache-line 0 null", "aeron-ipc 0 null", "xdp 0 null", "udp 0 null",
            "xdp 1 \"kernel\"", "udp 1 \"kernel\"", "xdp 1 \"fibnuma\"", "udp 1 \"fibnuma\""), measured);
        assertEquals(8, json.get("estimates").size());
        assertTrue(json.get("estimates").get(4).get("measured").asDouble() > 0);
    }
}
