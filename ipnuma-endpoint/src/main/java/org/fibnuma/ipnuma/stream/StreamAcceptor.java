package org.fibnuma.ipnuma.stream;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Listens on a port. Connections are established before they are accepted, up to the backlog. Programs of further
 * connections try again. All methods are for the thread of the {@link StreamAgent}.
 */
public final class StreamAcceptor
{
    private final StreamAgent agent;
    private final IpnumaSocketAddress address;
    private final int backlog;
    private final Queue<StreamChannel> waiting = new ArrayDeque<>();
    private boolean closed;
    private Object attachment;

    StreamAcceptor(final StreamAgent agent, final IpnumaSocketAddress address, final int backlog)
    {
        this.agent = agent;
        this.address = address;
        this.backlog = backlog;
    }

    /** Returns the address with its port, never 0. */
    public IpnumaSocketAddress address()
    {
        return address;
    }

    /** Sets an object of the owner, which {@link #attachment} returns. */
    public void attach(final Object object)
    {
        attachment = object;
    }

    /** Returns the object of the owner, or null if none was set. */
    public Object attachment()
    {
        return attachment;
    }

    /** Returns the next connection, which may have ended, or null if none waits. The caller closes it. */
    public StreamChannel accept()
    {
        return waiting.poll();
    }

    /** Returns whether this was closed or the agent has lost its endpoint. No further connection arrives then. */
    public boolean isClosed()
    {
        return closed || agent.lost() != null;
    }

    boolean isFull()
    {
        return waiting.size() >= backlog;
    }

    void offer(final StreamChannel channel)
    {
        waiting.add(channel);
    }

    /** Stops listening and resets connections that were not accepted. */
    public void close()
    {
        if (!closed)
        {
            closed = true;
            agent.onAcceptorClosed(this);
            while (!waiting.isEmpty())
            {
                waiting.remove().reset();
            }
        }
    }
}
