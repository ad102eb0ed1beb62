package org.fibnuma.bench.pingpong;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.bench.lab.Routers;

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
    private static final String ROW = "%-31s%10s%10s%10s%10s%14s%10s%14s";
    private static final String ADDED = "%-31s%14s%14s%16s%16s";
    private static final String ESTIMATE = "%-31s%14s%14s%14s";
    private static final String ADDED_PER_ROUTER = "addedPerRouterNs";

    private final Contestant aeron;
    private final Contestant cacheLine;
    private final Rounds<Contestant> roundTrips = new Rounds<>();
    private final Map<Contestant, List<JsonNode>> results = new LinkedHashMap<>();

    /**
     * What is measured.
     *
     * @param transport of the counter.
     * @param routers   between the two ends.
     */
    record Contestant(String transport, Routers routers)
    {
        /** Returns text for people. */
        @Override
        public String toString()
        {
            return routers.count() == 0 ? transport : transport + ", " + routers;
        }
    }

    /**
     * Creates a comparison without results.
     *
     * @param aeron     name of the contestant that ratios are given to.
     * @param cacheLine name of the other one.
     */
    PingPongComparison(final String aeron, final String cacheLine)
    {
        this.aeron = new Contestant(aeron, Routers.NONE);
        this.cacheLine = new Contestant(cacheLine, Routers.NONE);
    }

    /**
     * Adds a result; in each round one of every transport through the same routers.
     *
     * @param transport its name.
     * @param routers   between the two ends.
     * @param result    what {@code pingpong client --json} prints.
     * @return the median round trip for people.
     */
    String add(final String transport, final Routers routers, final JsonNode result)
    {
        final Contestant contestant = new Contestant(transport, routers);
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
        map.put("estimates", estimates());
        map.put("thesisRouterNs", Map.of("FIBNIC", ThesisEstimate.FIBNIC_NS, "AX3630S", ThesisEstimate.SWITCH_NS));
        return map;
    }

    private Map<String, Object> row(final Contestant contestant)
    {
        final Map<String, Object> row = new LinkedHashMap<>();
        row.put("transport", contestant.transport());
        contestant.routers().addTo(row);
        row.put("device", results.get(contestant).get(0).get("device").asText());
        row.put("p50Us", roundTrips.median(contestant));
        row.put("p50LowestUs", Collections.min(roundTrips.of(contestant)));
        row.put("p50HighestUs", Collections.max(roundTrips.of(contestant)));
        row.put("p999Us", middle(contestant, result -> result.get("rttUs").get("p999").asDouble()));
        row.put("loopsPerSecond",
            Math.round(middle(contestant, result -> result.get("loopsPerSecond").asDouble())));
        row.put("timesAeron", Rounds.rounded(roundTrips.ratio(contestant, aeron), 2));
        row.put("timesCacheLine", Rounds.rounded(roundTrips.ratio(contestant, cacheLine), 2));
        if (contestant.routers().count() > 0)
        {
            row.put(ADDED_PER_ROUTER, addedPerRouterNs(contestant));
        }
        return row;
    }

    private Long addedPerRouterNs(final Contestant contestant)
    {
        final Double direct = roundTrips.median(new Contestant(contestant.transport(), Routers.NONE));
        return direct == null ? null : ThesisEstimate.addedPerRouterNs(
            roundTrips.median(contestant), direct, contestant.routers().count());
    }

    /**
     * Returns the estimates of the thesis for each number of routers that was measured, beside the same formula with
     * the round trips over blocking sockets through the kernel and over AF_XDP through Fibnuma.
     */
    private List<Map<String, Object>> estimates()
    {
        final List<Map<String, Object>> estimates = new ArrayList<>();
        for (final int count : results.keySet().stream().map(each -> each.routers().count()).distinct().toList())
        {
            final Double sockets = roundTrips.median(new Contestant("udp", Routers.of(count, Routers.Kind.KERNEL)));
            final Double ipnuma = roundTrips.median(new Contestant("xdp", Routers.of(count, Routers.Kind.FIBNUMA)));
            final ThesisEstimate thesis = ThesisEstimate.of(count);
            for (final double xUs : ThesisEstimate.APPLICATIONS_US)
            {
                final Map<String, Object> estimate = new LinkedHashMap<>();
                estimate.put("routers", count);
                estimate.put("applicationUs", xUs);
                estimate.put("thesis", thesis == null ? null : Rounds.rounded(thesis.timesFaster(xUs), 2));
                estimate.put("measured", sockets == null || ipnuma == null ? null :
                    Rounds.rounded(ThesisEstimate.timesFaster(xUs, sockets, ipnuma), 2));
                estimates.add(estimate);
            }
        }
        return estimates;
    }

    /** Prints the tables. */
    void print(final PrintWriter out)
    {
        out.println(String.format(
            ROW, "us", "p50", "lowest", "highest", "p99.9", "loops/s", "x Aeron", "x cache line").stripTrailing());
        for (final Contestant contestant : results.keySet())
        {
            final Map<String, Object> row = row(contestant);
            out.println(String.format(Locale.ROOT, ROW, contestant, time(row, "p50Us"), time(row, "p50LowestUs"),
                time(row, "p50HighestUs"), time(row, "p999Us"),
                String.format(Locale.ROOT, "%,d", (long)row.get("loopsPerSecond")),
                row.get("timesAeron"), row.get("timesCacheLine")));
        }
        printAdded(out);
        out.println();
        out.println("How many times faster an application is by IP-NUMA and, with routers, Fibnuma or FIBNIC: " +
            "(x + sockets) / (x + IP-NUMA)");
        out.println(String.format(ESTIMATE, "routers", "x, us", "thesis", "here"));
        for (final Map<String, Object> estimate : estimates())
        {
            out.println(String.format(Locale.ROOT, ESTIMATE, estimate.get("routers"), estimate.get("applicationUs"),
                text(estimate.get("thesis")), text(estimate.get("measured"))));
        }
    }

    private void printAdded(final PrintWriter out)
    {
        final List<Contestant> routed = results.keySet().stream()
            .filter(contestant -> contestant.routers().count() > 0 && addedPerRouterNs(contestant) != null).toList();
        if (routed.isEmpty())
        {
            return;
        }
        out.println();
        out.println("Added to a round trip by all routers, and in one direction by one, ns; the thesis's FIBNIC " +
            "beside fibnuma, its AX3630S beside kernel (tables 6.5 and 5.2)");
        out.println(String.format(ADDED, "", "all", "thesis, all", "one", "thesis, one"));
        for (final Contestant contestant : routed)
        {
            final long one = addedPerRouterNs(contestant);
            final int ways = 2 * contestant.routers().count();
            final int thesis = ThesisEstimate.addedNs(contestant.routers());
            out.println(String.format(Locale.ROOT, ADDED, contestant,
                String.format(Locale.ROOT, "%,d", one * ways), String.format(Locale.ROOT, "%,d", thesis),
                String.format(Locale.ROOT, "%,d", one), String.format(Locale.ROOT, "%,d", thesis / ways)));
        }
    }

    private static String text(final Object value)
    {
        return value == null ? "-" : value.toString();
    }

    private static String time(final Map<String, Object> row, final String name)
    {
        return String.format(Locale.ROOT, "%.3f", (double)row.get(name));
    }

    private double middle(final Contestant contestant, final ToDoubleFunction<JsonNode> figure)
    {
        return Rounds.median(results.get(contestant).stream().map(figure::applyAsDouble).toList());
    }
}
