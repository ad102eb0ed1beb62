package org.fibnuma.fibnic.control;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.NeighborResolvePoller;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.rib.NeighborRefresher;
import org.fibnuma.fibnic.rib.NeighborRequests;
import org.fibnuma.fibnic.rib.RoutingTables;

import java.util.List;
import java.util.Queue;
import java.util.function.IntSupplier;

/**
 * The control thread, the only writer of the workers' tables. It follows the kernel, requests the resolution of
 * neighbours, and runs the requests of the control socket. Any thread may call {@link #offer} and
 * {@link #offerWhenQuiet}.
 */
final class ControlAgent implements Agent
{
    /** Most waiting requests; further ones are answered with an error. */
    private static final int TASK_LIMIT = 64;

    private static final int RESOLVE_LIMIT = 64;

    /** Interval of requests for neighbours that are due and of polls of the watches. */
    private static final long REFRESH_INTERVAL_MS = 100;

    private final ManyToOneConcurrentArrayQueue<Runnable> tasks = new ManyToOneConcurrentArrayQueue<>(TASK_LIMIT);
    private final ManyToOneConcurrentArrayQueue<Runnable> tasksWhenQuiet =
        new ManyToOneConcurrentArrayQueue<>(TASK_LIMIT);
    private final KernelNetwork kernel;
    private final RoutingTables tables;
    private final NeighborRequests neighborRequests;
    private final NeighborRefresher refresher;
    private final NeighborResolvePoller resolvePoller;
    private final ReaderEpochs epochs;
    /** Polled in every cycle: what they follow may end the forwarding of frames. */
    private final List<IntSupplier> followers;
    private final List<IntSupplier> watches;
    private final EpochClock clock;
    private long kernelMessages;
    private final NanoClock nanoClock = SystemNanoClock.INSTANCE;
    private long nextRefreshMs;
    private long longestCycleNs;

    ControlAgent(
        final KernelNetwork kernel,
        final RoutingTables tables,
        final NeighborRequests neighborRequests,
        final NeighborRefresher refresher,
        final RingBuffer resolveRequests,
        final ReaderEpochs epochs,
        final List<IntSupplier> followers,
        final List<IntSupplier> watches,
        final EpochClock clock)
    {
        this.kernel = kernel;
        this.tables = tables;
        this.neighborRequests = neighborRequests;
        this.refresher = refresher;
        this.resolvePoller = new NeighborResolvePoller(resolveRequests, this::resolve);
        this.epochs = epochs;
        this.followers = followers;
        this.watches = watches;
        this.clock = clock;
    }

    /**
     * Runs a task on the control thread; any thread. A task should take no longer than a few ms, because it delays
     * changes of the network. Returns false where too many tasks wait.
     */
    boolean offer(final Runnable task)
    {
        return tasks.offer(task);
    }

    /**
     * Runs a task on the control thread as soon as the kernel has no more changes to report: the tables then contain
     * every change that the kernel made before the call. Any thread. Returns false where too many tasks wait.
     */
    boolean offerWhenQuiet(final Runnable task)
    {
        return tasksWhenQuiet.offer(task);
    }

    /**
     * Returns the number of changes reported by the kernel and of replaced devices of ports; never decreases. Control
     * thread.
     */
    long changes()
    {
        return kernelMessages + tables.portChanges();
    }

    /** Returns the longest duty cycle in ns that ended without an exception, 0 before the first. Control thread. */
    long longestCycleNs()
    {
        return longestCycleNs;
    }

    @Override
    public int doWork()
    {
        final long startNs = nanoClock.nanoTime();
        final int work = cycle();
        longestCycleNs = Math.max(longestCycleNs, nanoClock.nanoTime() - startNs);
        return work;
    }

    private int cycle()
    {
        final int messages = kernel.poll(tables);
        kernelMessages += messages;
        int work = messages;
        work += resolvePoller.poll(RESOLVE_LIMIT);
        for (final IntSupplier follower : followers)
        {
            work += follower.getAsInt();
        }
        work += epochs.reclaim();
        work += run(tasks);
        if (messages == 0)
        {
            work += run(tasksWhenQuiet);
        }
        final long nowMs = clock.time();
        if (nowMs >= nextRefreshMs)
        {
            nextRefreshMs = nowMs + REFRESH_INTERVAL_MS;
            work += refresher.poll(nowMs);
            for (final IntSupplier watch : watches)
            {
                work += watch.getAsInt();
            }
        }
        return work;
    }

    /** A neighbour may have become permanent, or its VLAN interface may have ended, since a worker requested it. */
    private void resolve(final int number, final IpAddress address)
    {
        final int interfaceIndex = tables.links().interfaceOf(number);
        if (interfaceIndex != 0 && !tables.isPermanentNeighbor(interfaceIndex, address))
        {
            neighborRequests.request(interfaceIndex, address, clock.time());
        }
    }

    private static int run(final Queue<Runnable> waiting)
    {
        final Runnable task = waiting.poll();
        if (task == null)
        {
            return 0;
        }
        task.run();
        return 1;
    }

    @Override
    public String roleName()
    {
        return "control";
    }
}
