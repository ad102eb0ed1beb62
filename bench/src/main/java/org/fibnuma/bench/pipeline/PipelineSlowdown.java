package org.fibnuma.bench.pipeline;

import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures how much the exceptions of a mix slow down all frames, and IPv4 and IPv6 each other. Time slices with the
 * mix alternate with slices without its exceptions and, if it has both families, with slices of each alone, so that
 * disturbances by the machine affect all alike.
 */
final class PipelineSlowdown
{
    private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int FEWEST_ROUNDS = 3;
    private static final int DECIMALS = 3;

    private final PipelineRig rig;
    private final PipelineThroughput throughput;
    private final TrafficMix mix;
    private final Slices with;
    private final Slices without;
    private final Slices ipv4 = new Slices(TrafficMix.of(TestFrameKind.IPV4));
    private final Slices ipv6 = new Slices(TrafficMix.of(TestFrameKind.IPV6));
    private final List<Slices> measured = new ArrayList<>();

    /**
     * Creates the measurement.
     *
     * @param rig         with IPv6 routes if the mix has ordinary IPv6 frames.
     * @param frameLength of the frames in bytes, without FCS.
     * @param mix         of the frames.
     */
    PipelineSlowdown(final PipelineRig rig, final int frameLength, final TrafficMix mix)
    {
        this.rig = rig;
        this.throughput = new PipelineThroughput(rig, frameLength);
        this.mix = mix;
        this.with = new Slices(mix);
        this.without = new Slices(mix.withoutExceptions());
        measured.add(without);
        measured.add(with);
        if (hasBothFamilies())
        {
            measured.add(ipv4);
            measured.add(ipv6);
        }
    }

    private boolean hasBothFamilies()
    {
        return mix.parts(TestFrameKind.IPV4) > 0 && mix.parts(TestFrameKind.IPV6) > 0;
    }

    void measure(final long warmUpNs, final long durationNs)
    {
        rig.connectUnresolved();
        throughput.warmUp(warmUpNs);
        throughput.run(warmUpNs, with.kinds);
        awaitNoHeldFrames();
        final int rounds = (int)Math.max(FEWEST_ROUNDS, durationNs / (measured.size() * SLICE_NS));
        for (int i = 0; i < rounds; i++)
        {
            for (final Slices slices : measured)
            {
                throughput.reset();
                throughput.run(SLICE_NS, slices.kinds);
                slices.nsPerFrame.add(throughput.nsPerPacket());
                awaitNoHeldFrames();
            }
        }
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
        return with.median() / without.median();
    }

    /** Returns the time a frame of both families divided by the mean of the times of each alone, by their parts. */
    private double slowdownOfMixing()
    {
        final double ipv4Parts = mix.parts(TestFrameKind.IPV4);
        final double ipv6Parts = mix.parts(TestFrameKind.IPV6);
        return without.median() * (ipv4Parts + ipv6Parts) / (ipv4.median() * ipv4Parts + ipv6.median() * ipv6Parts);
    }

    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("mix", mix.toMap());
        map.put("exceptions", mix.exceptions());
        map.put("nsPerPacketWithout", rounded(without.median()));
        map.put("nsPerPacketWith", rounded(with.median()));
        map.put("slowdown", rounded(slowdown()));
        if (hasBothFamilies())
        {
            map.put("nsPerPacketIpv4", rounded(ipv4.median()));
            map.put("nsPerPacketIpv6", rounded(ipv6.median()));
            map.put("slowdownOfMixing", rounded(slowdownOfMixing()));
        }
        map.put("slices", without.nsPerFrame.size());
        map.put("fateBalanced", rig.fates().isBalanced());
        return map;
    }

    void print(final PrintWriter out)
    {
        out.printf("%-26s %s%n", "frames", mix);
        out.printf("%-26s %.2f ns a packet without exceptions, %.2f with them (medians of %d slices in turn)%n",
            "one worker", without.median(), with.median(), without.nsPerFrame.size());
        out.printf("%-26s %.3f%n", "slowdown by exceptions", slowdown());
        if (hasBothFamilies())
        {
            out.printf("%-26s %.2f ns a packet of IPv4 alone, %.2f of IPv6 alone%n", "each family",
                ipv4.median(), ipv6.median());
            out.printf("%-26s %.3f times the mean of both%n", "both without exceptions", slowdownOfMixing());
        }
    }

    private static double rounded(final double value)
    {
        return Rounds.rounded(value, DECIMALS);
    }

    /** The slices of one sequence of frames. */
    private static final class Slices
    {
        private final TestFrameKind[] kinds;
        private final List<Double> nsPerFrame = new ArrayList<>();

        Slices(final TrafficMix mix)
        {
            kinds = mix.sequence();
        }

        double median()
        {
            return Rounds.median(nsPerFrame);
        }
    }
}
