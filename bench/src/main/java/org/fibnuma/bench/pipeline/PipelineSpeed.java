package org.fibnuma.bench.pipeline;

import org.fibnuma.bench.lab.Percentiles;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Measures the time of a frame in full batches, and then the latency at half that rate. */
final class PipelineSpeed implements PipelineMeasurement
{
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double FRAMES_PER_MEGA = 1e6;
    private static final double PERCENT = 100;

    private final PipelineRig rig;
    private final Map<String, Object> settings = new LinkedHashMap<>();
    private final PipelineThroughput throughput;
    private final PipelineLatency latency;
    private double latencyRateMpps;
    private long received;
    private long dropped;

    /**
     * Creates the measurement.
     *
     * @param rig         without IPv6 routes.
     * @param table       name of its table for the result.
     * @param routes      number of its routes for the result.
     * @param frameLength of the frames in bytes, without FCS.
     * @param frameSize   the same with FCS, for the result.
     */
    PipelineSpeed(
        final PipelineRig rig, final String table, final int routes, final int frameLength, final int frameSize)
    {
        this.rig = rig;
        settings.put("table", table);
        settings.put("routes", routes);
        settings.put("codeBits", rig.codeBits());
        settings.put("frameSize", frameSize);
        throughput = new PipelineThroughput(rig, frameLength);
        latency = new PipelineLatency(rig, frameLength);
    }

    @Override
    public void measure(final long warmUpNs, final long durationNs)
    {
        throughput.warmUp(warmUpNs);
        final FateReport before = rig.fates();
        throughput.measure(durationNs);
        final double rate = TimeUnit.SECONDS.toNanos(1) / throughput.nsPerPacket() / 2;
        latency.measure(rate, warmUpNs, durationNs);
        latencyRateMpps = rate / FRAMES_PER_MEGA;
        final FateReport after = rig.fates();
        received = after.get(ForwarderCounter.RECEIVED) - before.get(ForwarderCounter.RECEIVED);
        dropped = after.dropped() - before.dropped();
    }

    @Override
    public boolean isComplete()
    {
        return rig.fates().isBalanced() && dropped == 0;
    }

    private double mpps()
    {
        return NANOS_PER_MICRO / throughput.nsPerPacket();
    }

    @Override
    public Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>(settings);
        map.put("mpps", rounded(mpps()));
        map.put("nsPerPacket", rounded(throughput.nsPerPacket()));
        map.put("medianNsPerPacket", rounded(throughput.medianNsPerPacket()));
        map.put("latencyRateMpps", rounded(latencyRateMpps));
        map.put("latencyNs", Percentiles.of(latency.latencies()));
        map.put("undisturbedLatencyNs", Percentiles.of(latency.undisturbed()));
        map.put("stallsPerSecond", rounded(latency.stallsPerSecond()));
        map.put("stalledPercent", rounded(latency.stalledShare() * PERCENT));
        map.put("frames", received);
        map.put("dropped", dropped);
        map.put("fateBalanced", rig.fates().isBalanced());
        return map;
    }

    @Override
    public void print(final PrintWriter out)
    {
        out.printf("%-26s %s, %,d routes, %d bits a code%n", "table",
            settings.get("table"), settings.get("routes"), settings.get("codeBits"));
        out.printf("%-26s %d bytes with FCS%n", "frames", settings.get("frameSize"));
        out.printf("%-26s %.2f Mpps, %.2f ns a packet (median %.2f)%n", "throughput of one worker",
            mpps(), throughput.nsPerPacket(), throughput.medianNsPerPacket());
        out.printf("%-26s %s at %.2f Mpps%n", "latency ring to ring, ns",
            Percentiles.of(latency.latencies()), latencyRateMpps);
        out.printf("%-26s %s%n", "  where nothing stalled it", Percentiles.of(latency.undisturbed()));
        out.printf("%-26s %.0f a second, %.2f %% of the time%n", "stalls of the machine",
            latency.stallsPerSecond(), latency.stalledShare() * PERCENT);
        out.printf("%-26s %,d received, %,d dropped, %s%n", "fates", received, dropped,
            rig.fates().isBalanced() ? "balanced" : "NOT BALANCED");
    }

    private static double rounded(final double value)
    {
        return Rounds.rounded(value, 2);
    }
}
