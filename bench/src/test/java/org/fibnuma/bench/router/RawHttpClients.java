package org.fibnuma.bench.router;

import org.agrona.CloseHelper;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.service.netns.Host;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Connections to the HTTP server of a router, from its own namespace. Their bytes are written by hand. */
final class RawHttpClients implements AutoCloseable
{
    /** The least that the kernel allows, so that a client that does not read holds up the server soon. */
    private static final int LEAST_BUFFER = 1;

    private final Host host;
    private final InetSocketAddress server;
    private final Duration patience;
    private final List<SocketChannel> connections = new ArrayList<>();

    RawHttpClients(final Host host, final int port, final Duration patience)
    {
        this.host = host;
        this.server = new InetSocketAddress("127.0.0.1", port);
        this.patience = patience;
    }

    /** Returns a request of HTTP/1.1. */
    static byte[] get(final String path)
    {
        return ascii("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    /** Returns the bytes of a text; each character is one. */
    static byte[] ascii(final String text)
    {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Opens a connection, which stays open until {@link #close()}. */
    SocketChannel connect()
    {
        final SocketChannel connection = open();
        connections.add(connection);
        return connection;
    }

    private SocketChannel open()
    {
        return NetworkNamespace.call(host.namespaceFile(), () ->
        {
            try
            {
                final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.INET);
                try
                {
                    channel.setOption(StandardSocketOptions.SO_RCVBUF, LEAST_BUFFER);
                    channel.connect(server);
                    channel.socket().setSoTimeout((int)patience.toMillis());
                    return channel;
                }
                catch (final IOException ex)
                {
                    channel.close();
                    throw ex;
                }
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        });
    }

    /** Sends on a connection of its own what the sockets have room for, and never reads. */
    void sendAndNeverRead(final byte[] bytes) throws IOException
    {
        final SocketChannel connection = connect();
        connection.configureBlocking(false);
        try
        {
            final ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining() && connection.write(rest) > 0)
            {
                continue;
            }
        }
        catch (final IOException ignore)
        {
            // The server has closed the connection.
        }
    }

    /** Sends bytes on a connection of its own and returns what comes until the server closes it. */
    String answerTo(final byte[] bytes)
    {
        final ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (SocketChannel connection = open())
        {
            connection.write(ByteBuffer.wrap(bytes));
            final InputStream in = connection.socket().getInputStream();
            for (int next = in.read(); next >= 0; next = in.read())
            {
                answer.write(next);
            }
        }
        catch (final SocketTimeoutException ex)
        {
            throw new UncheckedIOException("neither an answer nor the end of the connection", ex);
        }
        catch (final IOException ignore)
        {
            // The server has closed the connection before it has read everything.
        }
        return answer.toString(StandardCharsets.ISO_8859_1);
    }

    /** Asks as a client that behaves; returns the status, 0 if the server closes the connection without an answer. */
    int status(final String path)
    {
        final String answer =
            answerTo(ascii("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
        return answer.startsWith("HTTP/1.1 ") ? Integer.parseInt(answer.substring(9, 12)) : 0;
    }

    /** Returns the number of connections that the server has not closed, of clients to which it sends nothing. */
    int stillOpen() throws IOException
    {
        int count = 0;
        for (final SocketChannel connection : connections)
        {
            count += isOpen(connection) ? 1 : 0;
        }
        return count;
    }

    private static boolean isOpen(final SocketChannel connection) throws IOException
    {
        connection.configureBlocking(false);
        try
        {
            return connection.read(ByteBuffer.allocate(1)) >= 0;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    /** Closes all connections. */
    @Override
    public void close()
    {
        CloseHelper.closeAll(connections);
        connections.clear();
    }
}
