package org.fibnuma.ipnuma.netty;

import org.fibnuma.ipnuma.stream.LastingAgent;
import org.fibnuma.ipnuma.stream.StreamAcceptor;
import org.fibnuma.ipnuma.stream.StreamAgent;
import org.fibnuma.ipnuma.stream.StreamChannel;
import org.fibnuma.ipnuma.stream.StreamEvents;
import org.fibnuma.ipnuma.stream.StreamSettings;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The agent of a program that event loops share. After the loss of the endpoint a new agent replaces it. {@link
 * SharedStream} and {@link SharedAcceptor} hold the lock while they use the agent. It is closed when the last handler
 * has released it.
 */
final class SharedAgent
{
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicReference<IpnumaIoHandler> leader = new AtomicReference<>();
    private final StreamSettings settings;
    private final LastingAgent agents;
    private int users = 1;

    /** Connects to the local endpoint; the caller is the first user. */
    SharedAgent(final StreamSettings settings)
    {
        this.settings = settings;
        this.agents = new LastingAgent(settings, new ReadyEvents());
    }

    /** Adds a user; returns false if the agent is closed. */
    boolean retain()
    {
        lock.lock();
        try
        {
            users += users > 0 ? 1 : 0;
            return users > 0;
        }
        finally
        {
            lock.unlock();
        }
    }

    void release()
    {
        lock.lock();
        try
        {
            users--;
            if (users == 0)
            {
                agents.close();
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    void lock()
    {
        lock.lock();
    }

    void unlock()
    {
        lock.unlock();
    }

    /** Runs an action while it holds the lock. */
    void locked(final Runnable action)
    {
        lock.lock();
        try
        {
            action.run();
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Returns the agent for another connection or port, or a new one if the endpoint is lost. For the holder of the
     * lock.
     *
     * @throws IOException if there is no endpoint.
     */
    StreamAgent usable() throws IOException
    {
        return agents.usable();
    }

    /** Returns the capacity in bytes of each ring. */
    int ringCapacity()
    {
        return settings.ringCapacity();
    }

    /** Runs a duty cycle of the agent unless another event loop runs one. Returns the amount of work done. */
    int poll()
    {
        if (!lock.tryLock())
        {
            return 0;
        }
        try
        {
            return agents.current().doWork();
        }
        catch (final InternalError fault)
        {
            agents.current().onFault(fault);
            return 1;
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Makes a waiting handler poll for all sleeping handlers, if none does yet. Returns whether it is the one that
     * polls.
     */
    boolean lead(final IpnumaIoHandler handler)
    {
        return leader.get() == handler || leader.compareAndSet(null, handler);
    }

    /** Lets another handler poll for the sleeping ones. */
    void stopLeading(final IpnumaIoHandler handler)
    {
        if (leader.get() == handler)
        {
            leader.set(null);
        }
    }

    private static final class ReadyEvents implements StreamEvents
    {
        @Override
        public void onReady(final StreamChannel channel)
        {
            markReady(channel.attachment());
        }

        @Override
        public void onAcceptable(final StreamAcceptor acceptor)
        {
            markReady(acceptor.attachment());
        }

        /** A channel without a registration is marked when it is registered. */
        private static void markReady(final Object registration)
        {
            if (registration != null)
            {
                ((IpnumaRegistration)registration).markReady();
            }
        }
    }
}
