package org.fibnuma.fibnic.demo;

import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of a demo for one family. Latencies are round trips without other traffic. */
final class FamilyReport
{
    private static final double NANOS_PER_MICRO = 1e3;

    private final String name;
    private final int routes;
    private final Histogram roundTrips = new Histogram(3);
    private final List<Map<String, Object>> trace = new ArrayList<>();
    private long pingsSent;
    private long pingsReceived;
    private Flood flood;

    FamilyReport(final String name, final int routes)
    {
        this.name = name;
        this.routes = routes;
    }

    /**
     * Frames sent at full speed.
     *
     * @param sent number of frames that the left host has sent.
     * @param mpps millions of frames that arrived in a second.
     */
    record Flood(long sent, double mpps)
    {
        void addTo(final Map<String, Object> map)
        {
            map.put("floodPackets", sent);
            map.put("mpps", rounded(mpps));
        }
    }

    String name()
    {
        return name;
    }

    int routes()
    {
        return routes;
    }

    void roundTrip(final long nanos)
    {
        roundTrips.recordValue(nanos);
    }

    void pings(final long sent, final long received)
    {
        pingsSent += sent;
        pingsReceived += received;
    }

    void hop(final int hopLimit, final String address, final double micros)
    {
        final Map<String, Object> hop = new LinkedHashMap<>();
        hop.put("hop", hopLimit);
        hop.put("address", address);
        hop.put("us", rounded(micros));
        trace.add(hop);
    }

    void flood(final Flood result)
    {
        flood = result;
    }

    Flood flood()
    {
        return flood;
    }

    long pingsSent()
    {
        return pingsSent;
    }

    long pingsReceived()
    {
        return pingsReceived;
    }

    double micros(final double percentile)
    {
        return rounded(roundTrips.getValueAtPercentile(percentile) / NANOS_PER_MICRO);
    }

    void addTo(final Map<String, Object> map)
    {
        map.put("routes", routes);
        map.put("pingsSent", pingsSent);
        map.put("pingsReceived", pingsReceived);
        map.put("latencyUs", Map.of("p50", micros(50), "p99", micros(99), "p999", micros(99.9)));
        map.put("trace", trace);
        flood.addTo(map);
    }

    static double rounded(final double value)
    {
        return Math.round(value * 1000) / 1000.0;
    }
}
