package org.fibnuma.bench.pingpong;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.Rounds;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Results of several rounds, in each of which every contestant was measured once. */
final class PingPongComparison
{
    private static final String ROW = "%-12s%10s%10s%10s%10s%14s%10s%14s";

    private final String aeron;
    private final String cacheLine;
    private final Rounds<String> roundTrips = new Rounds<>();
    private final Map<String, List<JsonNode>> results = new LinkedHashMap<>();

    /**
     * Creates a comparison without results.
     *
     * @param aeron     name of the contestant that ratios are given to.
     * @param cacheLine name of the other one.
     */
    PingPongComparison(final String aeron, final String cacheLine)
    {
        this.aeron = aeron;
        this.cacheLine = cacheLine;
    }

    /**
     * Adds a result; in each round one of every contestant.
     *
     * @param contestant its name.
     * @param result     what {@code pingpong client --json} prints.
     * @return the median round trip for people.
     */
    String add(final String contestant, final JsonNode result)
    {
        final double medianUs = result.get("rttUs").get("p50").asDouble();
        results.computeIfAbsent(contestant, name -> new ArrayList<>()).add(result);
        roundTrips.add(contestant, medianUs);
        return String.format("p50 %.3f us", medianUs);
    }

    /** Returns the values for JSON. */
    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("aeronIpcRttUs", roundTrips.median(aeron));
        map.put("cacheLineRttUs", roundTrips.median(cacheLine));
        map.put("results", results.keySet().stream().map(this::row).toList());
        return map;
    }

    private Map<String, Object> row(final String name)
    {
        final Map<String, Object> row = new LinkedHashMap<>();
        row.put("transport", name);
        row.put("device", results.get(name).get(0).get("device").asText());
        row.put("p50Us", roundTrips.median(name));
        row.put("p50LowestUs", Collections.min(roundTrips.of(name)));
        row.put("p50HighestUs", Collections.max(roundTrips.of(name)));
        row.put("p999Us", middle(name, result -> result.get("rttUs").get("p999").asDouble()));
        row.put("loopsPerSecond", Math.round(middle(name, result -> result.get("loopsPerSecond").asDouble())));
        row.put("timesAeron", Rounds.rounded(roundTrips.ratio(name, aeron), 2));
        row.put("timesCacheLine", Rounds.rounded(roundTrips.ratio(name, cacheLine), 2));
        return row;
    }

    /** Prints a table, of times in us. */
    void print(final PrintWriter out)
    {
        out.println(String.format(
            ROW, "", "p50", "lowest", "highest", "p99.9", "loops/s", "x Aeron", "x cache line").stripTrailing());
        for (final String name : results.keySet())
        {
            final Map<String, Object> row = row(name);
            out.println(String.format(Locale.ROOT, ROW, name, time(row, "p50Us"), time(row, "p50LowestUs"),
                time(row, "p50HighestUs"), time(row, "p999Us"),
                String.format(Locale.ROOT, "%,d", (long)row.get("loopsPerSecond")),
                row.get("timesAeron"), row.get("timesCacheLine")));
        }
    }

    private static String time(final Map<String, Object> row, final String name)
    {
        return String.format(Locale.ROOT, "%.3f", (double)row.get(name));
    }

    private double middle(final String name, final ToDoubleFunction<JsonNode> figure)
    {
        return Rounds.median(results.get(name).stream().map(figure::applyAsDouble).toList());
    }
}
