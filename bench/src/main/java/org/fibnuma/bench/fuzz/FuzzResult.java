package org.fibnuma.bench.fuzz;

import org.fibnuma.core.host.Machine;
import org.fibnuma.core.memory.FrameMemory;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a fuzzing run found. */
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
        map.put("machine", Machine.facts());
    }

    /**
     * Whether nothing was found.
     *
     * @return false where a datagram did what it may not.
     */
    public boolean isClean()
    {
        return violation == null;
    }

    /**
     * What was found.
     *
     * @return null where nothing was.
     */
    public String violation()
    {
        return violation;
    }

    /**
     * How often something of a kind was counted for a format.
     *
     * @param format as configurations name it.
     * @param count  {@code datagrams}, {@code taken} or {@code refused}.
     * @return the number.
     */
    public long count(final String format, final String count)
    {
        return (Long)((Map<?, ?>)((Map<?, ?>)map.get("formats")).get(format)).get(count);
    }

    /**
     * For JSON.
     *
     * @return names and values in the order in which they are printed.
     */
    public Map<String, Object> toMap()
    {
        return map;
    }

    /**
     * For people.
     *
     * @param out receives some lines.
     */
    public void print(final PrintWriter out)
    {
        map.forEach((name, value) -> out.printf("%-20s %s%n", name, value));
        out.flush();
    }
}
