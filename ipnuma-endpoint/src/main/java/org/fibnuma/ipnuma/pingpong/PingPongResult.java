package org.fibnuma.ipnuma.pingpong;

import org.HdrHistogram.Histogram;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Result of a ping-pong.
 *
 * @param transport name of the measured transport, for display.
 * @param device    port or address, for display.
 * @param size      of the message, in bytes.
 * @param measured  round trips.
 */
public record PingPongResult(String transport, String device, int size, Measured measured)
{
    /** Longest round trip time that the histogram distinguishes, in ns. */
    static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(1);

    private static final int DIGITS = 3;
    private static final double MICRO = 1e3;
    private static final String COLUMNS = "#bytes #iterations t_min[usec] t_max[usec] t_typical[usec] t_avg[usec] " +
        "t_stdev[usec] 99% percentile[usec] 99.9% percentile[usec]";

    /**
     * Round trip times.
     *
     * @param histogram in ns.
     * @param nanos     total time.
     */
    public record Measured(Histogram histogram, long nanos)
    {
        /** Returns the round trips in a second. */
        public double loopsPerSecond()
        {
            return histogram.getTotalCount() * 1e9 / nanos;
        }
    }

    static Histogram newHistogram()
    {
        return new Histogram(LONGEST_NS, DIGITS);
    }

    /** Returns the values for JSON, with the whole round trip time in us. */
    public Map<String, Object> toMap()
    {
        final Histogram histogram = measured.histogram();
        final Map<String, Object> roundTrip = new LinkedHashMap<>();
        roundTrip.put("min", micros(histogram.getMinValue()));
        roundTrip.put("p50", micros(histogram.getValueAtPercentile(50)));
        roundTrip.put("p90", micros(histogram.getValueAtPercentile(90)));
        roundTrip.put("p99", micros(histogram.getValueAtPercentile(99)));
        roundTrip.put("p999", micros(histogram.getValueAtPercentile(99.9)));
        roundTrip.put("max", micros(histogram.getMaxValue()));
        roundTrip.put("mean", Math.round(histogram.getMean()) / MICRO);
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("transport", transport);
        map.put("device", device);
        map.put("size", size);
        map.put("iterations", histogram.getTotalCount());
        map.put("loopsPerSecond", Math.round(measured.loopsPerSecond()));
        map.put("rttUs", roundTrip);
        return map;
    }

    /** Prints perftest's columns, with the whole round trip time or, as perftest does, with half of it. */
    void print(final PrintWriter out, final boolean roundTrip)
    {
        final Histogram histogram = measured.histogram();
        final double unit = roundTrip ? MICRO : 2 * MICRO;
        out.println(COLUMNS);
        out.println(String.format(Locale.ROOT, " %-6d %-11d %-11.3f %-11.3f %-15.3f %-11.3f %-13.3f %-20.3f %-22.3f",
            size, histogram.getTotalCount(),
            histogram.getMinValue() / unit, histogram.getMaxValue() / unit,
            histogram.getValueAtPercentile(50) / unit, histogram.getMean() / unit, histogram.getStdDeviation() / unit,
            histogram.getValueAtPercentile(99) / unit, histogram.getValueAtPercentile(99.9) / unit).stripTrailing());
        out.println(String.format(Locale.ROOT, "%s over %s: %,.0f loops/s, times are of %s",
            transport, device, measured.loopsPerSecond(),
            roundTrip ? "the round trip" : "half the round trip"));
        out.flush();
    }

    private static double micros(final long nanos)
    {
        return nanos / MICRO;
    }
}
