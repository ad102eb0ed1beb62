package org.fibnuma.bench.memcached;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.StreamEndpointFile;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.ipnuma.demo.PingPongPlace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One measurement: a server and a client, processes of their own.
 *
 * @param name      of the server in results.
 * @param peer      name of the measurement that its GETs are compared with.
 * @param place     where both run.
 * @param server    program and arguments of the server.
 * @param saysReady whether the server prints a line when it listens.
 * @param client    first arguments of {@link ClientProgram}.
 */
record MemcachedRun(
    String name, String peer, PingPongPlace place, String[] server, boolean saysReady, List<String> client)
{
    /** Name of the programs of this process. */
    static final String NAME = "bench-memcached-" + ProcessHandle.current().pid();

    /** Name of memcached over UDP on one host. */
    static final String UDP = "memcached, UDP";

    /** End of the names of measurements by sockets between two hosts. */
    static final String VETH = ", veth";

    /** Name of memcached over UDP between two hosts. */
    static final String UDP_VETH = UDP + VETH;

    /** Name of Fibnuma's server over streams between two hosts. */
    static final String XDP = "fibnuma, IP-NUMA over xdp";

    private static final String SERVER = "org.fibnuma.ipnuma.memcached.MemcachedCommand";
    private static final List<String> KINDS = List.of(ClientProgram.UDP, ClientProgram.TCP);
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /** Milliseconds for one command of each kind, each once more before the first size: more than the mean. */
    private static final long COMMANDS_MS = 10;

    /**
     * Returns the measurements of Debian's memcached and Fibnuma's over UDP and TCP.
     *
     * @param place  where they run.
     * @param peer   name of the measurement that their GETs are compared with.
     * @param suffix end of their names.
     */
    static List<MemcachedRun> overSockets(final PingPongPlace place, final String peer, final String suffix)
    {
        final String address = place.socketAddress();
        final String[] fibnuma = JavaProgram.command(SERVER, "--tcp", address, "--udp", address);
        final List<MemcachedRun> all = new ArrayList<>();
        for (final String kind : KINDS)
        {
            all.add(memcached(place, kind, peer, suffix));
        }
        for (final String kind : KINDS)
        {
            all.add(new MemcachedRun("fibnuma, " + kind.toUpperCase(Locale.ROOT) + suffix, peer, place, fibnuma,
                true, List.of(kind, address)));
        }
        return all;
    }

    /**
     * Returns the measurement of Debian's memcached.
     *
     * @param place  where it runs.
     * @param kind   {@link ClientProgram#UDP} or {@link ClientProgram#TCP}.
     * @param peer   name of the measurement that its GETs are compared with.
     * @param suffix end of its name.
     */
    static MemcachedRun memcached(final PingPongPlace place, final String kind, final String peer, final String suffix)
    {
        final String address = place.socketAddress();
        final int colon = address.indexOf(':');
        final String port = address.substring(colon + 1);
        return new MemcachedRun("memcached, " + kind.toUpperCase(Locale.ROOT) + suffix, peer, place,
            new String[] {"memcached", "-u", "nobody", "-l", address.substring(0, colon), "-p", port, "-U", port},
            false, List.of(kind, address));
    }

    /**
     * Returns the measurement of Fibnuma's server over streams.
     *
     * @param files        directory for the configurations.
     * @param place        where both run.
     * @param peer         name of the measurement that its GETs are compared with.
     * @param transport    name of the transport.
     * @param serverDevice device of the server's endpoint.
     * @param clientDevice device of the client's endpoint.
     * @throws IOException if a configuration cannot be written.
     */
    static MemcachedRun overStreams(final Path files, final PingPongPlace place, final String peer,
        final String transport, final String serverDevice, final String clientDevice) throws IOException
    {
        final Path directory = Files.createTempDirectory(files, transport);
        final String idle = "idle = \"" + place.idle() + "\"";
        final String server = StreamEndpointFile.write(
            directory, NAME + "-server", serverDevice, place.serverEndpoint(), place.clientEndpoint(), idle).toString();
        final String client = StreamEndpointFile.write(
            directory, NAME + "-client", clientDevice, place.clientEndpoint(), place.serverEndpoint(), idle).toString();
        return new MemcachedRun("fibnuma, IP-NUMA over " + transport, peer, place,
            JavaProgram.command(SERVER, "--ipnuma", "ipnuma:" + PingPongPlace.SERVER_ID + "/" +
            ClientProgram.STREAM_PORT, "--endpoint", server, "--idle", place.idle()),
            true, List.of(ClientProgram.STREAM, client));
    }

    /** Returns the measurement of Fibnuma's server over AF_XDP between the two hosts of a place with interfaces. */
    static MemcachedRun overXdp(final Path files, final PingPongPlace place) throws IOException
    {
        return overStreams(files, place, UDP_VETH, "xdp",
            "xdp:" + PingPongPlace.SERVER_DEVICE, "xdp:" + PingPongPlace.CLIENT_DEVICE);
    }

    /**
     * Runs both, and ends both whatever happens.
     *
     * @param sizes    of values in bytes.
     * @param commands of a run.
     * @param runs     of each command for each size.
     * @param figures  gets those of each size as soon as they are there.
     * @throws UserException if one of the two fails.
     */
    void run(final List<Integer> sizes, final int commands, final int runs, final Consumer<JsonNode> figures)
    {
        try (ChildProcess serving = place.startServer(server))
        {
            if (saysReady)
            {
                serving.awaitLine(line -> line.startsWith("ready"), PATIENCE);
            }
            try (ChildProcess asking = place.startClient(command(sizes, commands, runs)))
            {
                for (int i = 0; i < sizes.size(); i++)
                {
                    figures.accept(read(asking.awaitLine(
                        line -> line.startsWith("{"), PATIENCE.plusMillis((runs + 1L) * commands * COMMANDS_MS))));
                }
                // It ends by itself, and releases its endpoint.
                asking.awaitExit(PATIENCE);
            }
        }
    }

    private String[] command(final List<Integer> sizes, final int commands, final int runs)
    {
        final String text = sizes.stream().map(Object::toString).collect(Collectors.joining(","));
        return JavaProgram.command(ClientProgram.class.getName(), Stream.concat(
            client.stream(), Stream.of(text, Integer.toString(commands), Integer.toString(runs)))
            .toArray(String[]::new));
    }

    private JsonNode read(final String line)
    {
        try
        {
            return new ObjectMapper().readTree(line);
        }
        catch (final JsonProcessingException ex)
        {
            throw new UserException("the client of \"" + name + "\" prints " + line, ex);
        }
    }
}
