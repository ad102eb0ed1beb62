package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.Median;
import org.fibnuma.bench.memif.MemifResult;
import org.fibnuma.core.host.Machine;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Rates in millions of frames a second by capture and contender; the result is the median of the rounds or slices. */
final class ForwardResult
{
    private static final String PEER = "testpmd mac";
    private static final String CEILING = "testpmd io";

    private final Map<CaptureKind, Map<String, List<Double>>> rates = new EnumMap<>(CaptureKind.class);
    private final Map<CaptureKind, Map<String, Double>> cycles = new EnumMap<>(CaptureKind.class);
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

    void add(final CaptureKind kind, final String contender, final double mpps)
    {
        rates.computeIfAbsent(kind, ignore -> new LinkedHashMap<>())
            .computeIfAbsent(contender, ignore -> new ArrayList<>()).add(mpps);
    }

    void cycles(final CaptureKind kind, final Map<String, Double> perPacket)
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
        map.put("mpps", rounded(median(CaptureKind.IPV4, FibnumaContender.NAME)));
        map.put("peerMpps", rounded(median(CaptureKind.IPV4, PEER)));
        map.put("ratio", ratio(CaptureKind.IPV4, PEER));
        map.put("ceilingMpps", rounded(median(CaptureKind.IPV4, CEILING)));
        map.putAll(figures(CaptureKind.IPV4));
        map.putAll(settings);
        if (rates.containsKey(CaptureKind.IPV6))
        {
            map.put("ipv6", figures(CaptureKind.IPV6));
        }
        if (rates.containsKey(CaptureKind.MIXED))
        {
            final Map<String, Object> mixed = figures(CaptureKind.MIXED);
            mixed.put("ratioToMean", rounded(ratioToMean()));
            map.put("mixed", mixed);
        }
        if (memif != null)
        {
            map.put("memif", memif.toMap());
        }
        map.put("machine", Machine.facts());
        return map;
    }

    private Map<String, Object> figures(final CaptureKind kind)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        final Map<String, Object> rounds = new LinkedHashMap<>();
        ratesOf(kind).forEach((contender, values) ->
        {
            map.put(nameInJson(contender) + "Mpps", rounded(Median.of(values)));
            rounds.put(contender, values.stream().map(ForwardResult::rounded).toList());
        });
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

    private static String nameInJson(final String contender)
    {
        final int space = contender.indexOf(' ');
        return space < 0 ? contender : contender.substring(0, space) +
            Character.toUpperCase(contender.charAt(space + 1)) + contender.substring(space + 2);
    }

    void print(final PrintWriter out)
    {
        rates.forEach((kind, contenders) -> printRates(out, kind, contenders));
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

    private void printRates(final PrintWriter out, final CaptureKind kind, final Map<String, List<Double>> contenders)
    {
        out.printf("%n%-14s %8s  rounds (%d-byte frames)%n", kind.label(), "Mpps", frameSize);
        contenders.forEach((name, values) -> out.printf("%-14s %8.1f  %s%n",
            name, Median.of(values), values.stream().map(ForwardResult::rounded).toList()));
        for (final String peer : peers(kind))
        {
            if (!peer.equals(CEILING))
            {
                out.printf("the router is %.2f times %s%n", ratio(kind, peer), peer);
            }
        }
    }

    private List<String> peers(final CaptureKind kind)
    {
        return ratesOf(kind).keySet().stream().filter(name -> !name.equals(FibnumaContender.NAME)).toList();
    }

    /** Returns the rate for alternating frames divided by the mean of the rates for both families, or null. */
    private Double ratioToMean()
    {
        final Double ipv4 = median(CaptureKind.IPV4, FibnumaContender.NAME);
        final Double ipv6 = median(CaptureKind.IPV6, FibnumaContender.NAME);
        final Double mixed = median(CaptureKind.MIXED, FibnumaContender.NAME);
        return ipv4 == null || ipv6 == null || mixed == null ? null : mixed / ((ipv4 + ipv6) / 2);
    }

    /** Returns the median of the ratios of the rounds: what follows each other is disturbed alike. */
    private Double ratio(final CaptureKind kind, final String peer)
    {
        final List<Double> ours = ratesOf(kind).get(FibnumaContender.NAME);
        final List<Double> theirs = ratesOf(kind).get(peer);
        return theirs == null ? null : rounded(Median.of(
            IntStream.range(0, theirs.size()).mapToObj(round -> ours.get(round) / theirs.get(round)).toList()));
    }

    private Double median(final CaptureKind kind, final String name)
    {
        final List<Double> values = ratesOf(kind).get(name);
        return values == null ? null : Median.of(values);
    }

    private Map<String, List<Double>> ratesOf(final CaptureKind kind)
    {
        return rates.getOrDefault(kind, Map.of());
    }

    private static Double rounded(final Double value)
    {
        return value == null ? null : Math.round(value * 1000) / 1000.0;
    }
}
