package org.fibnuma.bench.stream;

import org.fibnuma.bench.lab.Median;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Results of several rounds, in each of which every transport was measured once. A ratio is the median of the ratios of
 * the rounds, since what slows one round slows both of its results.
 */
final class StreamComparison
{
    private static final double HUNDRED = 100;
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
    private final Map<String, List<Double>> medianUs = new LinkedHashMap<>();
    private final Map<String, List<Double>> p99Us = new LinkedHashMap<>();
    private final Map<String, List<Double>> bytesPerSecond = new LinkedHashMap<>();

    StreamComparison(final List<Pair> pairs)
    {
        this.pairs = pairs;
    }

    /** Adds the median and the 99th percentile of the round trips of a transport in us. */
    void addEcho(final String transport, final double p50, final double p99)
    {
        medianUs.computeIfAbsent(transport, name -> new ArrayList<>()).add(p50);
        p99Us.computeIfAbsent(transport, name -> new ArrayList<>()).add(p99);
    }

    /** Adds the throughput of a transport. */
    void addThroughput(final String transport, final double bytesEachSecond)
    {
        bytesPerSecond.computeIfAbsent(transport, name -> new ArrayList<>()).add(bytesEachSecond);
    }

    /** Returns the values for JSON, with names such as {@code nettyEchoShmUs}. */
    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        for (final String name : medianUs.keySet())
        {
            map.put("nettyEcho" + name + "Us", Median.of(medianUs.get(name)));
            map.put("nettyEcho" + name + "P99Us", Median.of(p99Us.get(name)));
            map.put("stream" + name + "BytesPerSecond", Math.round(Median.of(bytesPerSecond.get(name))));
        }
        for (final Pair pair : pairs)
        {
            map.put("nettyEcho" + pair.own + "TimesFasterThan" + pair.peer,
                ratio(medianUs.get(pair.peer), medianUs.get(pair.own)));
            map.put("stream" + pair.own + "Times" + pair.peer,
                ratio(bytesPerSecond.get(pair.own), bytesPerSecond.get(pair.peer)));
        }
        map.put("rounds", Map.of("echoP50Us", medianUs, "echoP99Us", p99Us, "bytesPerSecond", bytesPerSecond));
        return map;
    }

    /** Prints a table and the ratios. */
    void print(final PrintWriter out)
    {
        out.println(String.format(ROW, "", "echo p50 us", "echo p99 us", "MB/s"));
        for (final String name : medianUs.keySet())
        {
            out.println(String.format(Locale.ROOT, ROW, name, decimal(Median.of(medianUs.get(name))),
                decimal(Median.of(p99Us.get(name))),
                String.format(Locale.ROOT, "%,.0f", Median.of(bytesPerSecond.get(name)) / MEGABYTE)));
        }
        for (final Pair pair : pairs)
        {
            out.println(String.format(Locale.ROOT, "%s beside %s: %s times fewer us, %s times the throughput",
                pair.own, pair.peer, ratio(medianUs.get(pair.peer), medianUs.get(pair.own)),
                ratio(bytesPerSecond.get(pair.own), bytesPerSecond.get(pair.peer))));
        }
    }

    private static String decimal(final double value)
    {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static double ratio(final List<Double> dividends, final List<Double> divisors)
    {
        final List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < dividends.size(); round++)
        {
            ratios.add(dividends.get(round) / divisors.get(round));
        }
        return Math.round(Median.of(ratios) * HUNDRED) / HUNDRED;
    }
}
