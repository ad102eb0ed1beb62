package org.fibnuma.bench.pipeline;

import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures how much the exceptions of a mix slow down all frames, and IPv4 and IPv6 each other. Time slices with the
 * mix alternate with slices without its exceptions. If the mix has both families, they also alternate with slices of
 * each family alone.
 */
final class PipelineSlowdown implements PipelineMeasurement
{
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int DECIMALS = 3;

    private final PipelineRig rig;
    private final PipelineThroughput throughput;
    private final TrafficMix mix;
    private final Integer oneIn;
    private final Use with;
    private final Use without;
    private final Use ipv4 = new Use(TrafficMix.of(TestFrameKind.IPV4).sequence());
    private final Use ipv6 = new Use(TrafficMix.of(TestFrameKind.IPV6).sequence());
    private Rounds<Use> times = new Rounds<>();

    /** A repeated sequence of frames; two uses may have the same. */
    private static final class Use
    {
        private final TestFrameKind[] kinds;

        Use(final TestFrameKind[] kinds)
        {
            this.kinds = kinds;
        }
    }

    /**
     * Creates the measurement.
     *
     * @param rig         with IPv6 routes if the mix has ordinary IPv6 frames.
     * @param frameLength of the frames in bytes, without FCS.
     * @param mix         of the frames.
     * @param oneIn       interval of the exceptions for the result, or null.
     */
    PipelineSlowdown(final PipelineRig rig, final int frameLength, final TrafficMix mix, final Integer oneIn)
    {
        this.rig = rig;
        this.throughput = new PipelineThroughput(rig, frameLength);
        this.mix = mix;
        this.oneIn = oneIn;
        this.with = new Use(mix.sequence());
        this.without = new Use(mix.withoutExceptions().sequence());
    }

    private boolean hasBothFamilies()
    {
        return mix.parts(TestFrameKind.IPV4) > 0 && mix.parts(TestFrameKind.IPV6) > 0;
    }

    @Override
    public void measure(final long warmUpNs, final long durationNs)
    {
        rig.connectUnresolved();
        throughput.warmUp(warmUpNs);
        throughput.run(warmUpNs, with.kinds);
        awaitNoHeldFrames();
        times = TimedCycle.inTurn(
            hasBothFamilies() ? List.of(without, with, ipv4, ipv6) : List.of(without, with), durationNs, this::slice);
    }

    private double slice(final Use use)
    {
        throughput.reset();
        throughput.run(TimedCycle.SLICE_NS, use.kinds);
        awaitNoHeldFrames();
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

    private double slowdown()
    {
        return times.median(with) / times.median(without);
    }

    /** Returns the time a frame of both families divided by the mean of the times of each alone, by their parts. */
    private double slowdownOfMixing()
    {
        final double ipv4Parts = mix.parts(TestFrameKind.IPV4);
        final double ipv6Parts = mix.parts(TestFrameKind.IPV6);
        return times.median(without) * (ipv4Parts + ipv6Parts) /
            (times.median(ipv4) * ipv4Parts + times.median(ipv6) * ipv6Parts);
    }

    @Override
    public Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("mix", mix.toMap());
        map.put("exceptions", mix.exceptions());
        map.put("nsPerPacketWithout", rounded(times.median(without)));
        map.put("nsPerPacketWith", rounded(times.median(with)));
        map.put("slowdown", rounded(slowdown()));
        if (hasBothFamilies())
        {
            map.put("nsPerPacketIpv4", rounded(times.median(ipv4)));
            map.put("nsPerPacketIpv6", rounded(times.median(ipv6)));
            map.put("slowdownOfMixing", rounded(slowdownOfMixing()));
        }
        map.put("slices", times.of(without).size());
        map.put("fateBalanced", rig.fates().isBalanced());
        if (oneIn != null)
        {
            map.put("oneIn", oneIn);
        }
        return map;
    }

    @Override
    public boolean isComplete()
    {
        return rig.fates().isBalanced();
    }

    @Override
    public void print(final PrintWriter out)
    {
        out.printf("%-26s %s%n", "frames", mix);
        out.printf("%-26s %.2f ns a packet without exceptions, %.2f with them (medians of %d slices in turn)%n",
            "one worker", times.median(without), times.median(with), times.of(without).size());
        out.printf("%-26s %.3f%n", "slowdown by exceptions", slowdown());
        if (hasBothFamilies())
        {
            out.printf("%-26s %.2f ns a packet of IPv4 alone, %.2f of IPv6 alone%n", "each family",
                times.median(ipv4), times.median(ipv6));
            out.printf("%-26s %.3f times the mean of both%n", "both without exceptions", slowdownOfMixing());
        }
    }

    private static double rounded(final double value)
    {
        return Rounds.rounded(value, DECIMALS);
    }
}
