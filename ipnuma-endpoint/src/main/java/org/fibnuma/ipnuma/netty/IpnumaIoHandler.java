package org.fibnuma.ipnuma.netty;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.ipnuma.stream.StreamSettings;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Serves the {@link IpnumaSocketChannel}s and {@link IpnumaServerSocketChannel}s of an event loop. It polls the memory
 * into which peers store, and handles only the channels that have changed.
 * <p>
 * If the tasks of an event loop are short, received bytes are found within a poll of the memory while there is traffic.
 * Otherwise they are found within the sleep of the idle strategy: 0.1 ms and the kernel's timer slack.
 */
public final class IpnumaIoHandler implements IoHandler
{
    /** Maximum number of channels that are served before the event loop runs its tasks again. */
    private static final int MAX_HANDLED = 256;
    /** As many polls as the strategy "backoff" spins and yields before it sleeps. */
    private static final int MAX_POLLS_AWAKE = 200;
    private static final int CLOCK_MASK = 7;
    /** Sleep of a handler while another one polls for it. The other one may be in a long task. */
    private static final long FOLLOWER_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ThreadAwareExecutor executor;
    private final SharedAgent agent;
    private final IdleStrategy idle;
    private final boolean sleeps;
    private final Set<IpnumaRegistration> registrations = new HashSet<>();
    private final Queue<IpnumaRegistration> ready = new ManyToOneConcurrentLinkedQueue<>();
    private volatile Thread thread;
    private volatile boolean woken;
    private boolean destroyed;

    IpnumaIoHandler(final ThreadAwareExecutor executor, final SharedAgent agent, final String idle)
    {
        this.executor = executor;
        this.agent = agent;
        this.idle = IdleStrategies.of(idle);
        this.sleeps = IdleStrategies.longestSleepNs(idle) > 0;
    }

    /**
     * Returns a factory for {@code MultiThreadIoEventLoopGroup}. Event loops of one factory share a program's
     * connections and ports: give a server's two groups the same factory. The connection to the local endpoint is
     * opened with the first event loop and closed with the last one. If it fails, the group's constructor throws
     * Netty's IllegalStateException, whose cause is a {@link UserException} with one line. Event loops without work
     * sleep.
     *
     * @param settings of the program.
     */
    public static IoHandlerFactory newFactory(final StreamSettings settings)
    {
        return newFactory(settings, IdleStrategies.BACKOFF);
    }

    /**
     * Returns a factory as {@link #newFactory(StreamSettings)} does, with an idle strategy.
     *
     * @param settings of the program.
     * @param idle     a name of {@link IdleStrategies}. "busy" and "yield" never sleep, for the lowest latency, and
     *                 occupy a core for each event loop.
     * @throws IllegalArgumentException for an unknown strategy.
     */
    public static IoHandlerFactory newFactory(final StreamSettings settings, final String idle)
    {
        return new IpnumaIoHandlerFactory(settings, idle);
    }

    @Override
    public int run(final IoHandlerContext context)
    {
        if (thread == null)
        {
            thread = Thread.currentThread();
        }
        // Cleared before the context is queried for tasks, so that no wake-up for a later task is lost.
        woken = false;
        agent.poll();
        if (ready.isEmpty() && context.canBlock())
        {
            await(context);
        }
        if (!context.shouldReportActiveIoTime())
        {
            return handleReady();
        }
        final long startNs = System.nanoTime();
        final int handled = handleReady();
        context.reportActiveIoTime(handled == 0 ? 0 : System.nanoTime() - startNs);
        return handled;
    }

    /** Polls until a channel is ready, there is a task or a timer is due. */
    private void await(final IoHandlerContext context)
    {
        final long startNs = System.nanoTime();
        final long deadlineNs = startNs + context.delayNanos(startNs);
        int polls = 0;
        idle.reset();
        while (!woken && ready.isEmpty() && !isOver(polls, deadlineNs))
        {
            if (agent.poll() > 0)
            {
                polls = 0;
                idle.reset();
            }
            else if (!woken && ready.isEmpty())
            {
                polls++;
                idle(polls);
            }
        }
        agent.stopLeading(this);
    }

    /**
     * Returns whether the deadline has passed. The clock is read in each poll while sleeping, in one of 8 while
     * spinning.
     */
    private boolean isOver(final int polls, final long deadlineNs)
    {
        final boolean spins = !sleeps || polls <= MAX_POLLS_AWAKE;
        final boolean readsClock = !spins || (polls & CLOCK_MASK) == 0;
        return readsClock && System.nanoTime() - deadlineNs >= 0;
    }

    private void idle(final int polls)
    {
        if (!sleeps || polls <= MAX_POLLS_AWAKE || agent.lead(this))
        {
            idle.idle();
        }
        else
        {
            LockSupport.parkNanos(this, FOLLOWER_SLEEP_NS);
        }
    }

    private int handleReady()
    {
        int handled = 0;
        IpnumaRegistration registration = ready.poll();
        while (registration != null)
        {
            registration.handleReady();
            handled++;
            registration = handled < MAX_HANDLED ? ready.poll() : null;
        }
        return handled;
    }

    /** Adds a registration to the queue of channels to handle; any thread. */
    void enqueue(final IpnumaRegistration registration)
    {
        ready.add(registration);
        wakeup();
    }

    SharedAgent agent()
    {
        return agent;
    }

    @Override
    public void wakeup()
    {
        if (!executor.isExecutorThread(Thread.currentThread()))
        {
            woken = true;
            LockSupport.unpark(thread);
        }
    }

    @Override
    public IoRegistration register(final IoHandle handle)
    {
        if (!(handle instanceof IpnumaIoHandle own))
        {
            throw new IllegalArgumentException(handle.getClass().getName() + " is no channel of IP-NUMA");
        }
        final IpnumaRegistration registration = new IpnumaRegistration(this, own);
        registrations.add(registration);
        own.registered();
        return registration;
    }

    /** Removes a registration; any thread. */
    void cancel(final IpnumaRegistration registration)
    {
        if (executor.isExecutorThread(Thread.currentThread()))
        {
            unregister(registration);
        }
        else
        {
            executor.execute(() -> unregister(registration));
        }
    }

    private void unregister(final IpnumaRegistration registration)
    {
        if (registrations.remove(registration))
        {
            registration.handle().unregistered();
        }
    }

    @Override
    public boolean isCompatible(final Class<? extends IoHandle> handleType)
    {
        return IpnumaIoHandle.class.isAssignableFrom(handleType);
    }

    /** Closes the channels of the event loop. */
    @Override
    public void prepareToDestroy()
    {
        for (final IpnumaRegistration registration : new ArrayList<>(registrations))
        {
            registration.handle().close();
        }
    }

    /** Ends the use of the endpoint. The last handler of a factory closes the connection to it. */
    @Override
    public void destroy()
    {
        if (!destroyed)
        {
            destroyed = true;
            agent.release();
        }
    }
}
