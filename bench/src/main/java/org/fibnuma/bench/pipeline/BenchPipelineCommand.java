package org.fibnuma.bench.pipeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.command.ResultOutput;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** {@code fibnuma bench pipeline}. */
@Command(
    name = "pipeline",
    description = "Measures one worker of the router over ports in memory, with all its checks and counters and " +
        "without system calls: time a packet in full batches, and the latency from ring to ring at half that rate.",
    mixinStandardHelpOptions = true)
public final class BenchPipelineCommand implements Callable<Integer>
{
    private static final int FAILED = 1;
    private static final int FCS = 4;
    private static final int MIN_FRAME_SIZE = 64;
    private static final int MAX_FRAME_SIZE = 1518;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(1);

    @Spec
    private CommandSpec spec;

    @Option(names = "--table", defaultValue = "generated:950000", paramLabel = "FILE|generated:N",
        description = "routes: lines \"prefix next-hop\" or the output of bgpdump -m, gzip or not (${DEFAULT-VALUE})")
    private String table;

    @Option(names = "--frame-size", defaultValue = "64", paramLabel = "BYTES",
        description = "length of every frame with FCS, 64 to 1518 (${DEFAULT-VALUE})")
    private int frameSize;

    @Option(names = "--seconds", defaultValue = "5", paramLabel = "N",
        description = "length of each of the two measurements after a warm-up, in seconds (${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--unresolved", paramLabel = "N",
        description = "instead of both: slowdown of all frames when one in N goes to a neighbour that never answers")
    private Integer unresolved;

    @Option(names = "--unusual", paramLabel = "N",
        description = "instead of both: slowdown of all frames when one in N has IPv4 options, is a fragment, " +
            "ARP or IPv6")
    private Integer unusual;

    @Mixin
    private ResultOutput output;

    /** Creates the command, for picocli. */
    public BenchPipelineCommand()
    {
    }

    @Override
    public Integer call() throws JsonProcessingException
    {
        requireOptions();
        if (unresolved != null || unusual != null)
        {
            return slowdown(table());
        }
        final PipelineResult result = run(table());
        output.print(result.toMap(), result::print);
        return result.fateBalanced && result.dropped == 0 ? 0 : FAILED;
    }

    private void requireOptions()
    {
        if (frameSize < MIN_FRAME_SIZE || frameSize > MAX_FRAME_SIZE)
        {
            throw new ParameterException(spec.commandLine(),
                "--frame-size: " + frameSize + " is not in " + MIN_FRAME_SIZE + " to " + MAX_FRAME_SIZE);
        }
        requireInterval("--unresolved", unresolved);
        requireInterval("--unusual", unusual);
        if (unresolved != null && unusual != null)
        {
            throw new ParameterException(spec.commandLine(), "--unresolved and --unusual: only one of them");
        }
        if (seconds < 1)
        {
            throw new ParameterException(spec.commandLine(), "--seconds: " + seconds + " is not 1 or more");
        }
    }

    private void requireInterval(final String option, final Integer interval)
    {
        if (interval != null && interval < 2)
        {
            throw new ParameterException(spec.commandLine(), option + ": " + interval + " is not 2 or more");
        }
    }

    private DualStackTable table()
    {
        return DualStackTable.open(table, null);
    }

    private int slowdown(final DualStackTable routes) throws JsonProcessingException
    {
        try (PipelineRig rig = new PipelineRig(routes))
        {
            ThreadPinning.load().pinCurrentThread(Runtime.getRuntime().availableProcessors() - 1);
            final PipelineSlowdown slowdown = unresolved != null ?
                new PipelineSlowdown(rig, frameSize - FCS, unresolved, List.of(TestFrameKind.UNRESOLVED)) :
                new PipelineSlowdown(rig, frameSize - FCS, unusual, List.of(
                    TestFrameKind.OPTIONS, TestFrameKind.FRAGMENT, TestFrameKind.ARP, TestFrameKind.IPV6));
            slowdown.measure(WARM_UP_NS, TimeUnit.SECONDS.toNanos(seconds));
            output.print(slowdown.toMap(), slowdown::print);
            return rig.fates().isBalanced() ? 0 : FAILED;
        }
    }

    private PipelineResult run(final DualStackTable routes)
    {
        final long durationNs = TimeUnit.SECONDS.toNanos(seconds);
        try (PipelineRig rig = new PipelineRig(routes))
        {
            final PipelineResult result = new PipelineResult();
            ThreadPinning.load().pinCurrentThread(Runtime.getRuntime().availableProcessors() - 1);
            final PipelineThroughput throughput = new PipelineThroughput(rig, frameSize - FCS);
            throughput.warmUp(WARM_UP_NS);
            final FateReport before = rig.fates();
            throughput.measure(durationNs);
            result.nsPerPacket = throughput.nsPerPacket();
            result.medianNsPerPacket = throughput.medianNsPerPacket();

            final double rate = NANOS_PER_SECOND / result.nsPerPacket / 2;
            final PipelineLatency latency = new PipelineLatency(rig, frameSize - FCS);
            latency.measure(rate, WARM_UP_NS, durationNs);
            result.latencies = latency.latencies();
            result.undisturbed = latency.undisturbed();
            result.stallsPerSecond = latency.stallsPerSecond();
            result.stalledShare = latency.stalledShare();
            result.latencyRateMpps = rate / 1e6;
            final FateReport after = rig.fates();
            result.table = table;
            result.routes = routes.ipv4().size();
            result.codeBits = rig.codeBits();
            result.frameSize = frameSize;
            result.received = after.get(ForwarderCounter.RECEIVED) - before.get(ForwarderCounter.RECEIVED);
            result.dropped = after.dropped() - before.dropped();
            result.fateBalanced = after.isBalanced();
            return result;
        }
    }
}
