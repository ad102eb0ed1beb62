package org.fibnuma.bench.pipeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableException;
import org.fibnuma.fibnic.routes.RouteTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
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

    @Spec
    private CommandSpec spec;

    @Option(names = "--table", defaultValue = "generated:950000", paramLabel = "FILE|generated:N",
        description = "routes: lines \"prefix next-hop\" or the output of bgpdump -m, gzip or not (${DEFAULT-VALUE})")
    private String table;

    @Option(names = "--frame-size", defaultValue = "64", paramLabel = "BYTES",
        description = "length of every frame with FCS, 64 to 1518 (${DEFAULT-VALUE})")
    private int frameSize;

    @Option(names = "--seconds", defaultValue = "5", paramLabel = "N",
        description = "how long each of both measurements lasts, after a warm-up (${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--json", description = "print the result as JSON")
    private boolean json;

    /** For picocli. */
    public BenchPipelineCommand()
    {
    }

    @Override
    public Integer call() throws JsonProcessingException
    {
        requireOptions();
        try
        {
            final PipelineResult result = run(RouteTables.open(table));
            print(result);
            return result.fateBalanced && result.dropped == 0 ? 0 : FAILED;
        }
        catch (final RouteTableException ex)
        {
            spec.commandLine().getErr().println("fibnuma bench pipeline: " + ex.getMessage());
            return FAILED;
        }
    }

    private void requireOptions()
    {
        if (frameSize < MIN_FRAME_SIZE || frameSize > MAX_FRAME_SIZE)
        {
            throw new ParameterException(spec.commandLine(),
                "--frame-size: " + frameSize + " is not in " + MIN_FRAME_SIZE + " to " + MAX_FRAME_SIZE);
        }
        if (seconds < 1)
        {
            throw new ParameterException(spec.commandLine(), "--seconds: " + seconds + " is not 1 or more");
        }
    }

    private PipelineResult run(final RouteList routes)
    {
        if (routes.size() == 0)
        {
            throw new RouteTableException(table + ": no IPv4 routes");
        }
        final long durationNs = TimeUnit.SECONDS.toNanos(seconds);
        final long warmUpNs = TimeUnit.SECONDS.toNanos(1);
        try (PipelineRig rig = new PipelineRig(routes))
        {
            final PipelineResult result = new PipelineResult();
            ThreadPinning.load().pinCurrentThread(Runtime.getRuntime().availableProcessors() - 1);
            final PipelineThroughput throughput = new PipelineThroughput(rig, frameSize - FCS);
            throughput.warmUp(warmUpNs);
            final FateReport before = rig.fates();
            throughput.measure(durationNs);
            result.nsPerPacket = throughput.nsPerPacket();
            result.medianNsPerPacket = throughput.medianNsPerPacket();

            final double rate = NANOS_PER_SECOND / result.nsPerPacket / 2;
            final PipelineLatency latency = new PipelineLatency(rig, frameSize - FCS);
            latency.measure(rate, warmUpNs, durationNs);
            result.latencies = latency.latencies();
            result.undisturbed = latency.undisturbed();
            result.stallsPerSecond = latency.stallsPerSecond();
            result.stalledShare = latency.stalledShare();
            result.latencyRateMpps = rate / 1e6;
            final FateReport after = rig.fates();
            result.table = table;
            result.routes = routes.size();
            result.codeBits = rig.codeBits();
            result.frameSize = frameSize;
            result.received = after.get(ForwarderCounter.RECEIVED) - before.get(ForwarderCounter.RECEIVED);
            result.dropped = after.dropped() - before.dropped();
            result.fateBalanced = after.isBalanced();
            return result;
        }
    }

    private void print(final PipelineResult result) throws JsonProcessingException
    {
        final PrintWriter out = spec.commandLine().getOut();
        if (json)
        {
            out.println(new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(result.toMap()));
        }
        else
        {
            result.print(out);
        }
        out.flush();
    }
}
