package org.fibnuma.fibnic.ports;

import org.fibnuma.core.port.Port;

import java.util.List;

/**
 * The ports of the workers, by index. Ports are added behind the last one or replace another one; their number never
 * decreases. The control thread is the only writer. A worker uses a change from the end of its duty cycle on: when
 * {@link org.fibnuma.fibnic.fib.ReaderEpochs#retire} runs a task that was retired after the change, no worker uses a
 * replaced port.
 */
public final class PortTable
{
    private final int places;
    private volatile PortQueues[] byWorker;

    /**
     * Creates the table of a router.
     *
     * @param ports  at the start, 1 or more, each with at least as many queues as there are workers.
     * @param places largest number of ports.
     */
    public PortTable(final List<? extends Port> ports, final int places)
    {
        this.places = places;
        replace(ports);
    }

    /** Returns the largest number of ports. */
    public int places()
    {
        return places;
    }

    /**
     * Replaces the ports; control thread.
     *
     * @param ports by index, as many as before or more, and at most {@link #places()}.
     */
    public void replace(final List<? extends Port> ports)
    {
        final PortQueues[] queues = new PortQueues[ports.stream().mapToInt(Port::queueCount).min().orElse(0)];
        for (int worker = 0; worker < queues.length; worker++)
        {
            queues[worker] = new PortQueues(ports, worker);
        }
        byWorker = queues;
    }

    /** Returns the current queues of a worker, the same object until the ports change; any thread. */
    public PortQueues ofWorker(final int worker)
    {
        return byWorker[worker];
    }
}
