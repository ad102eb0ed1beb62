package org.fibnuma.bench.pingpong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.MeasurementOutput;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.CleanEnd;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.ipnuma.demo.PingPongPlace;
import org.fibnuma.ipnuma.demo.PingPongRun;
import org.fibnuma.ipnuma.demo.PingPongRuns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code fibnuma bench pingpong}. */
@Command(
    name = "pingpong",
    description = {
        "Round trips of a counter between two cores, several runs in turn: one cache line, Aeron's IPC, and the " +
            "transports of \"fibnuma pingpong\".",
        "Ratios are of medians in the same round. AF_XDP needs root, memif needs DPDK."
    },
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma bench pingpong --transports shm,udp --runs 3 --json",
    mixinStandardHelpOptions = true)
public final class PingPongBenchCommand implements Callable<Integer>
{
    private static final String SHM = "shm";
    private static final String XDP = "xdp";
    private static final String MEMIF = "memif";
    private static final List<String> SOCKETS = List.of("udp", "udp-poll");
    private static final List<String> TRANSPORTS = List.of(SHM, MEMIF, XDP, SOCKETS.get(1), SOCKETS.get(0));
    /** A program that Debian installs with the libraries. */
    private static final String DPDK = "dpdk-testpmd";
    private static final int LARGEST = 1024;
    private static final int END_PATIENCE_SECONDS = 60;

    @Spec
    private CommandSpec spec;

    @Option(names = "--transports", split = ",", paramLabel = "WHAT",
        description = "of shm, memif, xdp, udp-poll, udp (all that this machine has)")
    private List<String> transports;

    @Option(names = "--runs", defaultValue = "10", paramLabel = "N", description = "of each (${DEFAULT-VALUE})")
    private int runs;

    @Option(names = "--size", defaultValue = "4", paramLabel = "BYTES",
        description = "of the message, a multiple of 4 up to 1024 (${DEFAULT-VALUE})")
    private int size;

    @Option(names = "--iterations", defaultValue = "1000000", paramLabel = "N",
        description = "round trips of a run, as many as there are in the limit (${DEFAULT-VALUE})")
    private long iterations;

    @Option(names = "--limit-seconds", defaultValue = "2", paramLabel = "S",
        description = "of a run (${DEFAULT-VALUE})")
    private int limit;

    @Mixin
    private MeasurementOutput output;

    /** Creates the command for picocli. */
    public PingPongBenchCommand()
    {
    }

    /** One run of a transport or peer. */
    @FunctionalInterface
    private interface Run
    {
        JsonNode measure() throws IOException;
    }

    @Override
    public Integer call() throws Exception
    {
        if (runs < 1 || iterations < 1 || limit < 1)
        {
            throw usage("--runs, --iterations and --limit-seconds must be 1 or more");
        }
        if (size < Integer.BYTES || size > LARGEST || size % Integer.BYTES != 0)
        {
            throw usage("--size must be a multiple of 4 from 4 to " + LARGEST + ": " + size);
        }
        for (final String transport : transports == null ? List.<String>of() : transports)
        {
            if (!TRANSPORTS.contains(transport))
            {
                throw usage("--transports: unknown \"" + transport + "\"; one of " + String.join(", ", TRANSPORTS));
            }
        }
        return CleanEnd.during(this::run);
    }

    private ParameterException usage(final String what)
    {
        return new ParameterException(spec.commandLine(), what);
    }

    private int run() throws IOException
    {
        try (TemporaryDirectory files = TemporaryDirectory.create("pingpong");
            PingPongPlace place = Host.obstacle("./fibnuma bench pingpong") == null ?
            PingPongPlace.namespaces() : PingPongPlace.loopback())
        {
            final PingPongComparison comparison = measure(contestants(place, files.path()));
            final Map<String, Object> result = new LinkedHashMap<>();
            result.put("between", place.description());
            result.put("size", size);
            result.put("runs", runs);
            result.putAll(comparison.toMap());
            output.print(result, comparison::print);
            return 0;
        }
    }

    private Map<String, Run> contestants(final PingPongPlace place, final Path files) throws IOException
    {
        final PingPongRuns all = new PingPongRuns(place, files, limit);
        final Map<String, Run> contestants = new LinkedHashMap<>();
        contestants.put(PeerProgram.CACHE_LINE, () -> peer(PeerProgram.CACHE_LINE));
        contestants.put(PeerProgram.AERON_IPC, () -> peer(PeerProgram.AERON_IPC));
        for (final String transport : chosen(place))
        {
            final PingPongRun run = switch (transport)
            {
                case SHM -> all.sharedMemory();
                case MEMIF -> all.memif();
                case XDP -> all.xdp();
                default -> all.sockets(transport);
            };
            contestants.put(transport, () -> run.run(place, size, iterations));
        }
        return contestants;
    }

    private List<String> chosen(final PingPongPlace place)
    {
        if (transports == null)
        {
            return TRANSPORTS.stream().filter(transport -> obstacle(transport, place) == null).toList();
        }
        for (final String transport : transports)
        {
            final String obstacle = obstacle(transport, place);
            if (obstacle != null)
            {
                throw new UserException("--transports " + transport + ": " + obstacle);
            }
        }
        return transports;
    }

    /** Returns why a transport cannot be measured here, or null. */
    private static String obstacle(final String transport, final PingPongPlace place)
    {
        if (transport.equals(XDP) && !place.hasInterfaces())
        {
            return Host.obstacle("./fibnuma bench pingpong");
        }
        return !transport.equals(MEMIF) || ChildProcess.isInstalled(DPDK) ? null : "needs DPDK: apt-get install dpdk";
    }

    private PingPongComparison measure(final Map<String, Run> contestants) throws IOException
    {
        final PingPongComparison comparison = new PingPongComparison(PeerProgram.AERON_IPC, PeerProgram.CACHE_LINE);
        for (int round = 1; round <= runs; round++)
        {
            final StringBuilder line = new StringBuilder("run " + round + ", p50 in us:");
            for (final Map.Entry<String, Run> contestant : contestants.entrySet())
            {
                final JsonNode result = contestant.getValue().measure();
                comparison.add(contestant.getKey(), result);
                line.append(String.format("  %s %.3f", contestant.getKey(), PingPongComparison.median(result)));
            }
            output.say(line.toString());
        }
        return comparison;
    }

    private JsonNode peer(final String name) throws IOException
    {
        try (ChildProcess program = ChildProcess.startTied(JavaProgram.command(PeerProgram.class.getName(), name,
            Integer.toString(size), Long.toString(iterations), Integer.toString(limit))))
        {
            final int status = program.awaitExit(Duration.ofSeconds(2L * limit + END_PATIENCE_SECONDS));
            if (status != 0)
            {
                throw new UserException(name + ": " + String.join(" | ", program.errors()));
            }
            return new ObjectMapper().readTree(String.join("\n", program.output()));
        }
    }
}
