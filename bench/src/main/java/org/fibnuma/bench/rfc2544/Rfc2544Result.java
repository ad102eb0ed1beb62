package org.fibnuma.bench.rfc2544;

import org.HdrHistogram.Histogram;
import org.fibnuma.bench.lab.Families;
import org.fibnuma.bench.lab.Rounds;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results in the order in which they were measured, one for each device and kind of frames. */
final class Rfc2544Result
{
    private static final double MICRO_NS = 1e3;
    private static final double MEGA = 1e6;
    private static final double PERCENT = 100;
    private static final int DECIMALS = 3;
    private static final int LOSS_DECIMALS = 6;

    private final List<Row> rows = new ArrayList<>();

    /**
     * One result.
     *
     * @param rig        name of the rig.
     * @param device     under test.
     * @param frameSize  bytes with FCS, or {@code imix}.
     * @param families   of the frames.
     * @param routes     of each family in the device; 0 if the tester does not know.
     * @param throughput of the device.
     * @param latencies  by the share of the throughput in percent, the throughput itself first.
     * @param losses     at the tester's highest rate first.
     * @param backToBack frames of the longest burst without loss.
     */
    record Row(
        String rig,
        String device,
        String frameSize,
        Families families,
        int routes,
        Benchmark.Throughput throughput,
        Map<Integer, Histogram> latencies,
        List<Benchmark.Loss> losses,
        long backToBack)
    {
        String line()
        {
            final Histogram latency = latencies.values().iterator().next();
            return String.format("%7.3f Mpps%s, latency p50 %.1f us, p99 %.1f us; %.1f %% lost at %.3f Mpps; burst %d",
                throughput.pps() / MEGA, throughput.isTesterLimited() ? " (limit of the tester)" : "",
                latency.getValueAtPercentile(50) / MICRO_NS, latency.getValueAtPercentile(99) / MICRO_NS,
                PERCENT * losses.get(0).lossRate(), losses.get(0).offeredPps() / MEGA, backToBack);
        }

        private Map<String, Object> toMap()
        {
            final Map<String, Object> map = new LinkedHashMap<>();
            map.put("rig", rig);
            map.put("device", device);
            map.put("frameSize", frameSize.matches("\\d+") ? (Object)Integer.valueOf(frameSize) : frameSize);
            map.put("family", families.option());
            map.put("routes", routes);
            map.put("throughputPps", Math.round(throughput.pps()));
            map.put("testerLimited", throughput.isTesterLimited());
            map.put("latencyUs", percentiles(latencies.values().iterator().next()));
            final Map<String, Object> lower = new LinkedHashMap<>();
            latencies.forEach((percent, histogram) -> lower.put(percent + "%", percentiles(histogram)));
            map.put("latencyUsAt", lower);
            map.put("offeredPps", Math.round(losses.get(0).offeredPps()));
            map.put("lossRate", Rounds.rounded(losses.get(0).lossRate(), LOSS_DECIMALS));
            map.put("lossRates", losses.stream().map(loss -> Map.of(
                "percent", loss.percent(), "offeredPps", Math.round(loss.offeredPps()),
                "lossRate", Rounds.rounded(loss.lossRate(), LOSS_DECIMALS))).toList());
            map.put("backToBack", backToBack);
            return map;
        }

        private static Map<String, Object> percentiles(final Histogram histogram)
        {
            final Map<String, Object> map = new LinkedHashMap<>();
            map.put("p50", micros(histogram, 50));
            map.put("p99", micros(histogram, 99));
            map.put("p999", micros(histogram, 99.9));
            map.put("p9999", micros(histogram, 99.99));
            return map;
        }

        private static double micros(final Histogram histogram, final double percentile)
        {
            return Rounds.rounded(histogram.getValueAtPercentile(percentile) / MICRO_NS, DECIMALS);
        }
    }

    void add(final Row row)
    {
        rows.add(row);
    }

    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("results", rows.stream().map(Row::toMap).toList());
        return map;
    }

    void print(final PrintWriter out)
    {
        out.printf("%n%-11s %-20s %5s %6s %7s %11s %9s %9s %9s %11s %9s%n",
            "rig", "device", "bytes", "family", "routes", "Mpps", "p50 us", "p99 us", "p999 us", "% lost", "burst");
        for (final Row row : rows)
        {
            final Histogram latency = row.latencies.values().iterator().next();
            out.printf("%-11s %-20s %5s %6s %7d %10.3f%s %9.1f %9.1f %9.1f %11.3f %9d%n",
                row.rig, row.device, row.frameSize, row.families.option(), row.routes, row.throughput.pps() / MEGA,
                row.throughput.isTesterLimited() ? "*" : " ", latency.getValueAtPercentile(50) / MICRO_NS,
                latency.getValueAtPercentile(99) / MICRO_NS, latency.getValueAtPercentile(99.9) / MICRO_NS,
                PERCENT * row.losses.get(0).lossRate(), row.backToBack);
        }
        out.printf("%n* the tester was the limit. Latency at the throughput; loss at the tester's highest rate.%n");
    }
}
