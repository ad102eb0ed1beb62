package org.fibnuma.bench.soak;

import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.NamespaceAccess;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.SplittableRandom;

/** A TCP connection to an {@link EchoServer} that sends numbered messages and checks their echo. For one thread. */
final class EchoConnection implements AutoCloseable
{
    /** TCP sends a lost segment again after 1, 2, 4 ... s. */
    private static final int PATIENCE_MS = 60_000;
    private static final int SHORTEST = 16;
    private static final int LONGEST = 4096;

    private final Socket socket;
    private final String name;
    private final long seed;
    private long number;
    private byte[] message;

    private EchoConnection(final Socket socket, final String name, final long seed)
    {
        this.socket = socket;
        this.name = name;
        this.seed = seed;
    }

    /**
     * Connects.
     *
     * @param host    that connects.
     * @param address of the server.
     * @param seed    of the contents.
     * @throws IOException with the address if the connection is refused or takes more than a minute.
     */
    static EchoConnection open(final Host host, final String address, final long seed) throws IOException
    {
        try
        {
            return NamespaceAccess.load().call(host.namespaceFile(), () -> connect(address, seed));
        }
        catch (final UncheckedIOException ex)
        {
            throw new IOException("connection to " + address + ": " + ex.getCause().getMessage(), ex);
        }
    }

    private static EchoConnection connect(final String address, final long seed)
    {
        try
        {
            final Socket socket = new Socket();
            socket.connect(new InetSocketAddress(address, EchoServer.PORT), PATIENCE_MS);
            socket.setSoTimeout(PATIENCE_MS);
            socket.setTcpNoDelay(true);
            return new EchoConnection(socket, "connection from " + socket.getLocalSocketAddress() + " to " + address,
                seed);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Sends the next message. */
    void send() throws IOException
    {
        final SplittableRandom random = new SplittableRandom(seed + ++number);
        message = new byte[random.nextInt(SHORTEST, LONGEST)];
        random.nextBytes(message);
        try
        {
            socket.getOutputStream().write(message);
        }
        catch (final IOException ex)
        {
            throw broken(ex);
        }
    }

    /**
     * Receives the echo of the message that was sent last.
     *
     * @throws IOException if the connection is broken, is silent for a minute, or the echo is another one.
     */
    void receive() throws IOException
    {
        final byte[] echo;
        try
        {
            echo = socket.getInputStream().readNBytes(message.length);
        }
        catch (final IOException ex)
        {
            throw broken(ex);
        }
        if (!Arrays.equals(message, echo))
        {
            throw new IOException(name + ": message " + number + " of " + message.length + " bytes has another echo " +
                "of " + echo.length + " bytes, from byte " + Arrays.mismatch(message, echo));
        }
    }

    /** Ends the connection by FIN in both directions. */
    void end() throws IOException
    {
        try
        {
            socket.shutdownOutput();
            if (socket.getInputStream().read() >= 0)
            {
                throw new IOException("bytes after the last message");
            }
        }
        catch (final IOException ex)
        {
            throw broken(ex);
        }
    }

    private IOException broken(final IOException cause)
    {
        return new IOException(name + ", message " + number + ": " + cause.getMessage(), cause);
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
    }
}
