package org.fibnuma.ipnuma.demo;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.service.host.Machine;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The thesis's table 4.5 (round trips) and figure 4.4 (loops in a second) with the values measured here. The thesis
 * uses two Core i7-4770. One comparison is an X520 with the thesis's 10-gigabit card on an FPGA, the other an I350 with
 * its gigabit card. Its loops in a second are the inverse of its round trips.
 */
final class PingPongReport
{
    private static final double MICROS = 1e6;
    private static final double SOCKETS_10G_US = 22.580;
    private static final double IPNUMA_10G_US = 2.162;
    private static final double SOCKETS_1G_US = 49.379;
    private static final double IPNUMA_1G_US = 10.308;
    private static final double RATIO_10G = 10.44;

    private final String place;
    private final List<JsonNode> results = new ArrayList<>();

    PingPongReport(final String place)
    {
        this.place = place;
    }

    void add(final JsonNode result)
    {
        results.add(result);
    }

    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("between", place);
        map.put("results", results);
        final Map<String, Object> ratios = new LinkedHashMap<>();
        for (final JsonNode result : results)
        {
            ratios.put(name(result), Math.round(loops(result) / blockingLoops() * 100) / 100.0);
        }
        map.put("loopsOverBlockingUdp", ratios);
        map.put("thesis", Map.of(
            "rttUs10G", Map.of("sockets", SOCKETS_10G_US, "ipnuma", IPNUMA_10G_US),
            "rttUs1G", Map.of("sockets", SOCKETS_1G_US, "ipnuma", IPNUMA_1G_US),
            "loopsOverSockets10G", RATIO_10G));
        map.put("machine", Machine.facts());
        return map;
    }

    void print(final PrintWriter out)
    {
        out.printf("%nPing-pong of %d bytes between %s; round trips in us%n",
            results.get(0).get("size").asInt(), place);
        out.printf("%-34s %10s %8s %8s %8s %10s %8s%n",
            "", "loops/s", "min", "p50", "mean", "p99.9", "x sockets");
        for (final JsonNode result : results)
        {
            final JsonNode trip = result.get("rttUs");
            out.println(String.format(Locale.ROOT, "%-34s %,10.0f %8.2f %8.2f %8.2f %10.2f %8.2f",
                name(result), loops(result), trip.get("min").asDouble(), trip.get("p50").asDouble(),
                trip.get("mean").asDouble(), trip.get("p999").asDouble(), loops(result) / blockingLoops()));
        }
        out.println("thesis, table 4.5 and figure 4.4 (means):");
        thesis(out, "  10G, sockets (X520)", SOCKETS_10G_US, 1);
        thesis(out, "  10G, IP-NUMA card (FPGA)", IPNUMA_10G_US, RATIO_10G);
        thesis(out, "  1G, sockets (I350)", SOCKETS_1G_US, 1);
        thesis(out, "  1G, IP-NUMA card (FPGA)", IPNUMA_1G_US, SOCKETS_1G_US / IPNUMA_1G_US);
        final Map<String, Object> machine = Machine.facts();
        out.println("here: " + machine.get("processor") + ", " + machine.get("cores") + " cores, " +
            machine.get("kernel") + ", Java " + machine.get("java"));
        out.flush();
    }

    private static void thesis(final PrintWriter out, final String name, final double micros, final double ratio)
    {
        out.println(String.format(Locale.ROOT, "%-34s %,10.0f %8s %8s %8.3f %10s %8.2f",
            name, MICROS / micros, "", "", micros, "", ratio));
    }

    private double blockingLoops()
    {
        return results.stream().filter(result -> "udp".equals(result.get("transport").asText()))
            .mapToDouble(PingPongReport::loops).findFirst().orElse(Double.NaN);
    }

    private static double loops(final JsonNode result)
    {
        return result.get("loopsPerSecond").asDouble();
    }

    private static String name(final JsonNode result)
    {
        return result.get("transport").asText() + " " + result.get("device").asText();
    }
}
