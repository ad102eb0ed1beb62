package org.fibnuma.bench.veth;

import java.io.PrintWriter;
import java.util.Collections;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Medians of all rounds.
 *
 * @param rates by contestant, in millions of frames a second, one for each round.
 */
record VethResult(Map<String, List<Double>> rates)
{
    private static final String OURS = "fibnuma";
    private static final String PEER = "testpmd";
    private static final String KERNEL = "kernel";

    Map<String, Object> toMap(final int frameSize, final SinkKind sink)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("mpps", rounded(best(OURS)));
        map.put("peerMpps", rounded(best(PEER)));
        map.put("kernelMpps", rounded(best(KERNEL)));
        map.put("ratio", best(PEER) == null ? null : rounded(best(OURS) / best(PEER)));
        map.put("frameSize", frameSize);
        map.put("sink", sink.toString());
        final Map<String, List<Double>> rounds = new LinkedHashMap<>();
        rates.forEach((name, values) -> rounds.put(name, values.stream().map(VethResult::rounded).toList()));
        map.put("rounds", rounds);
        map.put("machine", Map.of(
            "cores", Runtime.getRuntime().availableProcessors(),
            "kernel", System.getProperty("os.version"),
            "java", System.getProperty("java.vm.version")));
        return map;
    }

    void print(final PrintWriter out)
    {
        out.printf("%-28s %10s%n", "forwarder on one core", "Mpps");
        rates.forEach((name, values) -> out.printf("%-28s %10.3f%n", name, median(values)));
        if (best(PEER) != null)
        {
            out.printf("%n%.2f times testpmd's best setting, %.2f times the kernel%n",
                best(OURS) / best(PEER), best(OURS) / best(KERNEL));
        }
    }

    /** The best setting of those whose names start so; null where none was measured. */
    private Double best(final String prefix)
    {
        return rates.entrySet().stream()
            .filter(entry -> entry.getKey().startsWith(prefix))
            .map(entry -> median(entry.getValue()))
            .max(Double::compare)
            .orElse(null);
    }

    private static double median(final List<Double> values)
    {
        final List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        final int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private static Double rounded(final Double value)
    {
        return value == null ? null : Math.round(value * 1000) / 1000.0;
    }
}
