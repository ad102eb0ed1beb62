package org.fibnuma.core.port.fault;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;

import java.util.SplittableRandom;

/**
 * Delayed frames of one worker, in the order of their departure. The faults of a frame are drawn when it is added. The
 * line owns the chunks until the frames leave. Only {@link #count} is for any thread.
 */
final class DelayLine
{
    /** Longest additional delay of a reordered frame in ns. */
    static final long REORDER_NS = 100_000;

    private static final int CAPACITY = 512;
    private static final int MAX_FLIPS = 8;
    private static final double PERCENT = 100;

    private final FaultSettings settings;
    private final SplittableRandom random;
    private final FramePool pool;
    private final long[] handles = new long[CAPACITY];
    private final long[] addresses = new long[CAPACITY];
    private final int[] lengths = new int[CAPACITY];
    private final int[] ingressPorts = new int[CAPACITY];
    private final long[] dueNs = new long[CAPACITY];
    private final double[] shares = new double[Fault.values().length];
    /** Written by the worker thread only, so that the increments need not be atomic. */
    private volatile long losses;
    private volatile long duplications;
    private volatile long reorderings;
    private volatile long corruptions;
    private int first;
    private int size;

    DelayLine(final FaultSettings settings, final long seed, final FramePool pool)
    {
        this.settings = settings;
        this.pool = pool;
        random = new SplittableRandom(seed);
        for (final Fault fault : Fault.values())
        {
            shares[fault.ordinal()] = settings.percent(fault) / PERCENT;
        }
    }

    /** Returns how many frames can be added; a duplicated frame counts twice. */
    int room()
    {
        return CAPACITY - size;
    }

    void add(final long handle, final long address, final int length, final int ingressPort, final long nowNs)
    {
        // All numbers are drawn for every frame, so that the share of one fault does not affect the others.
        final boolean isLost = occurs(Fault.LOSS);
        final boolean isDuplicated = occurs(Fault.DUPLICATION);
        final boolean isReordered = occurs(Fault.REORDERING);
        final boolean isCorrupted = occurs(Fault.CORRUPTION);
        final long late = random.nextLong(REORDER_NS);
        final long bits = random.nextLong();
        if (isLost)
        {
            losses = losses + 1;
            pool.release(handle);
            return;
        }
        if (isDuplicated)
        {
            duplicate(address, length, ingressPort, nowNs + settings.delayNs());
        }
        if (isCorrupted && length > 0)
        {
            corruptions = corruptions + 1;
            corrupt(address, length, bits);
        }
        if (isReordered)
        {
            reorderings = reorderings + 1;
        }
        insert(handle, address, length, ingressPort, nowNs + settings.delayNs() + (isReordered ? late : 0));
    }

    boolean isDue(final long nowNs)
    {
        return size > 0 && nowNs - dueNs[first] >= 0;
    }

    long handle()
    {
        return handles[first];
    }

    long address()
    {
        return addresses[first];
    }

    int length()
    {
        return lengths[first];
    }

    int ingressPort()
    {
        return ingressPorts[first];
    }

    /** Removes the first frame, whose chunk the caller has taken. */
    void remove()
    {
        first = (first + 1) % CAPACITY;
        size--;
    }

    /** Releases the chunks of all frames. */
    void clear()
    {
        while (size > 0)
        {
            pool.release(handle());
            remove();
        }
    }

    long count(final Fault fault)
    {
        return switch (fault)
        {
            case LOSS -> losses;
            case DUPLICATION -> duplications;
            case REORDERING -> reorderings;
            default -> corruptions;
        };
    }

    private boolean occurs(final Fault fault)
    {
        return random.nextDouble() < shares[fault.ordinal()];
    }

    private void duplicate(final long address, final int length, final int ingressPort, final long due)
    {
        final long chunk = length <= pool.chunkSize() - FramePool.HEADROOM ? pool.allocate() : FramePool.NONE;
        if (chunk != FramePool.NONE)
        {
            duplications = duplications + 1;
            final long copy = chunk + FramePool.HEADROOM;
            FrameMemory.copy(address, copy, length);
            if (FrameMemory.BOUNDS_CHECKS)
            {
                FrameBounds.frame(copy, length);
            }
            insert(chunk, copy, length, ingressPort, due);
        }
    }

    private static void corrupt(final long address, final int length, final long bits)
    {
        final int count = 1 + (int)(bits & MAX_FLIPS - 1);
        long state = bits;
        for (int i = 0; i < count; i++)
        {
            // Knuth's MMIX generator, of which only the high bits are used.
            state = state * 6364136223846793005L + 1442695040888963407L;
            final long at = address + (state >>> 33) % length;
            FrameMemory.putByte(at, FrameMemory.getByte(at) ^ 1 << (int)(state >>> 30 & Byte.SIZE - 1));
        }
    }

    private void insert(
        final long handle, final long address, final int length, final int ingressPort, final long due)
    {
        int position = size++;
        for (; position > 0 && dueNs[index(position - 1)] - due > 0; position--)
        {
            final int to = index(position);
            final int from = index(position - 1);
            handles[to] = handles[from];
            addresses[to] = addresses[from];
            lengths[to] = lengths[from];
            ingressPorts[to] = ingressPorts[from];
            dueNs[to] = dueNs[from];
        }
        final int at = index(position);
        handles[at] = handle;
        addresses[at] = address;
        lengths[at] = length;
        ingressPorts[at] = ingressPort;
        dueNs[at] = due;
    }

    private int index(final int position)
    {
        return (first + position) % CAPACITY;
    }
}
