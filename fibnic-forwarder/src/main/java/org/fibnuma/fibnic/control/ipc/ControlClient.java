package org.fibnuma.fibnic.control.ipc;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.core.service.host.RunDirectory;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Sends requests to a running router. For one thread; blocks until the answer arrives. */
public final class ControlClient implements AutoCloseable
{
    private static final int RECEIVE_BYTES = 1 << 16;

    private final String name;
    private final SocketChannel channel;
    /** Received bytes that were not returned, from the position to the limit. */
    private final ByteBuffer received = ByteBuffer.allocate(RECEIVE_BYTES).limit(0);

    private ControlClient(final String name, final SocketChannel channel)
    {
        this.name = name;
        this.channel = channel;
    }

    /**
     * Connects to a router.
     *
     * @param name of the router.
     * @return the connection.
     * @throws IOException with one line for the user where no router has this name.
     */
    public static ControlClient connect(final String name) throws IOException
    {
        return connect(name, RunDirectory.controlSocketFor(name));
    }

    /**
     * Connects to the only running router that this user can reach.
     *
     * @return the connection.
     * @throws IOException with one line for the user where no router runs, or several.
     */
    public static ControlClient connectToOnly() throws IOException
    {
        return connectToOnly(RunDirectory.controlSockets());
    }

    static ControlClient connectToOnly(final SortedMap<String, Path> sockets) throws IOException
    {
        final SortedMap<String, ControlClient> running = new TreeMap<>();
        for (final Map.Entry<String, Path> socket : sockets.entrySet())
        {
            try
            {
                running.put(socket.getKey(), connect(socket.getKey(), socket.getValue()));
            }
            catch (final IOException ignore)
            {
                // The router was killed, or belongs to another user.
            }
        }
        if (running.size() == 1)
        {
            return running.get(running.firstKey());
        }
        CloseHelper.closeAll(running.values());
        throw new IOException(running.isEmpty() ?
            "no router of this user runs: start one (fibnuma router -c FILE), or become its user (group fibnuma or " +
            "root where systemd runs it)" :
            "several routers run: " + String.join(", ", running.keySet()) + "; give the --name of one");
    }

    static ControlClient connect(final String name, final Path path) throws IOException
    {
        final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        boolean connected = false;
        try
        {
            channel.connect(UnixDomainSocketAddress.of(path));
            connected = true;
            return new ControlClient(name, channel);
        }
        catch (final IOException ex)
        {
            throw new IOException(
                "no router \"" + name + "\" of this user runs: no process listens on " + path +
                "; start one, give its --name, or become its user (group fibnuma or root where systemd runs it)", ex);
        }
        finally
        {
            if (!connected)
            {
                channel.close();
            }
        }
    }

    /** Returns the name of the router. */
    public String name()
    {
        return name;
    }

    /**
     * Sends a request and waits for the answer.
     *
     * @param request made by {@link ControlProtocol#request}.
     * @return the answer, an object.
     * @throws IOException with one line for the user where the router refuses or ends before it answers.
     */
    public JsonNode ask(final JsonNode request) throws IOException
    {
        tell(request);
        final String text = readLine();
        if (text == null)
        {
            throw new IOException("router \"" + name + "\" ended before it answered");
        }
        final JsonNode answer = ControlProtocol.JSON.readTree(text);
        if (answer.has(ControlProtocol.ERROR))
        {
            throw new IOException(answer.get(ControlProtocol.ERROR).asText());
        }
        return answer;
    }

    /**
     * Sends a request and does not wait for an answer; any thread, also while another thread reads. During a stream of
     * bytes this request ends the stream.
     *
     * @param request made by {@link ControlProtocol#request}.
     */
    public void tell(final JsonNode request)
    {
        final ByteBuffer line = StandardCharsets.UTF_8.encode(request.toString() + "\n");
        try
        {
            while (line.hasRemaining())
            {
                channel.write(line);
            }
        }
        catch (final IOException ignore)
        {
            // The router has closed the connection, perhaps after an answer with the reason.
        }
    }

    /**
     * Reads bytes of the stream that follows an answer; blocks until there are some.
     *
     * @param target to read into, from its position on.
     * @return number of bytes, or -1 if the router has closed the connection.
     */
    public int read(final ByteBuffer target)
    {
        if (!received.hasRemaining())
        {
            try
            {
                return channel.read(target);
            }
            catch (final IOException ignore)
            {
                return -1;
            }
        }
        final int count = Math.min(received.remaining(), target.remaining());
        target.put(received.slice().limit(count));
        received.position(received.position() + count);
        return count;
    }

    /** Returns null without a line: a router that ends with an unread request resets the connection. */
    private String readLine()
    {
        final ByteArrayOutputStream line = new ByteArrayOutputStream();
        try
        {
            while (received.hasRemaining() || fill())
            {
                final byte next = received.get();
                if (next == '\n')
                {
                    return line.toString(StandardCharsets.UTF_8);
                }
                line.write(next);
            }
        }
        catch (final IOException ignore)
        {
            received.position(0).limit(0);
        }
        return null;
    }

    private boolean fill() throws IOException
    {
        received.clear();
        final int count = channel.read(received);
        received.flip();
        return count > 0;
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}
