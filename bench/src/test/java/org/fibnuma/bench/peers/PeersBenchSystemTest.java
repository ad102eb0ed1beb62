package org.fibnuma.bench.peers;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(600)
class PeersBenchSystemTest
{
    private static final int IDLE = 1_000;
    /** A channel and its session have some tens of objects. */
    private static final int MIN_HEAP_BYTES = 500;
    private static final int MAX_HEAP_BYTES = 100_000;
    private static final double MAX_US = 60e6;

    @Test
    void shouldMeasureEndpointsWithAndWithoutIdlePeers()
    {
        final JsonNode json = CommandRun.bench(
            "peers", "--idle-peers", "0," + IDLE, "--runs", "1", "--limit-seconds", "1", "--json").json();

        assertEquals(2, json.get("results").size());
        for (final JsonNode result : json.get("results"))
        {
            assertTrue(result.get("readMs").asDouble() > 0, json::toString);
            assertTrue(result.get("startMs").asDouble() > 0, json::toString);
            assertTrue(result.get("dutyCycleNs").asDouble() > 0, json::toString);
            assertTrue(result.get("roundTrips").asDouble() >= 1, json::toString);
            final double median = result.get("roundTripP50Us").asDouble();
            assertTrue(median > 0 && median < MAX_US, json::toString);
            assertTrue(result.get("roundTripP99Us").asDouble() >= median, json::toString);
            assertTrue(result.get("residentKiB").asDouble() > 0, json::toString);
        }
        assertEquals(0, json.get("results").get(0).get("idlePeers").asInt());
        assertNull(json.get("results").get(0).get("heapBytesPerPeer"));
        final JsonNode many = json.get("results").get(1);
        assertEquals(IDLE, many.get("idlePeers").asInt());
        final double heapBytes = many.get("heapBytesPerPeer").asDouble();
        assertTrue(heapBytes > MIN_HEAP_BYTES && heapBytes < MAX_HEAP_BYTES, json::toString);
        assertTrue(json.get("machine").get("cores").asInt() > 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10,0", "0,5,5", "0,-1", "0,60001", "0,x"})
    void shouldRefuseNumbersOfPeersWithoutABase(final String peers)
    {
        CommandRun.bench("peers", "--idle-peers", peers).assertRefused(2, "--idle-peers");
    }
}
