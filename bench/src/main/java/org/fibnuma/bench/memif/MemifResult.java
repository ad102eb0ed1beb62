package org.fibnuma.bench.memif;

import org.fibnuma.bench.lab.Rounds;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** Result of all measurements: first the forwarders in turn, then {@link MemifLatency}. */
public final class MemifResult
{
    private final Map<String, List<MemifThroughput.Result>> rounds = new LinkedHashMap<>();
    private MemifLatencyResult latency;

    private MemifResult()
    {
    }

    /**
     * Measures.
     *
     * @param rig          for all measurements.
     * @param withPeer     whether testpmd is installed.
     * @param destinations for the paced generator, in the table.
     * @param count        of rounds.
     * @param duration     of a measurement.
     * @param course       receives a line for each figure when it is measured.
     * @return all figures.
     */
    public static MemifResult measure(
        final MemifRig rig,
        final boolean withPeer,
        final int[] destinations,
        final int count,
        final Duration duration,
        final Consumer<String> course)
    {
        final MemifResult result = new MemifResult();
        final List<String> forwarders =
            withPeer ? List.of(MemifForwarder.ROUTER, MemifForwarder.PEER) : List.of();
        for (int round = 1; round <= count; round++)
        {
            for (final String forwarder : forwarders)
            {
                final MemifThroughput.Result one = MemifThroughput.measure(forwarder, rig, duration);
                result.rounds.computeIfAbsent(forwarder, name -> new ArrayList<>()).add(one);
                course.accept(String.format("memif round %d: %-12s %6.1f Mpps of %.1f", round, forwarder, one.mpps(),
                    one.generatorMpps()));
            }
        }
        result.latency = MemifLatency.measure(rig, destinations, duration);
        return result;
    }

    /** Returns the figures for JSON by name; those that need testpmd are missing without it. */
    public Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        if (!rounds.isEmpty())
        {
            final double mpps = median(MemifForwarder.ROUTER, MemifThroughput.Result::mpps);
            final double peer = median(MemifForwarder.PEER, MemifThroughput.Result::mpps);
            map.put("mpps", rounded(mpps));
            map.put("peerMpps", rounded(peer));
            map.put("ratio", rounded(mpps / peer));
            map.put("generatorMpps", rounded(
                median(MemifForwarder.ROUTER, MemifThroughput.Result::generatorMpps)));
            map.put("droppedPercent", rounded(
                median(MemifForwarder.ROUTER, MemifThroughput.Result::droppedPercent)));
            map.put("idlePollPercent", rounded(
                median(MemifForwarder.ROUTER, MemifThroughput.Result::idlePercent)));
            map.put("framesPerPoll", rounded(
                median(MemifForwarder.ROUTER, MemifThroughput.Result::framesPerPoll)));
            rounds.forEach((name, values) -> map.put(
                name + " rounds", values.stream().map(value -> rounded(value.mpps())).toList()));
        }
        map.putAll(latency.toMap());
        return map;
    }

    /**
     * Prints the figures.
     *
     * @param out to print to.
     */
    public void print(final PrintWriter out)
    {
        out.printf("%nmemif, 64-byte frames%n");
        toMap().forEach((name, value) -> out.printf("%-28s %s%n", name, value));
    }

    private double median(final String forwarder, final ToDoubleFunction<MemifThroughput.Result> figure)
    {
        return Rounds.median(rounds.get(forwarder).stream().map(figure::applyAsDouble).toList());
    }

    static double rounded(final double value)
    {
        return Rounds.rounded(value, 3);
    }
}
