package org.fibnuma.bench.memcached;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.MeasurementOutput;
import org.fibnuma.bench.lab.StreamEndpointFile;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.CleanEnd;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.ipnuma.demo.PingPongPlace;
import org.fibnuma.ipnuma.demo.PingPongRuns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code fibnuma bench memcached}. */
@Command(
    name = "memcached",
    description = {
        "SET and GET one at a time, best and median of several runs: Debian's memcached and Fibnuma's server over " +
            "blocking UDP and over TCP, and Fibnuma's over streams of remote memory: on one host (the loopback, shm: " +
            "and, with DPDK, memif) and, as root, between two network namespaces (a veth pair, xdp: on it).",
        "The thesis's figures stand beside them; ratios are to memcached over UDP at the same place in the same run."
    },
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma bench memcached --sizes 16,512 --json",
    mixinStandardHelpOptions = true)
public final class MemcachedBenchCommand implements Callable<Integer>
{
    private static final String SERVER = "org.fibnuma.ipnuma.memcached.MemcachedCommand";
    private static final List<String> KINDS = List.of(ClientProgram.UDP, ClientProgram.TCP);
    private static final String DPDK = "dpdk-testpmd";
    private static final String PEER = "memcached, UDP";
    private static final String PEER_VETH = PEER + ", veth";
    private static final String NAME = "bench-memcached-" + ProcessHandle.current().pid();
    private static final int LARGEST = 1024;

    /** Nanoseconds of a GET in tables 6.3, 6.4 and 6.6, by bytes 16, 32, 64, 128, 256, 512. */
    private static final Map<String, List<Integer>> THESIS = new LinkedHashMap<>();

    static
    {
        THESIS.put("sockets, loopback, measured (6.3)", List.of(9405, 9418, 9454, 9443, 9434, 9671));
        THESIS.put("sockets, 10GBASE-SR, measured (6.3)", List.of(29200, 29521, 29852, 30037, 30622, 34452));
        THESIS.put("sockets, 1000BASE-T, measured (6.3)", List.of(50546, 50567, 50679, 51092, 51777, 62786));
        THESIS.put("IP-NUMA, 1000BASE-T, estimated (6.4)", List.of(11475, 11496, 11608, 12021, 12706, 23715));
        THESIS.put("rack, sockets and switch, estimated (6.6)", List.of(58890, 58911, 59023, 59436, 60121, 71130));
        THESIS.put("rack, IP-NUMA and FIBNIC, estimated (6.6)", List.of(13627, 13648, 13760, 14173, 14858, 25867));
        THESIS.put("racks, sockets and switch, estimated (6.6)", List.of(85122, 85143, 85255, 85668, 86353, 97362));
        THESIS.put("racks, IP-NUMA and FIBNIC, estimated (6.6)", List.of(21283, 21304, 21416, 21829, 22514, 33523));
    }

    @Spec
    private CommandSpec spec;

    @Option(names = "--sizes", split = ",", defaultValue = "16,32,64,128,256,512", paramLabel = "BYTES",
        description = "of values, 1 to 1024 (${DEFAULT-VALUE})")
    private List<Integer> sizes;

    @Option(names = "--commands", defaultValue = "10000", paramLabel = "N", description = "of a run (${DEFAULT-VALUE})")
    private int commands;

    @Option(names = "--runs", defaultValue = "10", paramLabel = "N", description = "of each (${DEFAULT-VALUE})")
    private int runs;

    @Mixin
    private MeasurementOutput output;

    /** Creates the command for picocli. */
    public MemcachedBenchCommand()
    {
    }

    @Override
    public Integer call() throws Exception
    {
        if (commands < 1 || runs < 1 || sizes.stream().anyMatch(size -> size < 1 || size > LARGEST))
        {
            throw new ParameterException(
                spec.commandLine(), "--commands and --runs must be 1 or more, --sizes 1 to " + LARGEST);
        }
        if (!ChildProcess.isInstalled("memcached"))
        {
            throw new UserException("memcached is missing (apt-get install memcached)");
        }
        return CleanEnd.during(this::run);
    }

    private int run() throws IOException
    {
        final String obstacle = Host.obstacle("./fibnuma bench memcached");
        final List<Map<String, Object>> results = new ArrayList<>();
        try (TemporaryDirectory files = TemporaryDirectory.create("memcached");
            PingPongPlace loopback = PingPongPlace.loopback();
            PingPongPlace namespaces = obstacle == null ? PingPongPlace.namespaces() : null)
        {
            final List<MemcachedRun> all = new ArrayList<>(ofSockets(loopback, PEER, ""));
            all.add(ofStreams(files.path(), loopback, PEER, "shm",
                "shm:" + NAME + "@far", "shm:" + NAME));
            if (ChildProcess.isInstalled(DPDK))
            {
                all.add(ofStreams(files.path(), loopback, PEER, "memif",
                    PingPongRuns.memifDevice(files.path(), "server"),
                    PingPongRuns.memifDevice(files.path(), "client")));
            }
            else
            {
                output.say("left out: memif: needs DPDK: apt-get install dpdk");
            }
            if (namespaces != null)
            {
                all.addAll(ofSockets(namespaces, PEER_VETH, ", veth"));
                all.add(ofStreams(files.path(), namespaces, PEER_VETH, "xdp",
                    "xdp:" + PingPongPlace.SERVER_DEVICE, "xdp:" + PingPongPlace.CLIENT_DEVICE));
            }
            else
            {
                output.say("left out: AF_XDP and veth: " + obstacle);
            }
            for (final MemcachedRun each : all)
            {
                each.run(sizes, commands, runs, figures -> add(each, figures, results));
            }
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("commands", commands);
        result.put("runs", runs);
        result.put("results", results);
        result.put("thesisGetNs", THESIS);
        output.print(result, this::printThesis);
        return 0;
    }

    /** Debian's memcached and Fibnuma's over UDP and TCP. */
    private static List<MemcachedRun> ofSockets(final PingPongPlace place, final String peer, final String suffix)
    {
        final String address = place.socketAddress();
        final int colon = address.indexOf(':');
        final String port = address.substring(colon + 1);
        final String[] memcached =
            {"memcached", "-u", "nobody", "-l", address.substring(0, colon), "-p", port, "-U", port};
        final String[] fibnuma = JavaProgram.command(SERVER, "--tcp", address, "--udp", address);
        final List<MemcachedRun> all = new ArrayList<>();
        for (final String kind : KINDS)
        {
            all.add(new MemcachedRun("memcached, " + kind.toUpperCase(Locale.ROOT) + suffix, peer, place, memcached,
                false, List.of(kind, address)));
        }
        for (final String kind : KINDS)
        {
            all.add(new MemcachedRun("fibnuma, " + kind.toUpperCase(Locale.ROOT) + suffix, peer, place, fibnuma,
                true, List.of(kind, address)));
        }
        return all;
    }

    private static MemcachedRun ofStreams(final Path files, final PingPongPlace place, final String peer,
        final String transport, final String serverDevice, final String clientDevice) throws IOException
    {
        final Path directory = Files.createDirectory(files.resolve(transport));
        final String server = endpoint(directory, serverDevice, ClientProgram.SERVER_ID, ClientProgram.CLIENT_ID);
        final String client = endpoint(directory, clientDevice, ClientProgram.CLIENT_ID, ClientProgram.SERVER_ID);
        return new MemcachedRun("fibnuma, IP-NUMA over " + transport, peer, place,
            JavaProgram.command(SERVER, "--ipnuma", "ipnuma:" + ClientProgram.SERVER_ID + "/" +
            ClientProgram.STREAM_PORT, "--endpoint", server, "--idle", IdleStrategies.BUSY),
            true, List.of(ClientProgram.STREAM, client));
    }

    private static String endpoint(final Path directory, final String device, final int id, final int peer)
        throws IOException
    {
        return StreamEndpointFile.write(
            directory, NAME + "-" + id, device, id, peer, "idle = \"" + IdleStrategies.BUSY + "\"").toString();
    }

    private void add(final MemcachedRun run, final JsonNode measured, final List<Map<String, Object>> results)
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("server", run.name());
        measured.properties().forEach(field -> figures.put(field.getKey(), field.getValue().asLong()));
        results.stream()
            .filter(other -> other.get("server").equals(run.peer()) && other.get("bytes").equals(figures.get("bytes")))
            .forEach(other -> figures.put("getTimesFasterThanUdp",
                (double)(long)other.get("getMedianNs") / (long)figures.get("getMedianNs")));
        results.add(figures);
        output.say(line(figures));
    }

    private static String line(final Map<String, Object> figures)
    {
        final Object ratio = figures.get("getTimesFasterThanUdp");
        return String.format(
            "%-28s %4d bytes  SET best %,8d median %,8d ns  GET best %,8d median %,8d ns%s",
            figures.get("server"), figures.get("bytes"), figures.get("setBestNs"), figures.get("setMedianNs"),
            figures.get("getBestNs"), figures.get("getMedianNs"),
            ratio == null ? "" : String.format("  %.2f x", ratio));
    }

    private void printThesis(final PrintWriter out)
    {
        out.println();
        out.println("The thesis, ns of a GET of 16, 32, 64, 128, 256 and 512 bytes (table)");
        THESIS.forEach((name, times) -> out.println(String.format("%-44s %s", name, times)));
        out.println("4.32 x in a rack and 4.00 x between racks, estimated for 16 bytes (tables 6.7 and 6.8)");
    }
}
