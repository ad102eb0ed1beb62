package org.fibnuma.ipnuma.netty;

import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamChannel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * A stream of a {@link SharedAgent}. Each method holds the agent's lock. For the event loop of its channel, which also
 * closes it. Regions of files are written to it as a {@link WritableByteChannel}.
 */
final class SharedStream implements WritableByteChannel
{
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SharedAgent agent;
    private final StreamChannel stream;
    private boolean hasMore;

    SharedStream(final SharedAgent agent, final StreamChannel stream)
    {
        this.agent = agent;
        this.stream = stream;
    }

    /**
     * Begins to connect to a listening program. The attempt fails after the timeout in ns. Throws IOException if the
     * endpoint is lost or all connections of the program are in use.
     */
    static SharedStream connect(final SharedAgent agent, final IpnumaSocketAddress target, final long timeoutNs,
        final IpnumaRegistration events) throws IOException
    {
        agent.lock();
        try
        {
            final StreamChannel stream = agent.usable().connect(target, timeoutNs);
            stream.attach(events);
            return new SharedStream(agent, stream);
        }
        finally
        {
            agent.unlock();
        }
    }

    /** Returns the address of this end, which never changes. */
    IpnumaSocketAddress localAddress()
    {
        return stream.localAddress();
    }

    /** Returns the address of the other end, which never changes. */
    IpnumaSocketAddress remoteAddress()
    {
        return stream.remoteAddress();
    }

    int ringCapacity()
    {
        return agent.ringCapacity();
    }

    /** Directs events to a registration, or to none if it is null. */
    void attach(final IpnumaRegistration events)
    {
        agent.locked(() -> stream.attach(events));
    }

    boolean finishConnect() throws IOException
    {
        agent.lock();
        try
        {
            return stream.finishConnect();
        }
        finally
        {
            agent.unlock();
        }
    }

    /** Returns 1 if bytes have arrived, -1 if only the end or a failure is left to read, 0 otherwise. */
    int input()
    {
        agent.lock();
        try
        {
            return inputLocked();
        }
        finally
        {
            agent.unlock();
        }
    }

    private int inputLocked()
    {
        try
        {
            return stream.available() > 0 ? 1 : stream.read(NOTHING);
        }
        catch (final IOException ex)
        {
            return -1;
        }
    }

    /** Reads as {@link StreamChannel#read} does, and sets {@link #hasMore}. */
    int read(final ByteBuffer destination) throws IOException
    {
        agent.lock();
        try
        {
            final int count = stream.read(destination);
            hasMore = inputLocked() != 0;
            return count;
        }
        finally
        {
            agent.unlock();
        }
    }

    /** Returns whether the last read has left bytes, the end or a failure. An event follows for later bytes. */
    boolean hasMore()
    {
        return hasMore;
    }

    @Override
    public int write(final ByteBuffer source) throws IOException
    {
        agent.lock();
        try
        {
            return stream.write(source);
        }
        finally
        {
            agent.unlock();
        }
    }

    int write(final ByteBuffer[] sources, final int length) throws IOException
    {
        agent.lock();
        try
        {
            return stream.write(sources, length);
        }
        finally
        {
            agent.unlock();
        }
    }

    void finish() throws IOException
    {
        agent.lock();
        try
        {
            stream.finish();
        }
        finally
        {
            agent.unlock();
        }
    }

    void discardInput()
    {
        agent.locked(stream::discardInput);
    }

    /** Closes the stream at once. Bytes that the peer has not read are lost. */
    void reset()
    {
        agent.locked(stream::reset);
    }

    /** Returns true. The channel stores whether it has closed the stream. */
    @Override
    public boolean isOpen()
    {
        return true;
    }

    @Override
    public void close()
    {
        agent.locked(stream::close);
    }
}
