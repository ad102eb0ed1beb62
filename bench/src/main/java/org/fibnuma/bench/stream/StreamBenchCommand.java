package org.fibnuma.bench.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.bench.lab.StreamEndpointFile;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.bench.lab.Turns;
import org.fibnuma.bench.stream.netty.EchoProgram;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.CleanEnd;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.ipnuma.demo.PingPongPlace;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code fibnuma bench stream}. */
@Command(
    name = "stream",
    description = {
        "Netty's echo, one message at a time, and the throughput of byte streams in writes of 64 KiB: over remote " +
            "memory and over TCP, on one host (shm: and the loopback) and, as root, between two network namespaces " +
            "(xdp: and the kernel on the same veth pair), in turn, several rounds.",
        "Echoes are measured with one event loop at each end, over TCP with epoll, or NIO where its library is " +
            "missing. Ratios are of medians in the same round."
    },
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma bench stream --runs 3 --json",
    mixinStandardHelpOptions = true)
public final class StreamBenchCommand extends MeasurementCommand
{
    private static final String SHM = "Shm";
    private static final String TCP = "Tcp";
    private static final String XDP = "Xdp";
    private static final String VETH = "Veth";
    private static final int LARGEST = 1024;
    private static final int ATTEMPTS = 3;
    private static final int SERVER = 2;
    private static final int CLIENT = 1;
    /** For machines with other work, on which the programs may wait for a core for seconds. */
    private static final int CLIENT_TIMEOUT_MS = 60_000;

    @Option(names = "--runs", defaultValue = "5", paramLabel = "N", description = "of each (${DEFAULT-VALUE})")
    private int runs;

    @Option(names = "--size", defaultValue = "64", paramLabel = "BYTES",
        description = "of a message of the echo, 1 to 1024 (${DEFAULT-VALUE})")
    private int size;

    @Option(names = "--limit-seconds", defaultValue = "2", paramLabel = "S",
        description = "of a run, after a warm-up of the same time (${DEFAULT-VALUE})")
    private int limit;

    private String tcpTransport;

    /** Creates the command for picocli. */
    public StreamBenchCommand()
    {
    }

    @Override
    public Integer call() throws Exception
    {
        require(runs >= 1 && limit >= 1, "--runs and --limit-seconds must be 1 or more");
        require(size >= 1 && size <= LARGEST, "--size must be 1 to " + LARGEST + ": " + size);
        return CleanEnd.during(this::run);
    }

    private int run() throws IOException
    {
        final String obstacle = namespaceObstacle();
        try (TemporaryDirectory files = TemporaryDirectory.create("stream");
            PingPongPlace loopback = PingPongPlace.loopback();
            PingPongPlace namespaces = obstacle == null ? PingPongPlace.namespaces() : null)
        {
            final List<StreamComparison.Pair> pairs = new ArrayList<>(List.of(new StreamComparison.Pair(SHM, TCP)));
            if (namespaces == null)
            {
                output().say("left out: AF_XDP and veth: " + obstacle);
            }
            else
            {
                pairs.add(new StreamComparison.Pair(XDP, VETH));
            }
            final StreamComparison comparison = new StreamComparison(pairs);
            final Turns turns = new Turns(output()::say);
            final Duration duration = Duration.ofSeconds(2L * limit);
            runs(EchoProgram.class, IdleStrategies.BUSY, files.path(), loopback, namespaces).forEach((name, run) ->
                turns.add("echo " + name, duration, () -> addEcho(comparison, name, measure(run))));
            runs(TransferProgram.class, IdleStrategies.YIELD, files.path(), loopback, namespaces).forEach((name, run) ->
                turns.add("throughput " + name, duration,
                    () -> comparison.addThroughput(name, Double.parseDouble(measure(run)))));
            turns.run("run", runs);
            final Map<String, Object> result = new LinkedHashMap<>();
            result.put("runs", runs);
            result.put("size", size);
            result.put("writeBytes", TransferProgram.BLOCK);
            result.put("tcpTransport", tcpTransport);
            result.putAll(comparison.toMap());
            output().print(result, comparison::print);
            return DONE;
        }
    }

    /** Returns the runs of a program over every transport; without namespaces those of one host only. */
    private Map<String, StreamRun> runs(final Class<?> program, final String idle, final Path files,
        final PingPongPlace loopback, final PingPongPlace namespaces) throws IOException
    {
        final String name = "bench-stream-" + ProcessHandle.current().pid();
        final Map<String, StreamRun> all = new LinkedHashMap<>();
        all.put(SHM, run(program, loopback,
            endpoint(files, name, "shm:" + name, SERVER, idle),
            endpoint(files, name, "shm:" + name + "@far", CLIENT, idle)));
        all.put(TCP, run(program, loopback, tcp(loopback), tcp(loopback)));
        if (namespaces != null)
        {
            all.put(XDP, run(program, namespaces,
                endpoint(files, name, "xdp:" + PingPongPlace.SERVER_DEVICE, SERVER, idle),
                endpoint(files, name, "xdp:" + PingPongPlace.CLIENT_DEVICE, CLIENT, idle)));
            all.put(VETH, run(program, namespaces, tcp(namespaces), tcp(namespaces)));
        }
        return all;
    }

    private StreamRun run(
        final Class<?> program, final PingPongPlace place, final List<String> server, final List<String> client)
    {
        return new StreamRun(program.getName(), size, place, server, client, limit);
    }

    private static List<String> tcp(final PingPongPlace place)
    {
        return List.of("tcp", place.socketAddress());
    }

    private static List<String> endpoint(
        final Path files, final String name, final String device, final int id, final String idle) throws IOException
    {
        final Path directory = Files.createTempDirectory(files, "endpoint");
        return List.of("ipnuma", StreamEndpointFile.write(directory, name + "-" + id, device, id, SERVER + CLIENT - id,
            "idle = \"" + idle + "\"\nclient-timeout-ms = " + CLIENT_TIMEOUT_MS).toString());
    }

    private String addEcho(final StreamComparison comparison, final String name, final String json) throws IOException
    {
        final JsonNode times = new ObjectMapper().readTree(json);
        tcpTransport = name.equals(TCP) ? times.get("transport").asText() : tcpTransport;
        return comparison.addEcho(name, times.get("p50Us").asDouble(), times.get("p99Us").asDouble());
    }

    /** Measures, again if that fails: a machine with other work may stop an end until its peer takes it for dead. */
    private String measure(final StreamRun run)
    {
        for (int i = 1; i < ATTEMPTS; i++)
        {
            try
            {
                return run.run();
            }
            catch (final UserException ex)
            {
                if (Thread.currentThread().isInterrupted())
                {
                    throw ex;
                }
                output().say("repeated: " + ex.getMessage());
            }
        }
        return run.run();
    }
}
