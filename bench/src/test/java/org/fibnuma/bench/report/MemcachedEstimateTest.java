package org.fibnuma.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.report.MemcachedEstimate.Combination;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** With the thesis's measurements the estimates are those of the thesis. */
class MemcachedEstimateTest
{
    private static final List<Combination> COMBINATIONS = MemcachedEstimate.COMBINATIONS;

    private final JsonNode memcached = json(List.of(
        Map.of("server", "memcached, UDP, veth", "bytes", 16, "getBestNs", 50_546, "routers", 0),
        Map.of("server", "memcached, UDP, veth", "bytes", 16, "getBestNs", 99_999, "routers", 1, "router", "kernel"),
        Map.of("server", "memcached, UDP, veth", "bytes", 512, "getBestNs", 62_786, "routers", 0)));
    private final JsonNode pingPong = json(List.of(
        Map.of("transport", "udp", "p50Us", 49.379, "routers", 0),
        Map.of("transport", "xdp", "p50Us", 10.308, "routers", 0),
        Map.of("transport", "xdp", "p50Us", 12, "routers", 4, "router", "fibnuma")));
    private final JsonNode forwarding = json(List.of(row("kernel, own core", 4.072), row("fibnuma", 0.976)));
    private final MemcachedEstimate estimate = new MemcachedEstimate(memcached, pingPong, forwarding);

    @Test
    void shouldEstimateAsTables64And66()
    {
        assertArrayEquals(new double[] {11_475, Double.NaN, Double.NaN, Double.NaN, Double.NaN, 23_715},
            estimate.get(COMBINATIONS.get(2), 0), 1e-6);
        // The thesis adds 100 ns each way for 20 m of cable in a rack, 1,000 for 200 m between racks.
        assertEquals(58_890 - 200, estimate.get(COMBINATIONS.get(0), 1)[0], 1e-6);
        assertEquals(13_627 - 200, estimate.get(COMBINATIONS.get(3), 1)[0], 1e-6);
        assertEquals(85_122 - 2_000, estimate.get(COMBINATIONS.get(0), 4)[0], 1e-6);
        assertEquals(21_283 - 2_000, estimate.get(COMBINATIONS.get(3), 4)[0], 1e-6);
        assertEquals(1_167, estimate.application()[0], 1e-6);
    }

    @Test
    void shouldFindRoundTripsThroughRouters()
    {
        assertEquals(12_000, ThesisRoundTrip.ns(pingPong, "xdp", 4, "fibnuma"));
        assertEquals(Double.NaN, ThesisRoundTrip.ns(pingPong, "xdp", 4, "kernel"));
        assertEquals(10_308, ThesisRoundTrip.ns(pingPong, "xdp", 0, ""), 1e-6);
    }

    @Test
    void shouldHaveTheThesisRatiosByApplication()
    {
        final Figure figure = ThesisMemcached.figures(new CommandLines(true, Path.of("out"))).stream()
            .filter(each -> each.id().equals("thesis-6.17")).findFirst().orElseThrow();
        final Series best = figure.paper().get(figure.paper().size() - 1);
        // "Close to 1.5 at 80 us, about 1.09 at 500 us."
        assertEquals(1.489, best.values()[figure.columns().indexOf("80")], 0.001);
        assertEquals(1.088, best.values()[figure.columns().indexOf("500")], 0.001);
    }

    private static Map<String, Object> row(final String device, final double us)
    {
        return Map.of("rig", "veth", "device", device, "frameSize", 64,
            "latencyUsAt", Map.of("10%", Map.of("p50", us)));
    }

    private static JsonNode json(final List<Map<String, Object>> rows)
    {
        return new ObjectMapper().valueToTree(Map.of("results", rows));
    }
}
