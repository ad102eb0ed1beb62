package org.fibnuma.ipnuma.socket;

import org.agrona.concurrent.IdleStrategy;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.LastingAgent;
import org.fibnuma.ipnuma.stream.StreamAcceptor;
import org.fibnuma.ipnuma.stream.StreamAgent;
import org.fibnuma.ipnuma.stream.StreamChannel;
import org.fibnuma.ipnuma.stream.StreamEvents;
import org.fibnuma.ipnuma.stream.StreamSettings;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs a {@link StreamAgent} on a separate thread for blocking sockets. A lock makes one thread at a time use the
 * agent. A waiting thread is woken by the event of its channel. If the endpoint is lost, all sockets fail, and new
 * sockets use the endpoint that runs then. Any thread may call every method.
 */
public final class SocketDriver implements AutoCloseable
{
    private static final long NO_TIMEOUT_NS = TimeUnit.DAYS.toNanos(365);
    private static final Method IS_VIRTUAL = isVirtualMethod();

    private final ReentrantLock lock = new ReentrantLock();
    private final StreamSettings settings;
    private final LastingAgent agents;
    private final Thread thread = new Thread(this::run, "ipnuma-sockets");
    private volatile boolean closed;

    private SocketDriver(final StreamSettings settings)
    {
        this.settings = settings;
        this.agents = new LastingAgent(settings, new Wakeups());
    }

    /**
     * Connects to the local endpoint and starts the thread, a daemon.
     *
     * @param settings of the program.
     * @return the driver, which the caller closes after the sockets.
     * @throws UserException with the reason in one line.
     */
    public static SocketDriver open(final StreamSettings settings)
    {
        final SocketDriver driver = new SocketDriver(settings);
        driver.thread.setDaemon(true);
        driver.thread.start();
        return driver;
    }

    private void run()
    {
        final IdleStrategy idle = IdleStrategies.of(IdleStrategies.BACKOFF);
        while (!closed)
        {
            try
            {
                idle.idle(doWork());
            }
            catch (final InternalError fault)
            {
                // An access to a truncated file. The JVM throws the error there or at any later point of the thread.
                locked(() -> agents.current().onFault(fault));
            }
        }
    }

    private int doWork()
    {
        lock.lock();
        try
        {
            return agents.current().doWork();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Returns the number of slots in use. */
    public int connectionCount()
    {
        lock.lock();
        try
        {
            return agents.current().connectionCount();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Returns the capacity in bytes of the ring of each connection of this program. */
    int ringCapacity()
    {
        return settings.ringCapacity();
    }

    /** Returns the PC ID of the local endpoint. */
    public int pcId()
    {
        return settings.pcId();
    }

    /** An operation that is repeated under the lock until it has a result. */
    @FunctionalInterface
    interface Attempt<T>
    {
        /** Returns the result, or null to wait for the next event. */
        T attempt() throws IOException;
    }

    /**
     * Repeats an operation until it has a result. The interrupt of a platform thread does not end this. The interrupt
     * of a virtual thread closes its socket. Both stay interrupted.
     *
     * @param socket    closed by the interrupt of a virtual thread.
     * @param changed   signalled by the events of the channel or the acceptor.
     * @param timeoutMs until {@link SocketTimeoutException}, 0 for none.
     * @param what      operation, for the message of a timeout.
     * @param attempt   called with the lock held.
     */
    <T> T await(
        final Closeable socket,
        final Condition changed,
        final int timeoutMs,
        final String what,
        final Attempt<T> attempt) throws IOException
    {
        final long timeoutNs = timeoutMs == 0 ? NO_TIMEOUT_NS : TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        final long deadlineNs = System.nanoTime() + timeoutNs;
        boolean interrupted = false;
        lock.lock();
        try
        {
            T result = attempt.attempt();
            while (result == null)
            {
                final long leftNs = deadlineNs - System.nanoTime();
                if (leftNs <= 0)
                {
                    throw new SocketTimeoutException(what + " timed out");
                }
                try
                {
                    changed.awaitNanos(leftNs);
                }
                catch (final InterruptedException ex)
                {
                    interrupted = true;
                    closeIfVirtual(socket);
                }
                result = attempt.attempt();
            }
            return result;
        }
        finally
        {
            lock.unlock();
            if (interrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void closeIfVirtual(final Closeable socket) throws IOException
    {
        if (isVirtual(Thread.currentThread()))
        {
            socket.close();
            throw new SocketException("Closed by interrupt");
        }
    }

    private static boolean isVirtual(final Thread thread)
    {
        try
        {
            return IS_VIRTUAL != null && (boolean)IS_VIRTUAL.invoke(thread);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** Returns {@code Thread.isVirtual} of Java 21 and later, or null. */
    private static Method isVirtualMethod()
    {
        try
        {
            return Thread.class.getMethod("isVirtual");
        }
        catch (final NoSuchMethodException ignore)
        {
            return null;
        }
    }

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

    Condition newCondition()
    {
        return lock.newCondition();
    }

    /** Begins to connect. The events of the channel signal the condition. */
    StreamChannel connect(final IpnumaSocketAddress remote, final long timeoutNs, final Condition changed)
        throws IOException
    {
        lock.lock();
        try
        {
            final StreamChannel channel = agents.usable().connect(remote, timeoutNs);
            channel.attach(changed);
            return channel;
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Listens. The events of the acceptor signal the condition. */
    StreamAcceptor listen(final int port, final int backlog, final Condition changed) throws IOException
    {
        lock.lock();
        try
        {
            final StreamAcceptor acceptor = agents.usable().listen(port, backlog);
            acceptor.attach(changed);
            return acceptor;
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Ends the thread and the agent. Open connections are reset, and waiting calls fail. */
    @Override
    public void close()
    {
        locked(() ->
        {
            closed = true;
            agents.close();
        });
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Wakeups implements StreamEvents
    {
        @Override
        public void onReady(final StreamChannel channel)
        {
            wake(channel.attachment());
        }

        @Override
        public void onAcceptable(final StreamAcceptor acceptor)
        {
            wake(acceptor.attachment());
        }

        private static void wake(final Object condition)
        {
            if (condition != null)
            {
                ((Condition)condition).signalAll();
            }
        }
    }
}
