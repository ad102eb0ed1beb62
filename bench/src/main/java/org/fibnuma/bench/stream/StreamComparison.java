package org.fibnuma.bench.stream;

import org.fibnuma.bench.lab.Rounds;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Results of several rounds, in each of which every transport was measured once. */
final class StreamComparison
{
    private static final double MEGABYTE = 1e6;
    private static final String ROW = "%-12s%12s%12s%14s";

    /**
     * Transports that are compared in one place.
     *
     * @param own  name of the one over remote memory, as in JSON.
     * @param peer name of TCP at the same place.
     */
    record Pair(String own, String peer)
    {
    }

    private final List<Pair> pairs;
    private final Rounds<String> medianUs = new Rounds<>();
    private final Rounds<String> p99Us = new Rounds<>();
    private final Rounds<String> bytesPerSecond = new Rounds<>();

    StreamComparison(final List<Pair> pairs)
    {
        this.pairs = pairs;
    }

    /** Adds the median and the 99th percentile of the round trips of a transport in us; returns them for people. */
    String addEcho(final String transport, final double p50, final double p99)
    {
        medianUs.add(transport, p50);
        p99Us.add(transport, p99);
        return String.format("p50 %.2f us, p99 %.2f us", p50, p99);
    }

    /** Adds the throughput of a transport; returns it for people. */
    String addThroughput(final String transport, final double bytesEachSecond)
    {
        bytesPerSecond.add(transport, bytesEachSecond);
        return String.format("%.0f MB/s", bytesEachSecond / MEGABYTE);
    }

    /** Returns the values for JSON, with names such as {@code nettyEchoShmUs}. */
    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        for (final String name : medianUs.contestants())
        {
            map.put("nettyEcho" + name + "Us", medianUs.median(name));
            map.put("nettyEcho" + name + "P99Us", p99Us.median(name));
            map.put("stream" + name + "BytesPerSecond", Math.round(bytesPerSecond.median(name)));
        }
        for (final Pair pair : pairs)
        {
            map.put("nettyEcho" + pair.own + "TimesFasterThan" + pair.peer,
                ratio(medianUs, pair.peer, pair.own));
            map.put("stream" + pair.own + "Times" + pair.peer,
                ratio(bytesPerSecond, pair.own, pair.peer));
        }
        map.put("rounds", Map.of(
            "echoP50Us", rounds(medianUs), "echoP99Us", rounds(p99Us), "bytesPerSecond", rounds(bytesPerSecond)));
        return map;
    }

    /** Prints a table and the ratios. */
    void print(final PrintWriter out)
    {
        out.println(String.format(ROW, "", "echo p50 us", "echo p99 us", "MB/s"));
        for (final String name : medianUs.contestants())
        {
            out.println(String.format(Locale.ROOT, ROW, name, decimal(medianUs.median(name)),
                decimal(p99Us.median(name)),
                String.format(Locale.ROOT, "%,.0f", bytesPerSecond.median(name) / MEGABYTE)));
        }
        for (final Pair pair : pairs)
        {
            out.println(String.format(Locale.ROOT, "%s beside %s: %s times fewer us, %s times the throughput",
                pair.own, pair.peer, ratio(medianUs, pair.peer, pair.own),
                ratio(bytesPerSecond, pair.own, pair.peer)));
        }
    }

    private static Map<String, List<Double>> rounds(final Rounds<String> figures)
    {
        final Map<String, List<Double>> map = new LinkedHashMap<>();
        figures.contestants().forEach(name -> map.put(name, figures.of(name)));
        return map;
    }

    private static String decimal(final double value)
    {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static Double ratio(final Rounds<String> figures, final String dividend, final String divisor)
    {
        return Rounds.rounded(figures.ratio(dividend, divisor), 2);
    }
}
