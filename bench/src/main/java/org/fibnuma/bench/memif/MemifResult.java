package org.fibnuma.bench.memif;

import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.bench.lab.Testpmd;
import org.fibnuma.bench.lab.Turns;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** Rates of the forwarders, measured in turn. */
public final class MemifResult
{
    private final Map<String, List<MemifThroughput.Result>> rounds = new LinkedHashMap<>();

    private MemifResult()
    {
    }

    /**
     * Measures the forwarders in turn if testpmd is installed, which is also their generator.
     *
     * @param rig      for all measurements.
     * @param count    number of rounds.
     * @param duration time of a measurement.
     * @param progress prints a line of progress.
     * @return all figures.
     * @throws IOException if a measurement fails.
     */
    public static MemifResult measure(
        final MemifRig rig,
        final int count,
        final Duration duration,
        final Consumer<String> progress) throws IOException
    {
        final MemifResult result = new MemifResult();
        if (Testpmd.missing() == null)
        {
            final Turns turns = new Turns(progress);
            for (final MemifForwarder forwarder : List.of(MemifForwarder.FIBNUMA, MemifForwarder.TESTPMD))
            {
                turns.add("memif " + forwarder.name(), MemifThroughput.WARM_UP.plus(duration), () ->
                {
                    final MemifThroughput.Result one = MemifThroughput.measure(forwarder, rig, duration);
                    result.rounds.computeIfAbsent(forwarder.name(), name -> new ArrayList<>()).add(one);
                    return String.format("%6.1f Mpps of %.1f", one.mpps(), one.generatorMpps());
                });
            }
            turns.run("round", count);
        }
        return result;
    }

    /** Returns the figures for JSON by name; those that need testpmd are missing without it. */
    public Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        if (!rounds.isEmpty())
        {
            final double mpps = median(MemifForwarder.FIBNUMA, MemifThroughput.Result::mpps);
            final double peer = median(MemifForwarder.TESTPMD, MemifThroughput.Result::mpps);
            map.put("mpps", rounded(mpps));
            map.put("peerMpps", rounded(peer));
            map.put("ratio", rounded(mpps / peer));
            map.put("generatorMpps", rounded(
                median(MemifForwarder.FIBNUMA, MemifThroughput.Result::generatorMpps)));
            map.put("droppedPercent", rounded(
                median(MemifForwarder.FIBNUMA, MemifThroughput.Result::droppedPercent)));
            map.put("idlePollPercent", rounded(
                median(MemifForwarder.FIBNUMA, MemifThroughput.Result::idlePercent)));
            map.put("framesPerPoll", rounded(
                median(MemifForwarder.FIBNUMA, MemifThroughput.Result::framesPerPoll)));
            rounds.forEach((name, values) -> map.put(
                name + " rounds", values.stream().map(value -> rounded(value.mpps())).toList()));
        }
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

    private double median(final MemifForwarder forwarder, final ToDoubleFunction<MemifThroughput.Result> figure)
    {
        return Rounds.median(rounds.get(forwarder.name()).stream().map(figure::applyAsDouble).toList());
    }

    static double rounded(final double value)
    {
        return Rounds.rounded(value, 3);
    }
}
