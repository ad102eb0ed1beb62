package org.fibnuma.bench.pingpong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.BenchCommand;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(600)
class PingPongBenchSystemTest
{
    @Test
    void shouldMeasureEveryTransportBesideAeronAndACacheLine() throws Exception
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("dpdk-testpmd", "dpdk");
        final StringWriter out = new StringWriter();
        final StringWriter errors = new StringWriter();

        final int status = BenchCommand.commandLine()
            .setOut(new PrintWriter(out)).setErr(new PrintWriter(errors))
            .execute("pingpong", "--runs", "1", "--iterations", "2000", "--limit-seconds", "1", "--json");

        assertEquals(0, status, errors::toString);
        final JsonNode json = new ObjectMapper().readTree(out.toString());
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
