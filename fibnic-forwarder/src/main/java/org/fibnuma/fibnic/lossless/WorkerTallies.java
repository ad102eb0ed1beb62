package org.fibnuma.fibnic.lossless;

import org.fibnuma.pfc.wire.MacControl;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts of the workers at one port, by priority. Each worker adds to its own cells; any thread reads the sums. Other
 * threads may see the additions of a worker late, but in order.
 */
final class WorkerTallies
{
    /** Ingress: bytes on the wire of all frames that were queued. */
    static final int ARRIVED = 0;
    /** Ingress: bytes on the wire of all frames that have left their queue. */
    static final int DEPARTED = 1;
    /** Egress: bytes on the wire of the frames that wait now. */
    static final int WAITING = 2;
    /** Egress: frames that the transmit queue accepted. */
    static final int SENT = 3;
    /** Ingress: frames dropped because the headroom is used up. */
    static final int BEYOND_HEADROOM = 4;
    /** Egress: frames dropped while there is a storm. */
    static final int IN_STORM = 5;
    /** Egress: packets marked as congestion experienced. */
    static final int MARKED = 6;

    private static final int KINDS = 7;
    /** Two cache lines between the cells of two workers, because lines are prefetched in pairs. */
    private static final int PADDING = 16;
    private static final int CELLS_PER_WORKER = KINDS * MacControl.PRIORITIES + PADDING;

    private final AtomicLongArray cells;

    WorkerTallies(final int workers)
    {
        cells = new AtomicLongArray(workers * CELLS_PER_WORKER);
    }

    /** Adds an amount; on the thread of the worker. */
    void add(final int worker, final int kind, final int priority, final long amount)
    {
        final int cell = worker * CELLS_PER_WORKER + kind * MacControl.PRIORITIES + priority;
        cells.setRelease(cell, cells.getPlain(cell) + amount);
    }

    /** Returns the sum over all workers; any thread. */
    long sum(final int kind, final int priority)
    {
        long sum = 0;
        for (int i = kind * MacControl.PRIORITIES + priority; i < cells.length(); i += CELLS_PER_WORKER)
        {
            sum += cells.getAcquire(i);
        }
        return sum;
    }
}
