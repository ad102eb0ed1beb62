package org.fibnuma.ipnuma.socket;

import org.fibnuma.ipnuma.stream.IpnumaHosts;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamChannel;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * A socket of the JDK over a byte stream in remote memory. Reads and writes block; {@link #close} on another thread
 * ends them with a {@link SocketException}. As with the JDK's own sockets, an interrupt does not end them on a platform
 * thread, and closes the socket on a virtual thread. Hosts are PC IDs, see the package. Options of TCP without a
 * meaning here are stored and have no effect. Urgent data is not supported.
 */
public final class IpnumaSocket extends Socket
{
    /** A year. Connects without a timeout end when the peer is down. */
    private static final long NO_TIMEOUT_NS = TimeUnit.DAYS.toNanos(365);

    private final SocketDriver driver;
    private final Condition changed;
    private volatile StreamChannel channel;
    private volatile boolean connected;
    private volatile boolean closed;
    private volatile boolean inputShut;
    private volatile boolean outputShut;
    private volatile int soTimeoutMs;
    private volatile boolean tcpNoDelay = true;
    private volatile boolean keepAlive;
    private volatile boolean reuseAddress;
    private volatile int lingerSeconds = -1;
    private volatile int trafficClass;

    /** Creates a socket that is not connected. The driver stays open longer than the socket. */
    public IpnumaSocket(final SocketDriver driver) throws SocketException
    {
        super((SocketImpl)null);
        this.driver = driver;
        this.changed = driver.newCondition();
    }

    /** Connects the socket to an accepted channel. For the holder of the driver's lock. */
    void accepted(final StreamChannel accepted)
    {
        accepted.attach(changed);
        channel = accepted;
        connected = true;
    }

    @Override
    public void connect(final SocketAddress endpoint) throws IOException
    {
        connect(endpoint, 0);
    }

    @Override
    public void connect(final SocketAddress endpoint, final int timeout) throws IOException
    {
        if (timeout < 0)
        {
            throw new IllegalArgumentException("connect: timeout can't be negative");
        }
        requireOpen();
        if (channel != null)
        {
            throw new SocketException("already connected");
        }
        final long timeoutNs = timeout == 0 ? NO_TIMEOUT_NS : TimeUnit.MILLISECONDS.toNanos(timeout);
        channel = driver.connect(IpnumaHosts.resolve(endpoint), timeoutNs, changed);
        try
        {
            connected = driver.await(this, changed, 0, "connect", () ->
            {
                requireOpen();
                return channel.finishConnect() ? Boolean.TRUE : null;
            });
        }
        catch (final IOException ex)
        {
            close();
            throw ex;
        }
    }

    @Override
    public void bind(final SocketAddress address) throws IOException
    {
        requireOpen();
    }

    private void requireOpen() throws SocketException
    {
        if (closed)
        {
            throw new SocketException("Socket closed");
        }
    }

    private void requireConnected() throws SocketException
    {
        requireOpen();
        if (!connected)
        {
            throw new SocketException("Socket is not connected");
        }
    }

    private static SocketException failure(final IOException cause)
    {
        final SocketException ex =
            new SocketException(cause instanceof ClosedChannelException ? "Socket closed" : cause.getMessage());
        ex.initCause(cause);
        return ex;
    }

    private int read(final byte[] bytes, final int offset, final int length) throws IOException
    {
        if (length == 0)
        {
            return 0;
        }
        final ByteBuffer destination = ByteBuffer.wrap(bytes, offset, length);
        return driver.await(this, changed, soTimeoutMs, "read", () ->
        {
            requireOpen();
            if (inputShut)
            {
                return -1;
            }
            final int count = readNow(destination);
            return count == 0 ? null : (Integer)count;
        });
    }

    private int readNow(final ByteBuffer destination) throws SocketException
    {
        try
        {
            return channel.read(destination);
        }
        catch (final IOException ex)
        {
            throw failure(ex);
        }
    }

    private void write(final byte[] bytes, final int offset, final int length) throws IOException
    {
        final ByteBuffer source = ByteBuffer.wrap(bytes, offset, length);
        driver.await(this, changed, 0, "write", () ->
        {
            requireOpen();
            if (outputShut)
            {
                throw new SocketException("Socket output is shutdown");
            }
            try
            {
                boolean stored = true;
                while (stored && source.hasRemaining())
                {
                    stored = channel.write(source) > 0;
                }
            }
            catch (final IOException ex)
            {
                throw failure(ex);
            }
            return source.hasRemaining() ? null : Boolean.TRUE;
        });
    }

    @Override
    public InputStream getInputStream() throws IOException
    {
        requireConnected();
        return new InputStream()
        {
            @Override
            public int read() throws IOException
            {
                final byte[] one = new byte[1];
                return IpnumaSocket.this.read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(final byte[] bytes, final int offset, final int length) throws IOException
            {
                Objects.checkFromIndexSize(offset, length, bytes.length);
                return IpnumaSocket.this.read(bytes, offset, length);
            }

            @Override
            public int available() throws IOException
            {
                requireOpen();
                return driver.await(this, changed, 0, "available", () -> inputShut ? 0 : channel.available());
            }

            @Override
            public void close() throws IOException
            {
                IpnumaSocket.this.close();
            }
        };
    }

    @Override
    public OutputStream getOutputStream() throws IOException
    {
        requireConnected();
        return new OutputStream()
        {
            @Override
            public void write(final int value) throws IOException
            {
                IpnumaSocket.this.write(new byte[] {(byte)value}, 0, 1);
            }

            @Override
            public void write(final byte[] bytes, final int offset, final int length) throws IOException
            {
                Objects.checkFromIndexSize(offset, length, bytes.length);
                IpnumaSocket.this.write(bytes, offset, length);
            }

            @Override
            public void close() throws IOException
            {
                IpnumaSocket.this.close();
            }
        };
    }

    @Override
    public void close() throws IOException
    {
        driver.locked(() ->
        {
            closed = true;
            changed.signalAll();
            if (channel != null)
            {
                closeChannel();
            }
        });
    }

    private void closeChannel()
    {
        if (lingerSeconds == 0)
        {
            channel.reset();
        }
        else
        {
            channel.close();
        }
    }

    @Override
    public void shutdownInput() throws IOException
    {
        requireConnected();
        driver.locked(() ->
        {
            inputShut = true;
            channel.discardInput();
            changed.signalAll();
        });
    }

    @Override
    public void shutdownOutput() throws IOException
    {
        requireConnected();
        driver.await(this, changed, 0, "shutdownOutput", () ->
        {
            requireOpen();
            outputShut = true;
            channel.finish();
            return Boolean.TRUE;
        });
    }

    @Override
    public boolean isConnected()
    {
        return connected;
    }

    @Override
    public boolean isBound()
    {
        return connected;
    }

    @Override
    public boolean isClosed()
    {
        return closed;
    }

    @Override
    public boolean isInputShutdown()
    {
        return inputShut;
    }

    @Override
    public boolean isOutputShutdown()
    {
        return outputShut;
    }

    @Override
    public SocketAddress getRemoteSocketAddress()
    {
        return connected ? channel.remoteAddress() : null;
    }

    @Override
    public SocketAddress getLocalSocketAddress()
    {
        return connected ? channel.localAddress() : null;
    }

    @Override
    public InetAddress getInetAddress()
    {
        return connected ? IpnumaHosts.inetAddress(channel.remoteAddress()) : null;
    }

    @Override
    public InetAddress getLocalAddress()
    {
        return IpnumaHosts.inetAddress(new IpnumaSocketAddress(driver.pcId(), 0));
    }

    @Override
    public int getPort()
    {
        return connected ? channel.remoteAddress().port() : 0;
    }

    @Override
    public int getLocalPort()
    {
        return connected ? channel.localAddress().port() : -1;
    }

    @Override
    public SocketChannel getChannel()
    {
        return null;
    }

    @Override
    public void setSoTimeout(final int timeout) throws SocketException
    {
        requireOpen();
        if (timeout < 0)
        {
            throw new IllegalArgumentException("timeout can't be negative");
        }
        soTimeoutMs = timeout;
    }

    @Override
    public int getSoTimeout() throws SocketException
    {
        requireOpen();
        return soTimeoutMs;
    }

    @Override
    public void setTcpNoDelay(final boolean on) throws SocketException
    {
        requireOpen();
        tcpNoDelay = on;
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException
    {
        requireOpen();
        return tcpNoDelay;
    }

    /** Only a linger time of 0 has an effect: {@link #close} resets the connection. */
    @Override
    public void setSoLinger(final boolean on, final int linger) throws SocketException
    {
        requireOpen();
        lingerSeconds = on ? linger : -1;
    }

    @Override
    public int getSoLinger() throws SocketException
    {
        requireOpen();
        return lingerSeconds;
    }

    @Override
    public void sendUrgentData(final int data) throws IOException
    {
        throw new SocketException("urgent data is not supported");
    }

    @Override
    public void setOOBInline(final boolean on) throws SocketException
    {
        requireOpen();
    }

    @Override
    public boolean getOOBInline() throws SocketException
    {
        requireOpen();
        return false;
    }

    /** Has no effect: the size of the rings is set for the program. */
    @Override
    public void setSendBufferSize(final int size) throws SocketException
    {
        requireOpen();
    }

    @Override
    public int getSendBufferSize() throws SocketException
    {
        requireOpen();
        return driver.ringCapacity();
    }

    /** Has no effect: the size of the rings is set for the program. */
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

    /** Has no effect: a lost peer is always detected. */
    @Override
    public void setKeepAlive(final boolean on) throws SocketException
    {
        requireOpen();
        keepAlive = on;
    }

    @Override
    public boolean getKeepAlive() throws SocketException
    {
        requireOpen();
        return keepAlive;
    }

    @Override
    public void setTrafficClass(final int value) throws SocketException
    {
        requireOpen();
        trafficClass = value;
    }

    @Override
    public int getTrafficClass() throws SocketException
    {
        requireOpen();
        return trafficClass;
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

    @Override
    public Set<SocketOption<?>> supportedOptions()
    {
        return Set.of();
    }

    @Override
    public <T> Socket setOption(final SocketOption<T> name, final T value)
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
        return connected ? "IpnumaSocket[" + channel + "]" : "IpnumaSocket[unconnected]";
    }
}
