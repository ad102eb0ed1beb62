package org.fibnuma.bench.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Programs that people use between two hosts. */
public final class HostPrograms
{
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final ObjectMapper JSON = new ObjectMapper();

    private HostPrograms()
    {
    }

    /** Exchanges some bytes by TCP, port 2222 of the server's address; returns what the client reads. */
    public static String talk(final Host client, final Host server, final String address)
    {
        try (ChildProcess listener = server.start("/usr/bin/python3", "-u", "-c", """
            import socket
            s = socket.create_server(('%s', 2222))
            print('listening')
            c = s.accept()[0]
            c.sendall(b'wel' + c.recv(4))
            """.formatted(address)))
        {
            listener.awaitLine("listening"::equals, PATIENCE);
            return client.run("/usr/bin/python3", "-c", """
                import socket
                s = socket.create_connection(('%s', 2222), 60)
                s.sendall(b'come')
                print(s.makefile().read())
                """.formatted(address)).trim();
        }
    }

    /** Runs iperf3 with some options of the client; returns the part "end" of what that prints as JSON. */
    public static JsonNode iperf(
        final Host client, final Host server, final String address, final String... options)
    {
        // Bound, or it answers UDP from the address of the interface that leads to the client.
        try (ChildProcess listener = server.start("iperf3", "-s", "-1", "-B", address, "--forceflush"))
        {
            listener.awaitLine(line -> line.contains("listening"), PATIENCE);
            final List<String> command = new ArrayList<>(List.of("iperf3", "-c", address, "-J"));
            command.addAll(List.of(options));
            return JSON.readTree(client.run(command.toArray(String[]::new))).get("end");
        }
        catch (final JsonProcessingException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns whether all of some echo requests are answered. */
    public static boolean pings(final Host from, final String address, final int count, final int patienceSeconds)
    {
        try
        {
            from.run("ping", "-n", "-q", "-c", Integer.toString(count), "-i", "0.05",
                "-W", Integer.toString(patienceSeconds), address);
            return true;
        }
        catch (final UserException ex)
        {
            return false;
        }
    }
}
