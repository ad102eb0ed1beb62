package org.fibnuma.bench.changes;

import org.HdrHistogram.Histogram;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The times of all changes of one kind. */
final class ChangeTimes
{
    /** The longest time that is waited for, in ns. */
    static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int DIGITS = 3;
    private static final double MEDIAN = 50;
    private static final double HIGH = 99;

    private final Histogram times = new Histogram(LONGEST_NS, DIGITS);
    private long firstNs;

    /** Adds a time in ns; longer ones than {@link #LONGEST_NS} count as this. */
    void add(final long timeNs)
    {
        if (times.getTotalCount() == 0)
        {
            firstNs = timeNs;
        }
        times.recordValue(Math.min(LONGEST_NS, timeNs));
    }

    /** Returns the first, median and longest time and the 99th percentile by their names in the results, in us. */
    Map<String, Long> micros()
    {
        final Map<String, Long> map = new LinkedHashMap<>();
        map.put("firstUs", micros(firstNs));
        map.put("medianUs", micros(times.getValueAtPercentile(MEDIAN)));
        map.put("p99Us", micros(times.getValueAtPercentile(HIGH)));
        map.put("longestUs", micros(times.getMaxValue()));
        return map;
    }

    private static long micros(final long nanos)
    {
        return TimeUnit.NANOSECONDS.toMicros(nanos);
    }
}
