package org.fibnuma.fibnic.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.metrics.TrafficSample;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TrafficHistoryTest
{
    private final TrafficHistory history = new TrafficHistory();

    @Test
    void shouldBeEmptyAtFirst() throws IOException
    {
        assertEquals("{\"times\":[],\"drops\":{},\"ports\":{}}", json().toString());
    }

    @Test
    void shouldHaveTheTotalsOfEachSample() throws IOException
    {
        history.add(0, sample(0, List.of("left", "right"), 0, 0, 0, 0, 0, 0, 0, 0));
        history.add(5000, sample(3, List.of("left", "right"), 1, 60, 2, 120, 3, 180, 4, 240));
        assertEquals("{\"times\":[0,5000],\"drops\":{\"ipv4-no-route\":[0,3]},\"ports\":{" +
            "\"left\":{\"rx-frames\":[0,1],\"rx-bytes\":[0,60],\"tx-frames\":[0,2],\"tx-bytes\":[0,120]}," +
            "\"right\":{\"rx-frames\":[0,3],\"rx-bytes\":[0,180],\"tx-frames\":[0,4],\"tx-bytes\":[0,240]}}}",
            json().toString());
    }

    @Test
    void shouldKeepTheLast15Minutes() throws IOException
    {
        final int count = 3 * TrafficHistory.SAMPLES + 7;
        for (int i = 0; i < count; i++)
        {
            history.add(i * TrafficHistory.INTERVAL_MS, sample(i, List.of("left"), i, 0, 0, 0));
            assertEquals(Math.min(i + 1, 180), json().get("times").size());
        }
        final JsonNode json = json();
        assertEquals(15 * 60_000, TrafficHistory.SAMPLES * TrafficHistory.INTERVAL_MS);
        for (int i = 0; i < TrafficHistory.SAMPLES; i++)
        {
            final int expected = count - TrafficHistory.SAMPLES + i;
            assertEquals(expected * TrafficHistory.INTERVAL_MS, json.get("times").get(i).asLong());
            assertEquals(expected, json.get("ports").get("left").get("rx-frames").get(i).asLong());
            assertEquals(expected, json.get("drops").get("ipv4-no-route").get(i).asLong());
        }
    }

    /** A removed port has no totals; one in its place has its own, and one that comes back begins at 0. */
    @Test
    void shouldHaveNoTotalsWhileAPortIsRemoved() throws IOException
    {
        history.add(0, sample(0, List.of("left", "old"), 0, 0, 0, 0, 9, 0, 0, 0));
        history.add(5000, sample(0, List.of("left"), 1, 0, 0, 0));
        history.add(10_000, sample(0, List.of("left", "new"), 2, 0, 0, 0, 1, 0, 0, 0));
        history.add(15_000, sample(0, List.of("old", "left", "new"), 0, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0));
        final JsonNode ports = json().get("ports");
        assertEquals("[0,1,2,3]", ports.get("left").get("rx-frames").toString());
        assertEquals("[9,null,null,0]", ports.get("old").get("rx-frames").toString());
        assertEquals("[null,null,1,2]", ports.get("new").get("rx-frames").toString());
    }

    /** A port that was removed more than 15 minutes ago is forgotten. */
    @Test
    void shouldForgetPortsWithTheirLastSample() throws IOException
    {
        history.add(0, sample(0, List.of("gone"), 0, 0, 0, 0));
        for (int i = 1; i < TrafficHistory.SAMPLES; i++)
        {
            history.add(i, sample(0, List.of()));
        }
        assertTrue(json().get("ports").has("gone"));
        history.add(TrafficHistory.SAMPLES, sample(0, List.of()));
        assertEquals("{}", json().get("ports").toString());
    }

    private JsonNode json() throws IOException
    {
        return new ObjectMapper().readTree(history.format());
    }

    private static TrafficSample sample(final long noRoute, final List<String> ports, final long... traffic)
    {
        final long[] drops = new long[DropReason.count()];
        drops[DropReason.IPV4_NO_ROUTE.id()] = noRoute;
        return new TrafficSample(ports, traffic, drops);
    }
}
