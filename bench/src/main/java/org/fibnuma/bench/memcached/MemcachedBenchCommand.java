package org.fibnuma.bench.memcached;

import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.PolledStream;
import org.fibnuma.bench.lab.StreamEndpointFile;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.command.ResultOutput;
import org.fibnuma.core.host.Machine;
import org.fibnuma.core.netns.ChildProcess;
import org.fibnuma.core.netns.JavaProgram;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** {@code fibnuma bench memcached}. */
@Command(
    name = "memcached",
    description = {
        "SET and GET one at a time, best and median of several runs: Debian's memcached over blocking UDP and over " +
            "TCP on the loopback, and Fibnuma's server over UDP, TCP and streams of remote memory (shm:).",
        "The thesis's figures stand beside them; ratios are to memcached over UDP in the same run."
    },
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma bench memcached --sizes 16,512 --json",
    mixinStandardHelpOptions = true)
public final class MemcachedBenchCommand implements Callable<Integer>
{
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String SERVER = "org.fibnuma.ipnuma.memcached.MemcachedCommand";
    private static final String PEER = "memcached, UDP";
    private static final int LARGEST = 1024;
    private static final int PORT = 11211;
    private static final int RETRY_NS = 10_000_000;

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
    private ResultOutput output;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Creates the command for picocli. */
    public MemcachedBenchCommand()
    {
    }

    /** Opens a connection to a server that runs. */
    @FunctionalInterface
    private interface Opening
    {
        CommandLink open() throws IOException;
    }

    @Override
    public Integer call() throws IOException
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
        final List<Map<String, Object>> results = new ArrayList<>();
        try (TemporaryDirectory files = TemporaryDirectory.create("memcached"))
        {
            measureSockets(results);
            measureStreams(results, files.path());
        }
        finally
        {
            closeAll();
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("machine", Machine.facts());
        result.put("commands", commands);
        result.put("runs", runs);
        result.put("results", results);
        result.put("thesisGetNs", THESIS);
        output.print(result, this::printThesis);
        return 0;
    }

    private void measureSockets(final List<Map<String, Object>> results) throws IOException
    {
        final InetSocketAddress peer = freeAddress();
        keep(ChildProcess.start("memcached", "-u", "nobody", "-l", "127.0.0.1",
            "-p", Integer.toString(peer.getPort()), "-U", Integer.toString(peer.getPort())));
        retry(() -> SocketLink.tcp(peer)).close();
        measure(PEER, results, () -> SocketLink.udp(peer));
        measure("memcached, TCP", results, () -> SocketLink.tcp(peer));
        closeAll();
        final InetSocketAddress own = freeAddress();
        final String text = "127.0.0.1:" + own.getPort();
        keep(ChildProcess.start(JavaProgram.command(SERVER, "--tcp", text, "--udp", text)))
            .awaitLine(line -> line.startsWith("ready"), PATIENCE);
        measure("fibnuma, UDP", results, () -> SocketLink.udp(own));
        measure("fibnuma, TCP", results, () -> SocketLink.tcp(own));
        closeAll();
    }

    private void measureStreams(final List<Map<String, Object>> results, final Path files) throws IOException
    {
        final String prefix = "bench-memcached-" + ProcessHandle.current().pid() + "-";
        final Path client = endpoint(files, prefix, 1, 2, "");
        keep(ChildProcess.start(JavaProgram.command(
            SERVER, "--ipnuma", "ipnuma:2/" + PORT, "--endpoint", endpoint(files, prefix, 2, 1, "@far").toString(),
            "--idle", "yield")))
            .awaitLine(line -> line.startsWith("ready"), PATIENCE);
        measure("fibnuma, IP-NUMA over shm", results,
            () -> SocketLink.stream(PolledStream.connect(StreamEndpointFile.read(client), 1,
                StreamSettings.DEFAULT_RING_CAPACITY, new IpnumaSocketAddress(2, PORT))));
    }

    private Path endpoint(final Path files, final String prefix, final int id, final int peer, final String side)
        throws IOException
    {
        return StreamEndpointFile.write(
            files, prefix + id, "shm:" + prefix + side, id, peer, "idle = \"yield\"");
    }

    private void measure(final String name, final List<Map<String, Object>> results, final Opening opening)
        throws IOException
    {
        try (CommandLink link = opening.open())
        {
            for (final int size : sizes)
            {
                final Map<String, Object> figures = new LinkedHashMap<>();
                figures.put("server", name);
                figures.put("bytes", size);
                figures.putAll(new Workload(commands, runs).measure(link, size));
                results.stream()
                    .filter(other -> other.get("server").equals(PEER) && other.get("bytes").equals(size))
                    .forEach(other -> figures.put("getTimesFasterThanUdp",
                        (double)(long)other.get("getMedianNs") / (long)figures.get("getMedianNs")));
                results.add(figures);
                output.say(line(figures));
            }
        }
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

    private static InetSocketAddress freeAddress() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
        }
    }

    /** Connects to a server that does not say when it listens. */
    private static CommandLink retry(final Opening opening) throws IOException
    {
        final long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (true)
        {
            try
            {
                return opening.open();
            }
            catch (final IOException ex)
            {
                if (System.nanoTime() - endNs > 0)
                {
                    throw ex;
                }
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }

    private ChildProcess keep(final ChildProcess child)
    {
        open.push(child);
        return child;
    }

    private void closeAll()
    {
        CloseHelper.closeAll(open);
        open.clear();
    }
}
