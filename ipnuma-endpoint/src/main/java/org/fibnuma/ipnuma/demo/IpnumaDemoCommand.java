package org.fibnuma.ipnuma.demo;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.agent.CleanEnd;
import org.fibnuma.core.command.ResultOutput;
import org.fibnuma.core.netns.Host;
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
    mixinStandardHelpOptions = true)
public final class IpnumaDemoCommand implements Callable<Integer>
{
    /** Of each of the four; with starts and warm-up all of them end within 50 s on a slow machine too. */
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
        final List<PingPongRun> runs = new ArrayList<>();
        for (final String transport : List.of("udp", "udp-poll"))
        {
            final List<String> options = List.of("--transport", transport, "--address", place.udpAddress());
            runs.add(new PingPongRun(transport, options, options, LIMIT_SECONDS));
        }
        if (place.hasInterfaces())
        {
            runs.add(ipnuma("ipnuma over AF_XDP", files.resolve("xdp"),
                "xdp:" + PingPongPlace.SERVER_DEVICE, "xdp:" + PingPongPlace.CLIENT_DEVICE));
        }
        final String link = "shm:demo-" + ProcessHandle.current().pid();
        runs.add(ipnuma("ipnuma over shared memory", files.resolve("shm"), link, link + "@far"));
        return runs;
    }

    private static PingPongRun ipnuma(
        final String name, final Path directory, final String serverDevice, final String clientDevice)
        throws IOException
    {
        Files.createDirectories(directory);
        return new PingPongRun(
            name,
            List.of("-c", config(directory, "a", serverDevice, 1, 2)),
            List.of("-c", config(directory, "b", clientDevice, 2, 1)),
            LIMIT_SECONDS);
    }

    private static String config(
        final Path directory, final String name, final String device, final int own, final int peer)
        throws IOException
    {
        final Path file = directory.resolve(name + ".toml");
        Files.writeString(file, String.join("\n",
            "[endpoint]",
            "name = \"demo-" + name + "-" + ProcessHandle.current().pid() + "\"",
            "device = \"" + device + "\"",
            "address = \"10.9.0." + own + "/24\"",
            "[[peer]]",
            "id = " + peer,
            "address = \"10.9.0." + peer + "\"",
            ""));
        return file.toString();
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
