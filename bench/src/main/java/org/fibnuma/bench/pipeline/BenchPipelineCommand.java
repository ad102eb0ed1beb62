package org.fibnuma.bench.pipeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.fibnuma.bench.acl.RuleShape;
import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.bench.lab.PinnedRun;
import org.fibnuma.fibnic.acl.AccessList;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code fibnuma bench pipeline}. */
@Command(
    name = "pipeline",
    description = "Measures one worker of the router over ports in memory, with all its checks and counters and " +
        "without system calls: time a packet in full batches, and the latency from ring to ring at half that rate.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma bench pipeline --frame-size 64 --json",
        "  fibnuma bench pipeline --taps --frame-size 64 --seconds 20 --json"
    })
public final class BenchPipelineCommand extends MeasurementCommand
{
    private static final int FCS = 4;
    private static final int MIN_FRAME_SIZE = 64;
    private static final int MIN_IPV6_FRAME_SIZE = Ipv6TestFrames.SHORTEST + FCS;
    private static final int MAX_FRAME_SIZE = 1518;
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(1);

    @Option(names = "--table", defaultValue = "generated:950000", paramLabel = "FILE|generated:N",
        description = "IPv4 routes: lines \"prefix next-hop\" or the output of bgpdump -m, gzip or not " +
            "(${DEFAULT-VALUE})")
    private String table;

    @Option(names = "--table6", defaultValue = "generated:200000", paramLabel = "FILE|generated:N",
        description = "IPv6 routes, loaded if --mix has IPv6 frames (${DEFAULT-VALUE})")
    private String ipv6Table;

    @Option(names = "--frame-size", paramLabel = "BYTES",
        description = "length of every frame with FCS, at most 1518; at least 64, or 66 if --mix has IPv6 frames; " +
            "default: the least")
    private Integer frameSize;

    @Option(names = "--seconds", defaultValue = "5", paramLabel = "N",
        description = "length of each of the two measurements after a warm-up, in seconds (${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--unresolved", paramLabel = "N",
        description = "instead of both: slowdown of all frames when one in N goes to a neighbour that never answers")
    private Integer unresolved;

    @Option(names = "--unusual", paramLabel = "N",
        description = "instead of both: slowdown of all frames when one in N has IPv4 options, is a fragment, " +
            "ARP or a neighbour solicitation, in turn")
    private Integer unusual;

    @Option(names = "--mix", paramLabel = "KIND=PARTS,...",
        description = "instead of both: time of a frame of a mix, and slowdown against the same run without its " +
            "exceptions. The share of a kind is its parts of their sum: ipv4=45,ipv6=45,arp=10 is percent, " +
            "ipv4=999,unresolved=1 is thousandths. Kinds: ipv4, ipv6; unresolved, unresolved6 (to a neighbour that " +
            "never answers), options (of IPv4), fragment (of IPv4), expired (TTL), expired6 (hop limit), arp, nd")
    private String mixText;

    @Option(names = "--acl", paramLabel = "N",
        description = "instead of both: time that an access list of N generated rules at the ingress port adds to a " +
            "frame, in turn with none, over packets that match its rules")
    private Integer acl;

    @Option(names = "--acl-shape", defaultValue = "ACL", paramLabel = "SHAPE",
        description = "shape of the rules of --acl: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private RuleShape aclShape;

    @Option(names = "--taps",
        description = "instead of both: time that a capture and a trace add to a frame, in turn with none; of the " +
            "frames that are kept, of those that are lost because they are not read, and of those that a filter " +
            "does not accept")
    private boolean taps;

    @Option(names = "--overload", paramLabel = "N",
        description = "instead of both: loss when N ports, at most " + PipelineOverload.MOST_INPUTS +
        ", receive for one port, all at the rate of a link")
    private Integer overload;

    @Option(names = "--egress-fifo-depth", defaultValue = "64", paramLabel = "N",
        description = "frames of each FIFO of --overload, a power of two (${DEFAULT-VALUE}); those of the thesis " +
        "have 1 or 2")
    private int fifoDepth;

    private TrafficMix mix;

    /** Creates the command, for picocli. */
    public BenchPipelineCommand()
    {
    }

    @Override
    public Integer call() throws JsonProcessingException
    {
        requireOptions();
        if (overload != null)
        {
            try (PipelineMeasurement measurement = new PipelineOverload(overload, fifoDepth, frameSize - FCS))
            {
                return measure(measurement);
            }
        }
        final DualStackTable routes = DualStackTable.open(table, hasIpv6() ? ipv6Table : null);
        try (PipelineRig rig = new PipelineRig(routes);
            PipelineMeasurement measurement = measurement(rig, routes.ipv4().size()))
        {
            return measure(measurement);
        }
    }

    private int measure(final PipelineMeasurement measurement) throws JsonProcessingException
    {
        PinnedRun.pinToLastCore();
        measurement.measure(WARM_UP_NS, TimeUnit.SECONDS.toNanos(seconds));
        output().print(measurement.toMap(), measurement::print);
        return measurement.isComplete() ? DONE : FAILED;
    }

    private PipelineMeasurement measurement(final PipelineRig rig, final int routes)
    {
        if (acl != null)
        {
            return new PipelineAcl(rig, aclShape, acl);
        }
        if (mix != null)
        {
            return new PipelineSlowdown(rig, frameSize - FCS, mix, unresolved != null ? unresolved : unusual);
        }
        return taps ? new PipelineRecords(rig, frameSize - FCS, frameSize) :
            new PipelineSpeed(rig, table, routes, frameSize - FCS, frameSize);
    }

    private void requireOptions()
    {
        requireInterval("--unresolved", unresolved);
        requireInterval("--unusual", unusual);
        require(Stream.of(mixText, unresolved, unusual, acl, taps ? taps : null, overload)
            .filter(Objects::nonNull).count() <= 1,
            "--mix, --unresolved, --unusual, --acl, --taps and --overload: only one of them");
        require(overload == null || overload >= 1 && overload <= PipelineOverload.MOST_INPUTS,
            "--overload: " + overload + " is not in 1 to " + PipelineOverload.MOST_INPUTS);
        require(fifoDepth >= 1 && fifoDepth <= PipelineOverload.DEEPEST && Integer.bitCount(fifoDepth) == 1,
            "--egress-fifo-depth: " + fifoDepth + " is not a power of two from 1 to " + PipelineOverload.DEEPEST);
        require(acl == null || acl >= 1 && acl <= AccessList.MAX_RULES,
            "--acl: " + acl + " is not in 1 to " + AccessList.MAX_RULES);
        require(acl == null || frameSize == null, "--frame-size: frames of --acl always have 64 bytes; remove it");
        mix = mix();
        final int shortest = hasIpv6() ? MIN_IPV6_FRAME_SIZE : MIN_FRAME_SIZE;
        frameSize = frameSize == null ? Integer.valueOf(shortest) : frameSize;
        require(frameSize >= shortest && frameSize <= MAX_FRAME_SIZE,
            "--frame-size: " + frameSize + " is not in " + shortest + " to " + MAX_FRAME_SIZE);
        require(seconds >= 1, "--seconds: " + seconds + " is not 1 or more");
    }

    private TrafficMix mix()
    {
        if (unresolved != null)
        {
            return TrafficMix.withOneIn(unresolved, TestFrameKind.UNRESOLVED);
        }
        if (unusual != null)
        {
            return TrafficMix.withOneIn(unusual, TestFrameKind.OPTIONS, TestFrameKind.FRAGMENT, TestFrameKind.ARP,
                TestFrameKind.ND);
        }
        try
        {
            return mixText == null ? null : TrafficMix.parse(mixText);
        }
        catch (final IllegalArgumentException ex)
        {
            throw wrong("--mix: " + ex.getMessage());
        }
    }

    private boolean hasIpv6()
    {
        return mixText != null && mix.has(TestFrameKind::isIpv6);
    }

    private void requireInterval(final String option, final Integer interval)
    {
        require(interval == null || interval >= 2 && interval <= TrafficMix.MOST_PARTS,
            option + ": " + interval + " is not in 2 to " + TrafficMix.MOST_PARTS);
    }
}
