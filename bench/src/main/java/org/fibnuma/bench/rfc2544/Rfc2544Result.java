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
     * @param ports      links from which frames come, and to which they go.
     * @param routes     of each family in the device; 0 if the tester does not know.
     * @param flows      most destinations of each family, to which the frames go in turn.
     * @param throughput of the device.
     * @param latencies  by the share of the throughput in percent, the throughput itself first; empty if not measured.
     * @param losses     at the tester's highest rate first; empty if not measured.
     * @param backToBack frames of the longest burst without loss; null if not measured.
     */
    record Row(
        String rig,
        String device,
        String frameSize,
        Families families,
        PortCounts ports,
        int routes,
        int flows,
        Benchmark.Throughput throughput,
        Map<Integer, Histogram> latencies,
        List<Benchmark.Loss> losses,
        Long backToBack)
    {
        String line()
        {
            return String.format("%7.3f Mpps%s%s; %.1f %% lost at %.3f Mpps%s",
                throughput.pps() / MEGA, throughput.isTesterLimited() ? " (limit of the tester)" : "",
                latencies.isEmpty() ? "" : String.format(", latency p50 %s us, p99 %s us", micros(50), micros(99)),
                PERCENT * throughput.most().lossRate(), throughput.most().offeredPps() / MEGA,
                backToBack == null ? "" : "; burst " + backToBack);
        }

        /** Returns a percentile of the latency at the throughput as text. */
        private String micros(final double percentile)
        {
            return latencies.isEmpty() ? "-" :
                String.format("%.1f", micros(latencies.values().iterator().next(), percentile));
        }

        private Map<String, Object> toMap()
        {
            final Map<String, Object> map = new LinkedHashMap<>();
            map.put("rig", rig);
            map.put("device", device);
            map.put("frameSize", frameSize.matches("\\d+") ? (Object)Integer.valueOf(frameSize) : frameSize);
            map.put("family", families.option());
            map.put("ports", ports.toString());
            map.put("routes", routes);
            map.put("flows", flows);
            map.put("throughputPps", Math.round(throughput.pps()));
            map.put("testerLimited", throughput.isTesterLimited());
            map.put("offeredPps", Math.round(throughput.most().offeredPps()));
            map.put("lossRate", Rounds.rounded(throughput.most().lossRate(), LOSS_DECIMALS));
            if (!latencies.isEmpty())
            {
                map.put("latencyUs", percentiles(latencies.values().iterator().next()));
                final Map<String, Object> lower = new LinkedHashMap<>();
                latencies.forEach((percent, histogram) -> lower.put(percent + "%", percentiles(histogram)));
                map.put("latencyUsAt", lower);
            }
            if (!losses.isEmpty())
            {
                map.put("lossRates", losses.stream().map(loss -> Map.of(
                    "percent", loss.percent(), "offeredPps", Math.round(loss.offeredPps()),
                    "lossRate", Rounds.rounded(loss.lossRate(), LOSS_DECIMALS))).toList());
            }
            if (backToBack != null)
            {
                map.put("backToBack", backToBack);
            }
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
        out.printf("%n%-11s %-20s %5s %6s %5s %7s %6s %11s %9s %9s %9s %11s %9s%n", "rig", "device", "bytes",
            "family", "ports", "routes", "flows", "Mpps", "p50 us", "p99 us", "p999 us", "% lost", "burst");
        for (final Row row : rows)
        {
            out.printf("%-11s %-20s %5s %6s %5s %7d %6d %10.3f%s %9s %9s %9s %11.3f %9s%n",
                row.rig, row.device, row.frameSize, row.families.option(), row.ports, row.routes, row.flows,
                row.throughput.pps() / MEGA, row.throughput.isTesterLimited() ? "*" : " ",
                row.micros(50), row.micros(99), row.micros(99.9),
                PERCENT * row.throughput.most().lossRate(), row.backToBack == null ? "-" : row.backToBack);
        }
        out.printf("%n* the tester was the limit. Latency at the throughput; loss at the tester's highest rate.%n");
    }
}
