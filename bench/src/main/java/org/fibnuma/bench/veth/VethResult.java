package org.fibnuma.bench.veth;

import org.fibnuma.bench.lab.Rounds;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rates in millions of frames a second, by contestant and sink. The result of a contestant is the median of its rounds,
 * with the best of its settings and the better of the two sinks.
 */
final class VethResult
{
    private static final String OURS = "fibnuma";
    private static final String PEER = "testpmd";
    private static final String KERNEL = "kernel";
    private static final int DECIMALS = 3;
    private static final Sink[] EITHER = Sink.values();

    private final Map<Sink, Rounds<String>> rates = new EnumMap<>(Sink.class);

    void add(final String contestant, final Sink sink, final double mpps)
    {
        rates.computeIfAbsent(sink, key -> new Rounds<>()).add(contestant, mpps);
    }

    Map<String, Object> toMap(final int frameSize)
    {
        final Map<String, Object> map = comparison(EITHER);
        map.put("frameSize", frameSize);
        final Map<String, Object> sinks = new LinkedHashMap<>();
        for (final Sink sink : Sink.values())
        {
            sinks.put(sink.label(), comparison(sink));
        }
        map.put("sinks", sinks);
        map.put("rounds", rounds());
        return map;
    }

    private Map<String, Object> comparison(final Sink... sinks)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("mpps", rounded(best(OURS, sinks)));
        map.put("peerMpps", rounded(best(PEER, sinks)));
        map.put("kernelMpps", rounded(best(KERNEL, sinks)));
        map.put("ratio", best(PEER, sinks) == null ? null : rounded(best(OURS, sinks) / best(PEER, sinks)));
        return map;
    }

    private Map<String, Object> rounds()
    {
        final Map<String, Object> rounds = new LinkedHashMap<>();
        for (final String name : contestants())
        {
            final Map<String, List<Double>> values = new LinkedHashMap<>();
            rates.forEach((sink, ofSink) -> values.put(sink.label(), Rounds.rounded(ofSink.of(name), DECIMALS)));
            rounds.put(name, values);
        }
        return rounds;
    }

    void print(final PrintWriter out)
    {
        out.printf("%n%-26s %12s %12s%n", "Mpps, one core forwards", "XDP sink", "kernel sink");
        for (final String name : contestants())
        {
            out.printf("%-26s %12.3f %12.3f%n",
                name, rates.get(Sink.XDP).median(name), rates.get(Sink.KERNEL).median(name));
        }
        if (best(PEER, EITHER) != null)
        {
            out.printf("%nbest result of the router / best result of testpmd: %.2f; both with the XDP sink: %.2f, " +
                "both with the kernel sink: %.2f%n",
                best(OURS, EITHER) / best(PEER, EITHER),
                best(OURS, Sink.XDP) / best(PEER, Sink.XDP),
                best(OURS, Sink.KERNEL) / best(PEER, Sink.KERNEL));
        }
        out.printf("best result of the router / best result of the kernel: %.2f%n",
            best(OURS, EITHER) / best(KERNEL, EITHER));
    }

    /** Returns the best median of the contestants whose names start with the prefix, or null if none was measured. */
    private Double best(final String prefix, final Sink... sinks)
    {
        return contestants().stream()
            .filter(name -> name.startsWith(prefix))
            .flatMap(name -> Arrays.stream(sinks).map(sink -> rates.get(sink).median(name)))
            .max(Double::compare)
            .orElse(null);
    }

    /** Returns the contestants; every one was measured with both sinks. */
    private Set<String> contestants()
    {
        return rates.getOrDefault(Sink.XDP, new Rounds<>()).contestants();
    }

    private static Double rounded(final Double value)
    {
        return Rounds.rounded(value, DECIMALS);
    }
}
