package org.fibnuma.bench.pipeline;

import org.fibnuma.core.host.Machine;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures how much exceptions slow down all frames. Time slices with ordinary frames alternate with slices that
 * contain exceptions too, so that disturbances by the machine affect both alike.
 */
final class PipelineSlowdown
{
    private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(2);
    private static final double ROUNDING = 1000;

    private final PipelineRig rig;
    private final PipelineThroughput throughput;
    private final int interval;
    private final List<TestFrameKind> exceptions;
    private double[] without;
    private double[] with;

    /**
     * Creates the measurement.
     *
     * @param interval   one frame in so many is an exception.
     * @param exceptions their kinds, in turn.
     */
    PipelineSlowdown(
        final PipelineRig rig, final int frameLength, final int interval, final List<TestFrameKind> exceptions)
    {
        this.rig = rig;
        this.throughput = new PipelineThroughput(rig, frameLength);
        this.interval = interval;
        this.exceptions = exceptions;
    }

    void measure(final long warmUpNs, final long durationNs)
    {
        rig.connectUnresolved();
        throughput.warmUp(warmUpNs);
        throughput.run(warmUpNs, interval, exceptions);
        awaitNoHeldFrames();
        final int rounds = (int)Math.max(3, durationNs / (2 * SLICE_NS));
        without = new double[rounds];
        with = new double[rounds];
        for (int i = 0; i < rounds; i++)
        {
            without[i] = slice(Integer.MAX_VALUE, List.of());
            with[i] = slice(interval, exceptions);
            awaitNoHeldFrames();
        }
        Arrays.sort(without);
        Arrays.sort(with);
    }

    private double slice(final int exceptionInterval, final List<TestFrameKind> kinds)
    {
        throughput.reset();
        throughput.run(SLICE_NS, exceptionInterval, kinds);
        return throughput.nsPerPacket();
    }

    private void awaitNoHeldFrames()
    {
        final long deadline = System.nanoTime() + QUIET_NS;
        do
        {
            rig.router().doWork();
        }
        while (rig.fates().get(ForwarderCounter.HELD) > 0 && System.nanoTime() - deadline < 0);
    }

    private static double median(final double[] sorted)
    {
        return sorted[sorted.length / 2];
    }

    private double slowdown()
    {
        return median(with) / median(without);
    }

    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("exceptions", exceptions.stream().map(kind -> kind.name().toLowerCase()).toList());
        map.put("oneIn", interval);
        map.put("nsPerPacketWithout", rounded(median(without)));
        map.put("nsPerPacketWith", rounded(median(with)));
        map.put("slowdown", rounded(slowdown()));
        map.put("slices", without.length);
        map.put("fateBalanced", rig.fates().isBalanced());
        map.put("machine", Machine.facts());
        return map;
    }

    void print(final PrintWriter out)
    {
        out.printf("%-26s one frame in %,d: %s%n", "exceptions", interval, exceptions);
        out.printf("%-26s %.2f ns a packet without them, %.2f with them (medians of %d slices in turn)%n",
            "one worker", median(without), median(with), without.length);
        out.printf("%-26s %.3f%n", "slowdown", slowdown());
        Machine.facts().forEach((name, value) -> out.printf("%-26s %s%n", name, value));
    }

    private static double rounded(final double value)
    {
        return Math.round(value * ROUNDING) / ROUNDING;
    }
}
