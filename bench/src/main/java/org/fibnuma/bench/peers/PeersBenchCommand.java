package org.fibnuma.bench.peers;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.bench.lab.ProgramOutput;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.bench.lab.Turns;
import org.fibnuma.core.agent.CleanEnd;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.ipnuma.command.IpnumaCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code fibnuma bench peers}. */
@Command(
    name = "peers",
    description = {
        "What idle peers cost an endpoint over shm: with one active peer: memory, the mean duration of a duty cycle " +
            "without traffic, the round trip of a read of 8 bytes, and the time to read the configuration and " +
            "to start.",
        "An idle peer is configured and does not answer, so that it gets one or two hellos a second. The figures are " +
            "medians of rounds; each round starts every endpoint anew, in turn."
    },
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma bench peers --idle-peers 0,1000,10000 --json",
    mixinStandardHelpOptions = true)
public final class PeersBenchCommand extends MeasurementCommand
{
    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final int MEASUREMENTS = 4;
    private static final String IDLE_PEERS = "idlePeers";
    private static final int BYTES_PER_KIB = 1024;

    @Option(names = "--idle-peers", split = ",", defaultValue = "0,1000,10000", paramLabel = "N",
        description = "numbers of idle peers, the first of which is 0 (${DEFAULT-VALUE})")
    private List<Integer> idlePeers;

    @Option(names = "--runs", defaultValue = "5", paramLabel = "N", description = "rounds (${DEFAULT-VALUE})")
    private int runs;

    @Option(names = "--limit-seconds", defaultValue = "2", paramLabel = "S",
        description = "of duty cycles and of round trips each, after a warm-up of the same time (${DEFAULT-VALUE})")
    private int limit;

    /** Creates the command for picocli. */
    public PeersBenchCommand()
    {
    }

    @Override
    public Integer call() throws Exception
    {
        require(idlePeers.get(0) == 0 && Set.copyOf(idlePeers).size() == idlePeers.size() &&
            idlePeers.stream().allMatch(count -> count >= 0 && count <= PeersFiles.MAX_IDLE),
            "--idle-peers must be 0 and then different numbers up to " + PeersFiles.MAX_IDLE);
        require(runs >= 1 && limit >= 1, "--runs and --limit-seconds must be 1 or more");
        return CleanEnd.during(this::run);
    }

    private int run() throws IOException
    {
        final Map<Integer, List<Map<String, Double>>> rounds = new LinkedHashMap<>();
        final Turns turns = new Turns(output()::say);
        for (final int count : idlePeers)
        {
            turns.add(count + " idle peers", Duration.ofSeconds((long)MEASUREMENTS * limit), () ->
            {
                final Map<String, Double> figures = measure(count);
                rounds.computeIfAbsent(count, key -> new ArrayList<>()).add(figures);
                return figures.toString();
            });
        }
        turns.run("round", runs);
        final List<Map<String, Object>> results = new ArrayList<>();
        rounds.forEach((count, figures) -> results.add(result(count, figures, results)));
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("runs", runs);
        result.put("limitSeconds", limit);
        result.put("results", results);
        output().print(result, out -> print(out, results));
        return DONE;
    }

    private Map<String, Double> measure(final int count) throws IOException
    {
        final int cores = Runtime.getRuntime().availableProcessors();
        final String name = "bench-peers-" + ProcessHandle.current().pid();
        try (TemporaryDirectory files = TemporaryDirectory.create("peers");
            ChildProcess active = ChildProcess.startTied(JavaProgram.command(IpnumaCommand.class.getName(),
                "endpoint", "-c",
                PeersFiles.writeActive(files.path(), name, Math.max(0, cores - 2)).toString())))
        {
            active.awaitLine("ready"::equals, PATIENCE);
            try (ChildProcess measured = ChildProcess.startTied(JavaProgram.command(PeersProgram.class.getName(),
                PeersFiles.writeMeasured(files.path(), name, count).toString(),
                Integer.toString(cores - 1), Integer.toString(limit))))
            {
                final String figures = ProgramOutput.await(
                    measured, PATIENCE.plusSeconds((long)MEASUREMENTS * limit), count + " idle peers");
                return new ObjectMapper().readValue(figures, new TypeReference<Map<String, Double>>()
                {
                });
            }
        }
    }

    /** Returns the medians of the rounds, and what a peer costs in memory beside the first result. */
    private static Map<String, Object> result(
        final int count, final List<Map<String, Double>> rounds, final List<Map<String, Object>> results)
    {
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put(IDLE_PEERS, count);
        rounds.get(0).keySet().forEach(
            name -> result.put(name, Rounds.median(rounds.stream().map(round -> round.get(name)).toList())));
        if (!results.isEmpty())
        {
            final Map<String, Object> alone = results.get(0);
            result.put("heapBytesPerPeer", perPeer("heapKiB", result, alone, count));
            result.put("residentBytesPerPeer", perPeer("residentKiB", result, alone, count));
        }
        return result;
    }

    private static double perPeer(
        final String name, final Map<String, Object> result, final Map<String, Object> alone, final int count)
    {
        return ((double)result.get(name) - (double)alone.get(name)) * BYTES_PER_KIB / count;
    }

    private static void print(final PrintWriter out, final List<Map<String, Object>> results)
    {
        out.printf("%10s %12s %9s %9s %10s %9s %9s %15s %15s%n", "idle peers", "duty cycle", "p50", "p99", "resident",
            "read", "start", "resident a peer", "heap a peer");
        for (final Map<String, Object> result : results)
        {
            out.printf("%,10d %,9.0f ns %6.2f us %6.2f us %,6.0f MiB %,6.0f ms %,6.0f ms %15s %15s%n",
                result.get(IDLE_PEERS), result.get("dutyCycleNs"), result.get("roundTripP50Us"),
                result.get("roundTripP99Us"), (double)result.get("residentKiB") / BYTES_PER_KIB, result.get("readMs"),
                result.get("startMs"), bytes(result.get("residentBytesPerPeer")),
                bytes(result.get("heapBytesPerPeer")));
        }
    }

    private static String bytes(final Object value)
    {
        return value == null ? "-" : String.format("%,.0f bytes", value);
    }
}
