package org.fibnuma.fibnic.lossless;

import org.fibnuma.pfc.wire.MacControl;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What the workers have done at one port, for each priority: each worker adds to cells of its own, anybody sums. What a
 * worker added is seen by others a little later, and in the order in which it was added.
 */
final class WorkerTallies
{
    /** Ingress: bytes on the wire that began to wait, ever. */
    static final int ARRIVED = 0;
    /** Ingress: bytes on the wire that waited and no longer do, ever. */
    static final int DEPARTED = 1;
    /** Egress: bytes that wait. */
    static final int WAITING = 2;
    /** Egress: frames that the port took. */
    static final int SENT = 3;
    /** Ingress: frames dropped because the headroom is used up. */
    static final int BEYOND_HEADROOM = 4;
    /** Egress: frames dropped while there is a storm. */
    static final int IN_STORM = 5;
    /** Egress: packets marked. */
    static final int MARKED = 6;

    private static final int KINDS = 7;
    /** Two cache lines between the cells of two workers, since lines are fetched in pairs. */
    private static final int PADDING = 16;
    private static final int CELLS_PER_WORKER = KINDS * MacControl.PRIORITIES + PADDING;

    private final AtomicLongArray cells;

    WorkerTallies(final int workers)
    {
        cells = new AtomicLongArray(workers * CELLS_PER_WORKER);
    }

    /** Adds; the worker. */
    void add(final int worker, final int kind, final int priority, final long amount)
    {
        final int cell = worker * CELLS_PER_WORKER + kind * MacControl.PRIORITIES + priority;
        cells.setRelease(cell, cells.getPlain(cell) + amount);
    }

    /** Sums up; any thread. */
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
