package org.fibnuma.ipnuma.socket;

import org.fibnuma.ipnuma.stream.IpnumaHosts;
import org.fibnuma.ipnuma.stream.StreamAcceptor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.util.Set;
import java.util.concurrent.locks.Condition;

/**
 * A server socket of the JDK that accepts {@link IpnumaSocket}s. {@link #close} on another thread ends a blocked accept
 * with a {@link SocketException}. As with the JDK's own sockets, an interrupt does not end the accept on a platform
 * thread, and closes the socket on a virtual thread.
 */
public final class IpnumaServerSocket extends ServerSocket
{
    /** Equals the default of {@link ServerSocket}. */
    private static final int DEFAULT_BACKLOG = 50;

    private final SocketDriver driver;
    private final Condition changed;
    private volatile StreamAcceptor acceptor;
    private volatile boolean closed;
    private volatile int soTimeoutMs;
    private volatile boolean reuseAddress = true;

    /** Creates a server socket that is not bound. The driver stays open longer than the socket. */
    public IpnumaServerSocket(final SocketDriver driver) throws IOException
    {
        this.driver = driver;
        this.changed = driver.newCondition();
    }

    @Override
    public void bind(final SocketAddress endpoint) throws IOException
    {
        bind(endpoint, DEFAULT_BACKLOG);
    }

    /**
     * Listens on the port of an address. Its host is ignored, because a program listens on its own endpoint.
     *
     * @param endpoint of this package or of IP; null for any free port.
     * @param backlog  maximum number of connections that wait for {@link #accept}; 50 if it is below 1.
     */
    @Override
    public void bind(final SocketAddress endpoint, final int backlog) throws IOException
    {
        requireOpen();
        if (acceptor != null)
        {
            throw new SocketException("Already bound");
        }
        acceptor = driver.listen(IpnumaHosts.localPort(endpoint), backlog < 1 ? DEFAULT_BACKLOG : backlog, changed);
    }

    private void requireOpen() throws SocketException
    {
        if (closed)
        {
            throw new SocketException("Socket closed");
        }
    }

    @Override
    public Socket accept() throws IOException
    {
        requireOpen();
        if (acceptor == null)
        {
            throw new SocketException("Socket is not bound yet");
        }
        final IpnumaSocket socket = new IpnumaSocket(driver);
        driver.await(this, changed, soTimeoutMs, "accept", () ->
        {
            requireOpen();
            final var channel = acceptor.accept();
            if (channel != null)
            {
                socket.accepted(channel);
            }
            else if (acceptor.isClosed())
            {
                throw new SocketException("the endpoint is lost");
            }
            return channel;
        });
        return socket;
    }

    @Override
    public void close()
    {
        driver.locked(() ->
        {
            closed = true;
            changed.signalAll();
            if (acceptor != null)
            {
                acceptor.close();
            }
        });
    }

    @Override
    public boolean isBound()
    {
        return acceptor != null;
    }

    @Override
    public boolean isClosed()
    {
        return closed;
    }

    @Override
    public InetAddress getInetAddress()
    {
        return acceptor == null ? null : IpnumaHosts.inetAddress(acceptor.address());
    }

    @Override
    public int getLocalPort()
    {
        return acceptor == null ? -1 : acceptor.address().port();
    }

    @Override
    public SocketAddress getLocalSocketAddress()
    {
        return acceptor == null ? null : acceptor.address();
    }

    @Override
    public ServerSocketChannel getChannel()
    {
        return null;
    }

    @Override
    public void setSoTimeout(final int timeout) throws SocketException
    {
        requireOpen();
        if (timeout < 0)
        {
            throw new IllegalArgumentException("timeout < 0");
        }
        soTimeoutMs = timeout;
    }

    @Override
    public int getSoTimeout() throws IOException
    {
        requireOpen();
        return soTimeoutMs;
    }

    @Override
    public void setReuseAddress(final boolean on) throws SocketException
    {
        requireOpen();
        reuseAddress = on;
    }

    @Override
    public boolean getReuseAddress() throws SocketException
    {
        requireOpen();
        return reuseAddress;
    }

    /** Has no effect: the size of the rings is a setting of the program, not of a socket. */
    @Override
    public void setReceiveBufferSize(final int size) throws SocketException
    {
        requireOpen();
    }

    @Override
    public int getReceiveBufferSize() throws SocketException
    {
        requireOpen();
        return driver.ringCapacity();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions()
    {
        return Set.of();
    }

    @Override
    public <T> ServerSocket setOption(final SocketOption<T> name, final T value)
    {
        throw new UnsupportedOperationException("option " + name.name() + " is not supported");
    }

    @Override
    public <T> T getOption(final SocketOption<T> name)
    {
        throw new UnsupportedOperationException("option " + name.name() + " is not supported");
    }

    @Override
    public String toString()
    {
        return acceptor == null ? "IpnumaServerSocket[unbound]" : "IpnumaServerSocket[" + acceptor.address() + "]";
    }
}
