package org.fibnuma.ipnuma.demo;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.agent.CleanEnd;
import org.fibnuma.core.service.command.ResultOutput;
import org.fibnuma.core.service.netns.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** {@code fibnuma ipnuma demo}. */
@Command(
    name = "demo",
    description = {
        "Sends a counter between two hosts of this machine and back, over UDP sockets that block, UDP sockets that " +
            "are polled, IP-NUMA over AF_XDP and IP-NUMA over shared memory, and prints the results " +
            "and the thesis's figures for comparison.",
        "As root in network namespaces of its own; otherwise, or without iproute2, over the loopback and without " +
            "AF_XDP. Ends within 50 s and leaves nothing behind."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma ipnuma demo --iterations 10000")
public final class IpnumaDemoCommand implements Callable<Integer>
{
    /** Limit of each of the four runs. With starts and warm-up all of them end within 50 s, even on a slow machine. */
    private static final int LIMIT_SECONDS = 6;

    @Spec
    private CommandSpec spec;

    @Option(names = "--iterations", defaultValue = "1000000", paramLabel = "N",
        description = "round trips of each, as many as there are in 6 s (${DEFAULT-VALUE})")
    private long iterations;

    @Option(names = "--size", defaultValue = "4", paramLabel = "BYTES",
        description = "of the message (${DEFAULT-VALUE})")
    private int size;

    @Mixin
    private ResultOutput output;

    /** Creates the command, for picocli. */
    public IpnumaDemoCommand()
    {
    }

    @Override
    public Integer call() throws Exception
    {
        if (iterations < 1)
        {
            throw new ParameterException(spec.commandLine(), "--iterations must be 1 or more");
        }
        return CleanEnd.during(this::run);
    }

    private int run() throws IOException
    {
        final Path files = Files.createTempDirectory("fibnuma-ipnuma-demo-");
        try (PingPongPlace place = place())
        {
            final PingPongReport report = run(place, files);
            output.print(report.toMap(), report::print);
            return 0;
        }
        finally
        {
            delete(files);
        }
    }

    private PingPongPlace place()
    {
        final String obstacle = Host.obstacle("./fibnuma ipnuma demo");
        if (obstacle == null)
        {
            return PingPongPlace.namespaces();
        }
        output.say(obstacle + ": UDP goes over the loopback, and IP-NUMA over shared memory alone");
        return PingPongPlace.loopback();
    }

    private PingPongReport run(final PingPongPlace place, final Path files) throws IOException
    {
        final PingPongReport report = new PingPongReport(place.description());
        for (final PingPongRun run : runs(place, files))
        {
            final JsonNode result = run.run(place, size, iterations);
            report.add(result);
            output.say(String.format("%-28s %,10d loops/s, median %.2f us", run.name(),
                result.get("loopsPerSecond").asLong(), result.get("rttUs").get("p50").asDouble()));
        }
        return report;
    }

    private static List<PingPongRun> runs(final PingPongPlace place, final Path files) throws IOException
    {
        final PingPongRuns runs = new PingPongRuns(place, files, LIMIT_SECONDS);
        final List<PingPongRun> all = new ArrayList<>(List.of(runs.sockets("udp"), runs.sockets("udp-poll")));
        if (place.hasInterfaces())
        {
            all.add(runs.xdp());
        }
        all.add(runs.sharedMemory());
        return all;
    }

    private static void delete(final Path directory) throws IOException
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(file);
            }
        }
    }
}
