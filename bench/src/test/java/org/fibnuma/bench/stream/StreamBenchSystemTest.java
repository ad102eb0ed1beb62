package org.fibnuma.bench.stream;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.bench.lab.NamespaceTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(600)
@NamespaceTest
@Tag("slow")
class StreamBenchSystemTest
{
    private static final List<String> TRANSPORTS = List.of("Shm", "Tcp", "Xdp", "Veth");
    /** A byte in a nanosecond for each of a hundred cores. */
    private static final double MAX_BYTES_PER_SECOND = 1e11;
    private static final double MAX_US = 10e6;

    @Test
    void shouldMeasureEchoAndThroughputOfEveryTransport()
    {
        final JsonNode json = CommandRun.bench("stream", "--runs", "1", "--limit-seconds", "1", "--json").json();

        for (final String transport : TRANSPORTS)
        {
            final double median = json.get("nettyEcho" + transport + "Us").asDouble();
            assertTrue(median > 0 && median < MAX_US, json::toString);
            assertTrue(json.get("nettyEcho" + transport + "P99Us").asDouble() >= median, json::toString);
            final double throughput = json.get("stream" + transport + "BytesPerSecond").asDouble();
            assertTrue(throughput > 0 && throughput < MAX_BYTES_PER_SECOND, json::toString);
        }
        assertEquals(json.get("nettyEchoTcpUs").asDouble() / json.get("nettyEchoShmUs").asDouble(),
            json.get("nettyEchoShmTimesFasterThanTcp").asDouble(), 0.01);
        assertTrue(json.get("nettyEchoXdpTimesFasterThanVeth").asDouble() > 0, json::toString);
        assertTrue(json.get("streamShmTimesTcp").asDouble() >= 0, json::toString);
        assertTrue(json.get("streamXdpTimesVeth").asDouble() >= 0, json::toString);
        assertEquals(64, json.get("size").asInt());
        assertEquals(65_536, json.get("writeBytes").asInt());
        assertTrue(List.of("epoll", "nio").contains(json.get("tcpTransport").asText()), json::toString);
    }
}
