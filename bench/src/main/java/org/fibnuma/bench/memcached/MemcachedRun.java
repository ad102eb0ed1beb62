package org.fibnuma.bench.memcached;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.StreamEndpointFile;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.IdleStrategies;
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

    private static final String SERVER = "org.fibnuma.ipnuma.memcached.MemcachedCommand";
    private static final List<String> KINDS = List.of(ClientProgram.UDP, ClientProgram.TCP);
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /** Milliseconds for a SET and a GET, each once more before the first size: more than they take in the mean. */
    private static final long COMMANDS_MS = 4;

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

    /**
     * Runs both, and ends both whatever happens.
     *
     * @param sizes    of values in bytes.
     * @param commands of a run.
     * @param runs     of SET and of GET for each size.
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
