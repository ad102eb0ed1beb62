package org.fibnuma.bench.pipeline;

import org.HdrHistogram.Histogram;
import org.fibnuma.bench.lab.Percentiles;

import org.fibnuma.bench.lab.Rounds;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Result of one run of {@code bench pipeline}. */
final class PipelineResult
{
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double PERCENT = 100;

    String table;
    int routes;
    int codeBits;
    int frameSize;
    double nsPerPacket;
    double medianNsPerPacket;
    double latencyRateMpps;
    Histogram latencies;
    Histogram undisturbed;
    double stallsPerSecond;
    double stalledShare;
    long received;
    long dropped;
    boolean fateBalanced;

    private double mpps()
    {
        return NANOS_PER_MICRO / nsPerPacket;
    }

    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("table", table);
        map.put("routes", routes);
        map.put("codeBits", codeBits);
        map.put("frameSize", frameSize);
        map.put("mpps", rounded(mpps()));
        map.put("nsPerPacket", rounded(nsPerPacket));
        map.put("medianNsPerPacket", rounded(medianNsPerPacket));
        map.put("latencyRateMpps", rounded(latencyRateMpps));
        map.put("latencyNs", Percentiles.of(latencies));
        map.put("undisturbedLatencyNs", Percentiles.of(undisturbed));
        map.put("stallsPerSecond", rounded(stallsPerSecond));
        map.put("stalledPercent", rounded(stalledShare * PERCENT));
        map.put("frames", received);
        map.put("dropped", dropped);
        map.put("fateBalanced", fateBalanced);
        return map;
    }

    void print(final PrintWriter out)
    {
        out.printf("%-26s %s, %,d routes, %d bits a code%n", "table", table, routes, codeBits);
        out.printf("%-26s %d bytes with FCS%n", "frames", frameSize);
        out.printf("%-26s %.2f Mpps, %.2f ns a packet (median %.2f)%n", "throughput of one worker",
            mpps(), nsPerPacket, medianNsPerPacket);
        out.printf("%-26s %s at %.2f Mpps%n", "latency ring to ring, ns", Percentiles.of(latencies), latencyRateMpps);
        out.printf("%-26s %s%n", "  where nothing stalled it", Percentiles.of(undisturbed));
        out.printf("%-26s %.0f a second, %.2f %% of the time%n", "stalls of the machine",
            stallsPerSecond, stalledShare * PERCENT);
        out.printf("%-26s %,d received, %,d dropped, %s%n", "fates", received, dropped,
            fateBalanced ? "balanced" : "NOT BALANCED");
    }

    private static double rounded(final double value)
    {
        return Rounds.rounded(value, 2);
    }
}
