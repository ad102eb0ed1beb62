package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Receives the frames that the kernel of this host sends through the interface that represents a port. It sends them by
 * that port unmodified. If the port is full, they go to the FIFO of the router's own messages; if that is full, they
 * are dropped. They are not counted as received frames.
 */
final class HostInput
{
    /**
     * A poll costs a system call of a few hundred ns for each interface, about 0.5 % of this interval for two
     * interfaces. Frames of the kernel wait no longer than frames for a sleeping worker.
     */
    static final long POLL_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(IdleStrategies.MAX_PARK_US);

    private final int[] ports;
    private final RxQueue[] rxQueues;
    private final EgressQueues egressQueues;
    private final FramePool pool;
    private final FateCounters counters;
    private final NanoClock clock;
    private final FrameBatch batch = new FrameBatch();
    private long nextPollNs;

    HostInput(final ForwarderContext context, final EgressQueues egressQueues, final FateCounters counters)
    {
        final Map<Integer, KernelPort> paths = context.kernelPaths.own();
        this.ports = paths.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
        this.rxQueues = new RxQueue[ports.length];
        for (int i = 0; i < ports.length; i++)
        {
            rxQueues[i] = paths.get(ports[i]).rxQueue(context.worker);
        }
        this.egressQueues = egressQueues;
        this.pool = context.framePool;
        this.counters = counters;
        this.clock = context.clock;
        this.nextPollNs = clock.nanoTime();
    }

    /** Returns the number of frames received from the kernel. */
    int process()
    {
        if (ports.length == 0)
        {
            return 0;
        }
        final long nowNs = clock.nanoTime();
        if (nowNs - nextPollNs < 0)
        {
            return 0;
        }
        int count = 0;
        for (int i = 0; i < ports.length; i++)
        {
            receive(rxQueues[i]);
            if (batch.size() > 0)
            {
                send(ports[i]);
                count += batch.size();
            }
        }
        if (count == 0)
        {
            nextPollNs = nowNs + POLL_INTERVAL_NS;
        }
        return count;
    }

    /** Receives as many frames as a port can punt in a duty cycle: the kernel may forward all of them to one port. */
    private void receive(final RxQueue rxQueue)
    {
        batch.clear();
        int received;
        do
        {
            received = rxQueue.receive(batch);
        }
        while (received > 0 && batch.room() > 0);
    }

    private void send(final int port)
    {
        final int size = batch.size();
        int lost = 0;
        for (int i = 0; i < size; i++)
        {
            if (!egressQueues.send(
                port, counters.ownIngress(), batch.handle(i), batch.address(i), batch.length(i)))
            {
                pool.release(batch.handle(i));
                lost++;
            }
        }
        counters.add(ForwarderCounter.FROM_HOST, size - lost);
        counters.add(ForwarderCounter.FROM_HOST_LOST, lost);
    }
}
