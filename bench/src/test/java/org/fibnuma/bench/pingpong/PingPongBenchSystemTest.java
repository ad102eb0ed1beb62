package org.fibnuma.bench.pingpong;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.bench.lab.NamespaceTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
}
