package org.fibnuma.ipnuma.netty;

import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamAcceptor;
import org.fibnuma.ipnuma.stream.StreamChannel;

import java.io.IOException;

/** A listening port of a {@link SharedAgent}. Each method holds the agent's lock. For the event loop of its channel. */
final class SharedAcceptor
{
    private final SharedAgent agent;
    private final StreamAcceptor acceptor;

    private SharedAcceptor(final SharedAgent agent, final StreamAcceptor acceptor)
    {
        this.agent = agent;
        this.acceptor = acceptor;
    }

    /**
     * Listens on a port, 1 to 65,535, or on any free port if it is 0. At most {@code backlog} connections wait for
     * {@link #accept}. Throws IOException if the port is in use or the endpoint is lost.
     */
    static SharedAcceptor listen(final SharedAgent agent, final int port, final int backlog,
        final IpnumaRegistration events) throws IOException
    {
        agent.lock();
        try
        {
            final StreamAcceptor acceptor = agent.usable().listen(port, backlog);
            acceptor.attach(events);
            return new SharedAcceptor(agent, acceptor);
        }
        finally
        {
            agent.unlock();
        }
    }

    /** Returns the address with its port, which never changes. */
    IpnumaSocketAddress address()
    {
        return acceptor.address();
    }

    /** Directs events to a registration, or to none if it is null. */
    void attach(final IpnumaRegistration events)
    {
        agent.locked(() -> acceptor.attach(events));
    }

    SharedStream accept()
    {
        agent.lock();
        try
        {
            final StreamChannel stream = acceptor.accept();
            return stream == null ? null : new SharedStream(agent, stream);
        }
        finally
        {
            agent.unlock();
        }
    }

    /** Returns whether no further connection arrives. */
    boolean isClosed()
    {
        agent.lock();
        try
        {
            return acceptor.isClosed();
        }
        finally
        {
            agent.unlock();
        }
    }

    void close()
    {
        agent.locked(acceptor::close);
    }
}
