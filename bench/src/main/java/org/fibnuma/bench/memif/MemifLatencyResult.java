package org.fibnuma.bench.memif;

import org.HdrHistogram.Histogram;
import org.fibnuma.bench.lab.Percentiles;

import java.util.LinkedHashMap;
import java.util.Map;

/** Result of {@link MemifLatency}. */
public final class MemifLatencyResult
{
    private static final double PERCENT = 100;

    double limitMpps;
    double limitIdleShare;
    long limitLost;
    double reducedMpps;
    double reducedIdleShare;
    long reducedSent;
    long reducedLost;
    double latencyMpps;
    long latencyLost;
    Histogram latencies;
    Histogram undisturbed;
    double stallsPerSecond;
    double stalledShare;

    MemifLatencyResult()
    {
    }

    /** Returns the result for JSON, with the same names as in bench pipeline. */
    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("ownGeneratorMpps", MemifResult.rounded(limitMpps));
        map.put("ownGeneratorIdlePollPercent", MemifResult.rounded(PERCENT * limitIdleShare));
        map.put("ownGeneratorLost", limitLost);
        map.put("mppsAt90Percent", MemifResult.rounded(reducedMpps));
        map.put("sentAt90Percent", reducedSent);
        map.put("lostAt90Percent", reducedLost);
        map.put("idlePollPercentAt90Percent", MemifResult.rounded(PERCENT * reducedIdleShare));
        map.put("latencyRateMpps", MemifResult.rounded(latencyMpps));
        map.put("latencyLost", latencyLost);
        map.put("latencyNs", Percentiles.of(latencies));
        map.put("undisturbedLatencyNs", Percentiles.of(undisturbed));
        map.put("undisturbedPercent",
            MemifResult.rounded(PERCENT * undisturbed.getTotalCount() / latencies.getTotalCount()));
        map.put("stallsPerSecond", MemifResult.rounded(stallsPerSecond));
        map.put("stalledPercent", MemifResult.rounded(PERCENT * stalledShare));
        return map;
    }
}
