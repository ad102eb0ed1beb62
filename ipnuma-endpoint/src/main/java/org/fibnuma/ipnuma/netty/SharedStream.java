package org.fibnuma.ipnuma.netty;

import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamChannel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * A stream of a {@link SharedAgent}: each method holds the agent's lock. For the event loop of its channel, which also
 * closes it; as a {@link WritableByteChannel} it takes regions of files.
 */
final class SharedStream implements WritableByteChannel
{
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SharedAgent agent;
    private final StreamChannel stream;
    private boolean hasMore;

    /** Takes an accepted stream. */
    SharedStream(final SharedAgent agent, final StreamChannel stream)
    {
        this.agent = agent;
        this.stream = stream;
    }

    /**
     * Begins to connect.
     *
     * @param agent     of the program.
     * @param target    address of a listening program.
     * @param timeoutNs until the attempt fails.
     * @param events    where events of the stream go.
     * @throws IOException if the endpoint is lost or all connections of the program are in use.
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

    /** Returns the address of this end; it never changes. */
    IpnumaSocketAddress localAddress()
    {
        return stream.localAddress();
    }

    /** Returns the address of the other end; it never changes. */
    IpnumaSocketAddress remoteAddress()
    {
        return stream.remoteAddress();
    }

    /** Returns the bytes of a ring. */
    int ringCapacity()
    {
        return agent.ringCapacity();
    }

    /** Makes events go to a registration, or nowhere if it is null. */
    void attach(final IpnumaRegistration events)
    {
        agent.lock();
        try
        {
            stream.attach(events);
        }
        finally
        {
            agent.unlock();
        }
    }

    /** As {@link StreamChannel#finishConnect}. */
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

    /** Returns 1 if bytes have arrived, -1 if there is nothing to read but the end or a failure, 0 otherwise. */
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

    /** As {@link StreamChannel#read}; {@link #hasMore} tells what is left. */
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

    /** Returns whether the last read has left bytes, the end or a failure. What arrives later is an event. */
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

    /** As {@link StreamChannel#write(ByteBuffer[], int)}. */
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

    /** As {@link StreamChannel#finish}. */
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

    /** As {@link StreamChannel#discardInput}. */
    void discardInput()
    {
        agent.lock();
        try
        {
            stream.discardInput();
        }
        finally
        {
            agent.unlock();
        }
    }

    /** Closes the stream at once; what the peer has not read is lost. */
    void reset()
    {
        agent.lock();
        try
        {
            stream.reset();
        }
        finally
        {
            agent.unlock();
        }
    }

    /** Returns true: the channel knows when it has closed the stream. */
    @Override
    public boolean isOpen()
    {
        return true;
    }

    @Override
    public void close()
    {
        agent.lock();
        try
        {
            stream.close();
        }
        finally
        {
            agent.unlock();
        }
    }
}
