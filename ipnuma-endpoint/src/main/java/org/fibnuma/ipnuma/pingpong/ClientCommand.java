package org.fibnuma.ipnuma.pingpong;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import org.HdrHistogram.Histogram;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.config.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** The end that counts and measures. */
@Command(
    name = "client",
    mixinStandardHelpOptions = true,
    description = {
        "Sends a counter to the server and waits until it is back, again and again.",
        "Prints perftest's columns, times of half the round trip as perftest does, and the loops in a second."
    })
final class ClientCommand implements Callable<Integer>
{
    private static final int FROM_LAST_CORE = 0;
    private static final double HISTOGRAM_UNIT_NS = 1000.0;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private LinkOptions options;

    private volatile CounterLink link;

    @Option(
        names = "--iterations", defaultValue = "1000000", paramLabel = "N",
        description = "Round trips that count (default: ${DEFAULT-VALUE}).")
    private long iterations;

    @Option(
        names = "--warm-up", defaultValue = "100000", paramLabel = "N",
        description = "Round trips before them, while the JIT compiles (default: ${DEFAULT-VALUE}).")
    private long warmUp;

    @Option(
        names = "--limit-seconds", defaultValue = "3600", paramLabel = "S",
        description = "Begin no more round trips after this time, and none of the warm-up after a quarter of it " +
            "(default: ${DEFAULT-VALUE}).")
    private int limitSeconds;

    @Option(
        names = "--timeout-ms", defaultValue = "5000", paramLabel = "MS",
        description = "How long an answer is waited for (default: ${DEFAULT-VALUE}).")
    private int timeoutMs;

    @Option(names = "--rtt", description = "Print times of the whole round trip.")
    private boolean roundTrip;

    @Option(names = "--json", description = "Print JSON; its times are of the whole round trip.")
    private boolean json;

    @Option(
        names = "--histogram", paramLabel = "FILE",
        description = "Write all percentiles of the round trip there, in us, as HdrHistogram prints them.")
    private Path histogramFile;

    @Override
    public Integer call() throws JsonProcessingException, ConfigException
    {
        if (iterations < 1 || warmUp < 0 || timeoutMs < 1 || limitSeconds < 1)
        {
            throw options.usage(
                "--iterations, --limit-seconds and --timeout-ms must be 1 or more, --warm-up 0 or more");
        }
        final PingPongResult result = measure(options.size());
        if (json)
        {
            spec.commandLine().getOut().println(new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(result.toMap()));
            spec.commandLine().getOut().flush();
        }
        else
        {
            result.print(spec.commandLine().getOut(), roundTrip);
        }
        if (histogramFile != null)
        {
            write(result.measured().histogram());
        }
        return PingPongCommand.OK;
    }

    private PingPongResult measure(final int size) throws ConfigException
    {
        // Signals are requests before there is anything to take down.
        try (SignalWatch watch = new SignalWatch(this::wake))
        {
            try (CounterLink opened = options.open(false); Silence silence = new Silence(timeoutMs, opened::wake))
            {
                link = opened;
                options.pin(FROM_LAST_CORE);
                return new PingPongResult(
                    options.transport(), opened.device(), size,
                    new PingPongClient(opened, silence, watch::isRequested).run(
                        warmUp, iterations, TimeUnit.SECONDS.toNanos(limitSeconds)));
            }
        }
    }

    private void wake()
    {
        final CounterLink waiting = link;
        if (waiting != null)
        {
            waiting.wake();
        }
    }

    private void write(final Histogram histogram)
    {
        try (PrintStream file = new PrintStream(Files.newOutputStream(histogramFile), false, StandardCharsets.UTF_8))
        {
            histogram.outputPercentileDistribution(file, HISTOGRAM_UNIT_NS);
        }
        catch (final IOException ex)
        {
            throw new PingPongException("cannot write " + histogramFile + ": " + IoFailure.reason(ex), ex);
        }
    }
}
