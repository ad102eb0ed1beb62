package org.fibnuma.bench.pingpong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.bench.lab.ProgramOutput;
import org.fibnuma.bench.lab.RouterChain;
import org.fibnuma.bench.lab.RouterOptions;
import org.fibnuma.bench.lab.Routers;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.bench.lab.Turns;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.CleanEnd;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.ipnuma.demo.PingPongPlace;
import org.fibnuma.ipnuma.demo.PingPongRun;
import org.fibnuma.ipnuma.demo.PingPongRuns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** {@code fibnuma bench pingpong}. */
@Command(
    name = "pingpong",
    description = {
        "Round trips of a counter between two cores, several runs in turn: one cache line, Aeron's IPC, and the " +
            "transports of \"fibnuma pingpong\".",
        "rdma-write and rdma-send are perftest's ib_write_lat and ib_send_lat over the kernel's software RoCE.",
        "Ratios are of medians in the same round. AF_XDP and RDMA need root, memif needs DPDK.",
        "With --routers 1 or more: xdp, udp and udp-poll through a chain of routers, the time that a router adds, " +
            "and the thesis's times and estimates beside them."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma bench pingpong --transports shm,udp --runs 3 --json",
        "  fibnuma bench pingpong --routers 0,1,4 --router fibnuma"
    },
    mixinStandardHelpOptions = true)
public final class PingPongBenchCommand extends MeasurementCommand
{
    private static final String SHM = "shm";
    private static final String XDP = "xdp";
    private static final String MEMIF = "memif";
    private static final List<String> SOCKETS = List.of("udp", "udp-poll");
    private static final List<String> TRANSPORTS = List.of(SHM, MEMIF, XDP, SOCKETS.get(1), SOCKETS.get(0),
        SoftRoce.WRITE.transport(), SoftRoce.SEND.transport());
    /** Those that can have routers between their ends. */
    private static final List<String> ROUTED = List.of(XDP, SOCKETS.get(1), SOCKETS.get(0));
    /** A program that Debian installs with the libraries. */
    private static final String DPDK = "dpdk-testpmd";
    private static final int LARGEST = 1024;
    private static final int END_PATIENCE_SECONDS = 60;

    @Option(names = "--transports", split = ",", paramLabel = "WHAT",
        description = "of shm, memif, xdp, udp-poll, udp, rdma-write, rdma-send (all that this machine has)")
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
    private RouterOptions routers;

    /** Creates the command for picocli. */
    public PingPongBenchCommand()
    {
    }

    @Override
    public Integer call() throws Exception
    {
        require(runs >= 1 && iterations >= 1 && limit >= 1,
            "--runs, --iterations and --limit-seconds must be 1 or more");
        require(size >= Integer.BYTES && size <= LARGEST && size % Integer.BYTES == 0,
            "--size must be a multiple of 4 from 4 to " + LARGEST + ": " + size);
        for (final String transport : transports == null ? List.<String>of() : transports)
        {
            require(TRANSPORTS.contains(transport),
                "--transports: unknown \"" + transport + "\"; one of " + String.join(", ", TRANSPORTS));
        }
        final List<Routers> all = routers.all();
        if (all.stream().anyMatch(each -> each.count() > 0))
        {
            requireNamespaces();
            require(transports == null || transports.stream().anyMatch(ROUTED::contains),
                "--routers above 0 needs one of the transports " + String.join(", ", ROUTED));
        }
        return CleanEnd.during(() -> run(all));
    }

    private int run(final List<Routers> all) throws IOException
    {
        try (TemporaryDirectory files = TemporaryDirectory.create("pingpong");
            PingPongPlace place = namespaceObstacle() == null ? PingPongPlace.namespaces() : PingPongPlace.loopback())
        {
            final PingPongComparison comparison = new PingPongComparison(PeerProgram.AERON_IPC, PeerProgram.CACHE_LINE);
            final Turns turns = new Turns(output()::say);
            for (final String peer : List.of(PeerProgram.CACHE_LINE, PeerProgram.AERON_IPC))
            {
                turns.add(peer, Duration.ofSeconds(limit), () -> comparison.add(peer, Routers.NONE, peer(peer)));
            }
            final List<String> chosen = chosen(place);
            for (final Routers routers : all)
            {
                if (routers.count() == 0)
                {
                    addDirect(turns, comparison, chosen, place, files.path());
                }
                else
                {
                    final List<String> routed = chosen.stream().filter(ROUTED::contains).toList();
                    turns.add(String.join(", ", routed) + " through " + routers,
                        Duration.ofSeconds((long)limit * routed.size()),
                        () -> measureThrough(comparison, routed, routers, files.path()));
                }
            }
            turns.run("run", runs);
            final Map<String, Object> result = new LinkedHashMap<>();
            result.put("between", place.description());
            result.put("size", size);
            result.put("runs", runs);
            result.putAll(comparison.toMap());
            output().print(result, comparison::print);
            return DONE;
        }
    }

    private void addDirect(final Turns turns, final PingPongComparison comparison, final List<String> chosen,
        final PingPongPlace place, final Path files) throws IOException
    {
        final PingPongRuns all = new PingPongRuns(place, files, limit);
        for (final String transport : chosen)
        {
            final SoftRoce verb = SoftRoce.of(transport);
            final PingPongRun run = verb == null ? run(all, transport) : null;
            turns.add(transport, Duration.ofSeconds(limit), () -> comparison.add(transport, Routers.NONE,
                verb == null ? run.run(place, size, iterations) : verb.run(place, size, iterations, limit)));
        }
    }

    private static PingPongRun run(final PingPongRuns all, final String transport) throws IOException
    {
        return switch (transport)
        {
            case SHM -> all.sharedMemory();
            case MEMIF -> all.memif();
            case XDP -> all.xdp();
            default -> all.sockets(transport);
        };
    }

    private String measureThrough(final PingPongComparison comparison, final List<String> chosen, final Routers routers,
        final Path files) throws IOException
    {
        final StringJoiner figures = new StringJoiner("; ");
        try (RouterChain chain = RouterChain.open(routers))
        {
            final PingPongRuns all = new PingPongRuns(chain, Files.createTempDirectory(files, "chain"), limit);
            for (final String transport : chosen)
            {
                final JsonNode result = run(all, transport).run(chain, size, iterations);
                chain.verify(2 * result.get("iterations").asLong());
                figures.add(transport + " " + comparison.add(transport, routers, result));
            }
        }
        return figures.toString();
    }

    /** Returns the transports of the option, or all that can be measured here without it. */
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
    private String obstacle(final String transport, final PingPongPlace place)
    {
        final SoftRoce verb = SoftRoce.of(transport);
        if ((transport.equals(XDP) || verb != null) && !place.hasInterfaces())
        {
            return namespaceObstacle();
        }
        if (verb != null)
        {
            return verb.obstacle(place);
        }
        return !transport.equals(MEMIF) || ChildProcess.isInstalled(DPDK) ? null : "needs DPDK: apt-get install dpdk";
    }

    private JsonNode peer(final String name) throws IOException
    {
        try (ChildProcess program = ChildProcess.startTied(JavaProgram.command(PeerProgram.class.getName(), name,
            Integer.toString(size), Long.toString(iterations), Integer.toString(limit))))
        {
            return new ObjectMapper().readTree(
                ProgramOutput.await(program, Duration.ofSeconds(2L * limit + END_PATIENCE_SECONDS), name));
        }
    }
}
