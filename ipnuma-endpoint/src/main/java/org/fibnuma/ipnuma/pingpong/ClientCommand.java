package org.fibnuma.ipnuma.pingpong;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import org.HdrHistogram.Histogram;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.config.ConfigException;
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

/** The end that sends counters and measures the round trips. */
@Command(
    name = "client",
    mixinStandardHelpOptions = true,
    description = {
        "Sends a counter to the server and waits for it to return, repeatedly.",
        "Prints perftest's columns, with half the round trip time as perftest does, and the loops per second."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma pingpong client -c a.toml --iterations 10000",
        "  fibnuma pingpong client --transport udp --address 127.0.0.1:7000 --iterations 10000 --json"
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
        description = "Measured round trips (default: ${DEFAULT-VALUE}).")
    private long iterations;

    @Option(
        names = "--warm-up", defaultValue = "100000", paramLabel = "N",
        description = "Round trips before the measured ones, while the JIT compiles (default: ${DEFAULT-VALUE}).")
    private long warmUp;

    @Option(
        names = "--limit-seconds", defaultValue = "3600", paramLabel = "S",
        description = "Start no round trip after this time, and no warm-up round trip after a quarter of it " +
            "(default: ${DEFAULT-VALUE}).")
    private int limitSeconds;

    @Option(
        names = "--timeout-ms", defaultValue = "5000", paramLabel = "MS",
        description = "Longest time to wait for an answer (default: ${DEFAULT-VALUE}).")
    private int timeoutMs;

    @Option(names = "--rtt", description = "Print the whole round trip time.")
    private boolean roundTrip;

    @Option(names = "--json", description = "Print JSON, with the whole round trip time.")
    private boolean json;

    @Option(
        names = "--histogram", paramLabel = "FILE",
        description = "Write the percentiles of the round trip time to this file, in us, in HdrHistogram's format.")
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
        // Installed before anything that a signal must close.
        try (SignalWatch watch = new SignalWatch(this::wake))
        {
            try (CounterLink opened = options.open(false);
                AnswerWatchdog watchdog = new AnswerWatchdog(timeoutMs, opened::wake))
            {
                link = opened;
                options.pin(FROM_LAST_CORE);
                return new PingPongResult(
                    options.transport().label(), opened.device(), size,
                    new PingPongClient(opened, watchdog, watch::isRequested).run(
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
            throw new UserException("cannot write " + histogramFile + ": " + IoFailure.reason(ex), ex);
        }
    }
}
