package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.Families;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.bench.memif.MemifResult;

import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rates in millions of frames a second by capture and contestant; the result is the median of the rounds or slices. */
final class ForwardResult
{
    private static final String PEER = "testpmd mac";
    private static final String CEILING = "testpmd io";
    private static final int DECIMALS = 3;

    private final Map<Families, Rounds<String>> rates = new EnumMap<>(Families.class);
    private final Map<Families, Map<String, Double>> cycles = new EnumMap<>(Families.class);
    private final Map<String, Object> settings = new LinkedHashMap<>();
    private final int frameSize;
    private MemifResult memif;

    /**
     * Creates an empty result.
     *
     * @param frameSize bytes of every frame with FCS.
     */
    ForwardResult(final int frameSize)
    {
        this.frameSize = frameSize;
        setting("frameSize", frameSize);
    }

    void add(final Families kind, final String contestant, final double mpps)
    {
        rates.computeIfAbsent(kind, ignore -> new Rounds<>()).add(contestant, mpps);
    }

    void cycles(final Families kind, final Map<String, Double> perPacket)
    {
        cycles.put(kind, perPacket);
    }

    void memif(final MemifResult figures)
    {
        memif = figures;
    }

    void setting(final String name, final Object value)
    {
        settings.put(name, value);
    }

    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("mpps", rounded(median(Families.IPV4, FibnumaContestant.NAME)));
        map.put("peerMpps", rounded(median(Families.IPV4, PEER)));
        map.put("ratio", ratio(Families.IPV4, PEER));
        map.put("ceilingMpps", rounded(median(Families.IPV4, CEILING)));
        map.putAll(figures(Families.IPV4));
        map.putAll(settings);
        if (rates.containsKey(Families.IPV6))
        {
            map.put("ipv6", figures(Families.IPV6));
        }
        if (rates.containsKey(Families.MIXED))
        {
            final Map<String, Object> mixed = figures(Families.MIXED);
            mixed.put("ratioToMean", rounded(ratioToMean()));
            map.put("mixed", mixed);
        }
        if (memif != null)
        {
            map.put("memif", memif.toMap());
        }
        return map;
    }

    private Map<String, Object> figures(final Families kind)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        final Map<String, Object> rounds = new LinkedHashMap<>();
        for (final String contestant : ratesOf(kind).contestants())
        {
            map.put(nameInJson(contestant) + "Mpps", rounded(median(kind, contestant)));
            rounds.put(contestant, Rounds.rounded(ratesOf(kind).of(contestant), DECIMALS));
        }
        for (final String peer : peers(kind))
        {
            final String name = nameInJson(peer);
            map.put("ratioTo" + Character.toUpperCase(name.charAt(0)) + name.substring(1), ratio(kind, peer));
        }
        final Map<String, Object> perPacket = new LinkedHashMap<>();
        cycles.getOrDefault(kind, Map.of()).forEach((stage, count) ->
            perPacket.put(stage, Math.round(count * 10) / 10.0));
        map.put("cyclesPerPacket", perPacket);
        map.put("rounds", rounds);
        return map;
    }

    private static String nameInJson(final String contestant)
    {
        final int space = contestant.indexOf(' ');
        return space < 0 ? contestant : contestant.substring(0, space) +
            Character.toUpperCase(contestant.charAt(space + 1)) + contestant.substring(space + 2);
    }

    void print(final PrintWriter out)
    {
        rates.forEach((kind, contestants) -> printRates(out, kind, contestants));
        if (ratioToMean() != null)
        {
            out.printf("the router's rate for alternating frames is %.2f times the mean of its rates for IPv4 and " +
                "IPv6%n", ratioToMean());
        }
        cycles.forEach((kind, stages) ->
        {
            out.printf("%ncycles a packet (time stamp counter), in full batches, %s%n", kind.label());
            stages.forEach((stage, count) -> out.printf("%-14s %8.1f%n", stage, count));
        });
        if (memif != null)
        {
            memif.print(out);
        }
    }

    private void printRates(final PrintWriter out, final Families kind, final Rounds<String> contestants)
    {
        out.printf("%n%-14s %8s  rounds (%d-byte frames)%n", kind.label(), "Mpps", frameSize);
        for (final String name : contestants.contestants())
        {
            out.printf("%-14s %8.1f  %s%n",
                name, contestants.median(name), Rounds.rounded(contestants.of(name), DECIMALS));
        }
        for (final String peer : peers(kind))
        {
            if (!peer.equals(CEILING))
            {
                out.printf("the router is %.2f times %s%n", ratio(kind, peer), peer);
            }
        }
    }

    private List<String> peers(final Families kind)
    {
        return ratesOf(kind).contestants().stream().filter(name -> !name.equals(FibnumaContestant.NAME)).toList();
    }

    /** Returns the rate for alternating frames divided by the mean of the rates for both families, or null. */
    private Double ratioToMean()
    {
        final Double ipv4 = median(Families.IPV4, FibnumaContestant.NAME);
        final Double ipv6 = median(Families.IPV6, FibnumaContestant.NAME);
        final Double mixed = median(Families.MIXED, FibnumaContestant.NAME);
        return ipv4 == null || ipv6 == null || mixed == null ? null : mixed / ((ipv4 + ipv6) / 2);
    }

    private Double ratio(final Families kind, final String peer)
    {
        return rounded(ratesOf(kind).ratio(FibnumaContestant.NAME, peer));
    }

    private Double median(final Families kind, final String name)
    {
        return ratesOf(kind).median(name);
    }

    private Rounds<String> ratesOf(final Families kind)
    {
        return rates.getOrDefault(kind, new Rounds<>());
    }

    private static Double rounded(final Double value)
    {
        return Rounds.rounded(value, DECIMALS);
    }
}
