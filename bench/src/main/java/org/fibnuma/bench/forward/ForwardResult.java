package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.Median;
import org.fibnuma.bench.memif.MemifResult;
import org.fibnuma.core.host.Machine;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rates in millions of frames a second by contender; the result is the median of the rounds. */
final class ForwardResult
{
    private static final String PEER = "testpmd mac";
    private static final String CEILING = "testpmd io";

    private final Map<String, List<Double>> rates = new LinkedHashMap<>();
    private final Map<String, Double> cycles = new LinkedHashMap<>();
    private final Map<String, Object> settings = new LinkedHashMap<>();
    private MemifResult memif;

    void add(final String contender, final double mpps)
    {
        rates.computeIfAbsent(contender, name -> new ArrayList<>()).add(mpps);
    }

    void cycles(final Map<String, Double> perPacket)
    {
        cycles.putAll(perPacket);
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
        map.put("mpps", rounded(median(FibnumaContender.NAME)));
        map.put("peerMpps", rounded(median(PEER)));
        map.put("ratio", ratio(PEER));
        map.put("ceilingMpps", rounded(median(CEILING)));
        if (rates.containsKey(L3fwdContender.NAME))
        {
            map.put("l3fwdMpps", rounded(median(L3fwdContender.NAME)));
            map.put("l3fwdRatio", ratio(L3fwdContender.NAME));
        }
        map.putAll(settings);
        final Map<String, Object> perPacket = new LinkedHashMap<>();
        cycles.forEach((stage, count) -> perPacket.put(stage, Math.round(count * 10) / 10.0));
        map.put("cyclesPerPacket", perPacket);
        final Map<String, Object> rounds = new LinkedHashMap<>();
        rates.forEach((name, values) -> rounds.put(name, values.stream().map(ForwardResult::rounded).toList()));
        map.put("rounds", rounds);
        if (memif != null)
        {
            map.put("memif", memif.toMap());
        }
        map.put("machine", Machine.facts());
        return map;
    }

    void print(final PrintWriter out)
    {
        out.printf("%n%-14s %8s  %s%n", "64-byte frames", "Mpps", "rounds");
        rates.forEach((name, values) -> out.printf("%-14s %8.1f  %s%n",
            name, median(name), values.stream().map(ForwardResult::rounded).toList()));
        if (rates.containsKey(PEER))
        {
            out.printf("the router is %.2f times testpmd in mac mode%n", ratio(PEER));
        }
        if (rates.containsKey(L3fwdContender.NAME))
        {
            out.printf("the router is %.2f times l3fwd%n", ratio(L3fwdContender.NAME));
        }
        if (!cycles.isEmpty())
        {
            out.printf("%ncycles a packet (time stamp counter), in full batches%n");
            cycles.forEach((stage, count) -> out.printf("%-14s %8.1f%n", stage, count));
        }
        if (memif != null)
        {
            memif.print(out);
        }
    }

    private Double ratio(final String peer)
    {
        return rates.containsKey(peer) ? rounded(median(FibnumaContender.NAME) / median(peer)) : null;
    }

    private Double median(final String name)
    {
        return rates.containsKey(name) ? Median.of(rates.get(name)) : null;
    }

    private static Double rounded(final Double value)
    {
        return value == null ? null : Math.round(value * 1000) / 1000.0;
    }
}
