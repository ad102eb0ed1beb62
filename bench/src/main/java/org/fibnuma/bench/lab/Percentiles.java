package org.fibnuma.bench.lab;

import org.HdrHistogram.Histogram;

import java.util.LinkedHashMap;
import java.util.Map;

/** The percentiles of latencies that results have. */
public final class Percentiles
{
    private static final double[] PERCENTILES = {50, 99, 99.9, 99.99};
    private static final String[] NAMES = {"p50", "p99", "p999", "p9999"};

    private Percentiles()
    {
    }

    /** Returns the percentiles and the largest value by their names in JSON, in the unit of the histogram. */
    public static Map<String, Long> of(final Histogram latencies)
    {
        final Map<String, Long> map = new LinkedHashMap<>();
        for (int i = 0; i < PERCENTILES.length; i++)
        {
            map.put(NAMES[i], latencies.getValueAtPercentile(PERCENTILES[i]));
        }
        map.put("max", latencies.getMaxValue());
        return map;
    }
}
