package org.fibnuma.bench.fuzz;

import org.fibnuma.core.memory.FrameMemory;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The result of a fuzzing run. */
public final class FuzzResult
{
    private final Map<String, Object> map = new LinkedHashMap<>();
    private final String violation;

    FuzzResult(
        final long seed,
        final long done,
        final double seconds,
        final List<FuzzFormat> formats,
        final long[] datagrams,
        final String violation)
    {
        this.violation = violation;
        map.put("datagrams", done);
        map.put("seed", seed);
        map.put("seconds", Math.round(seconds * 10) / 10.0);
        map.put("datagramsPerSecond", Math.round(done / seconds));
        map.put("boundsChecks", FrameMemory.BOUNDS_CHECKS);
        final Map<String, Object> byFormat = new LinkedHashMap<>();
        for (int i = 0; i < formats.size(); i++)
        {
            final FuzzFormat format = formats.get(i);
            final Map<String, Object> counts = new LinkedHashMap<>();
            counts.put("datagrams", datagrams[i]);
            counts.put("taken", format.tally().taken);
            counts.put("refused", format.tally().refused);
            byFormat.put(format.label(), counts);
        }
        map.put("formats", byFormat);
        map.put("violations", violation == null ? List.of() : List.of(violation));
    }

    /** Returns false if a datagram had an effect that is not permitted. */
    public boolean isClean()
    {
        return violation == null;
    }

    /** Returns the violation that ended the run, or null if there was none. */
    public String violation()
    {
        return violation;
    }

    /**
     * Returns a count of a format.
     *
     * @param format name of the format in configurations.
     * @param count  {@code datagrams}, {@code taken} or {@code refused}.
     * @return the number.
     */
    public long count(final String format, final String count)
    {
        return (Long)((Map<?, ?>)((Map<?, ?>)map.get("formats")).get(format)).get(count);
    }

    /** Returns names and values for JSON, in the order in which they are printed. */
    public Map<String, Object> toMap()
    {
        return map;
    }

    /** Prints the result for people. */
    public void print(final PrintWriter out)
    {
        map.forEach((name, value) -> out.printf("%-20s %s%n", name, value));
        out.flush();
    }
}
