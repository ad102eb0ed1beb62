package org.fibnuma.fibnic.demo;

import org.HdrHistogram.Histogram;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The results of a demo, complete when it has ended. Latencies are round trips without other traffic. */
final class DemoReport
{
    private static final double NANOS_PER_MICRO = 1e3;

    private final String mode;
    private final int routes;
    private final Histogram roundTrips = new Histogram(3);
    private final List<Map<String, Object>> trace = new ArrayList<>();
    private double readySeconds;
    private long pingsSent;
    private long pingsReceived;
    private long flooded;
    private double mpps;
    private FateReport fates;

    DemoReport(final String mode, final int routes)
    {
        this.mode = mode;
        this.routes = routes;
    }

    void ready(final double seconds)
    {
        readySeconds = seconds;
    }

    void pings(final long sent, final long received)
    {
        pingsSent += sent;
        pingsReceived += received;
    }

    Histogram roundTrips()
    {
        return roundTrips;
    }

    void hop(final int ttl, final String address, final double micros)
    {
        final Map<String, Object> hop = new LinkedHashMap<>();
        hop.put("hop", ttl);
        hop.put("address", address);
        hop.put("us", rounded(micros));
        trace.add(hop);
    }

    void flooded(final long frames)
    {
        flooded = frames;
    }

    void mpps(final double millionsPerSecond)
    {
        mpps = millionsPerSecond;
    }

    void fates(final FateReport report)
    {
        fates = report;
    }

    boolean isBalanced()
    {
        return fates.isBalanced();
    }

    double micros(final double percentile)
    {
        return rounded(roundTrips.getValueAtPercentile(percentile) / NANOS_PER_MICRO);
    }

    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("mode", mode);
        map.put("routes", routes);
        map.put("readySeconds", rounded(readySeconds));
        map.put("pingsSent", pingsSent);
        map.put("pingsReceived", pingsReceived);
        map.put("latencyUs", Map.of("p50", micros(50), "p99", micros(99), "p999", micros(99.9)));
        map.put("latencyOf", "ping round trip through the router, no other traffic");
        map.put("trace", trace);
        map.put("floodPackets", flooded);
        map.put("forwardedPackets", fates.get(ForwarderCounter.FORWARDED));
        map.put("mpps", rounded(mpps));
        map.put("drops", drops());
        map.put("fateBalanced", fates.isBalanced());
        return map;
    }

    private Map<String, Long> drops()
    {
        final Map<String, Long> drops = new LinkedHashMap<>();
        for (final DropReason reason : DropReason.values())
        {
            if (fates.get(reason) > 0)
            {
                drops.put(reason.label(), fates.get(reason));
            }
        }
        return drops;
    }

    void print(final PrintWriter out)
    {
        final Map<String, Long> drops = drops();
        out.println();
        row(out, "routes", String.format("%,d, forwarding %.1f s after the start", routes, readySeconds));
        row(out, "pings", String.format("%,d sent, %,d answered", pingsSent, pingsReceived));
        row(out, "round trip", String.format("median %.1f us, 99 %% under %.1f us, 99.9 %% under %.1f us",
            micros(50), micros(99), micros(99.9)));
        row(out, "sent", String.format("%,d frames of UDP, as fast as one core can", flooded));
        row(out, "forwarded", String.format("%,d frames, %.2f million a second at full speed",
            fates.get(ForwarderCounter.FORWARDED), mpps));
        row(out, "dropped", drops.isEmpty() ? "none" : drops.entrySet().stream()
            .map(entry -> String.format("%,d %s", entry.getValue(), entry.getKey()))
            .collect(Collectors.joining(", ")));
        row(out, "counters", fates.isBalanced() ?
            String.format("balanced: each of %,d received frames has one disposition",
            fates.get(ForwarderCounter.RECEIVED)) : "not balanced: this is a bug");
        out.println();
        out.println("Next: ./fibnuma router --help, and the README for a router on your own interfaces.");
        out.flush();
    }

    private static void row(final PrintWriter out, final String name, final String value)
    {
        out.printf("  %-12s %s%n", name, value);
    }

    private static double rounded(final double value)
    {
        return Math.round(value * 1000) / 1000.0;
    }
}
