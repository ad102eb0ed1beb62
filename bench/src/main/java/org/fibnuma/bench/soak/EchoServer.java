package org.fibnuma.bench.soak;

import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.NamespaceAccess;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;

/** Echoes what arrives by TCP at a host, each connection on a thread of its own. */
final class EchoServer implements AutoCloseable
{
    /** The echo port (RFC 862). */
    static final int PORT = 7;
    private static final int BACKLOG = 1024;

    private final ServerSocket server;

    private EchoServer(final ServerSocket server)
    {
        this.server = server;
    }

    /** Starts to listen at all addresses of a host. */
    static EchoServer start(final Host host)
    {
        final EchoServer server = new EchoServer(NamespaceAccess.load().call(host.namespaceFile(), EchoServer::listen));
        start(server::accept);
        return server;
    }

    private static void start(final Runnable task)
    {
        final Thread thread = new Thread(task, "echo");
        thread.setDaemon(true);
        thread.start();
    }

    private static ServerSocket listen()
    {
        try
        {
            return new ServerSocket(PORT, BACKLOG);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void accept()
    {
        try
        {
            while (true)
            {
                final Socket connection = server.accept();
                start(() -> echo(connection));
            }
        }
        catch (final IOException ignore)
        {
            // The server is closed.
        }
    }

    /** A connection that breaks is a failure at its client. */
    private static void echo(final Socket connection)
    {
        try (connection)
        {
            connection.getInputStream().transferTo(connection.getOutputStream());
        }
        catch (final IOException ignore)
        {
            // As above.
        }
    }

    @Override
    public void close()
    {
        try
        {
            server.close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
