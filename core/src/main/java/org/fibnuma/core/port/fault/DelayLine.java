package org.fibnuma.core.port.fault;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;

import java.util.SplittableRandom;

/**
 * Frames that are under way, in the order in which they come out. Decides what happens to each when it goes in; owns
 * their chunks until they come out. Belongs to one worker's thread, but for the counts.
 */
final class DelayLine
{
    /** Longest time by which a reordered frame is later than its turn. */
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
    /** Only the worker stores them, so that reading and adding need not be one step. */
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

    /** How many frames it takes; one that is repeated counts twice. */
    int room()
    {
        return CAPACITY - size;
    }

    void add(final long handle, final long address, final int length, final int ingressPort, final long nowNs)
    {
        // All decisions are drawn for every frame, so that one fault's share does not move the others.
        final boolean isLost = meets(Fault.LOSS);
        final boolean isDuplicated = meets(Fault.DUPLICATION);
        final boolean isReordered = meets(Fault.REORDERING);
        final boolean isCorrupted = meets(Fault.CORRUPTION);
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

    /** The first frame has come out, and its chunk with it. */
    void remove()
    {
        first = (first + 1) % CAPACITY;
        size--;
    }

    /** Gives the chunks of all frames back. */
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

    private boolean meets(final Fault fault)
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
        int place = size++;
        for (; place > 0 && dueNs[index(place - 1)] - due > 0; place--)
        {
            final int to = index(place);
            final int from = index(place - 1);
            handles[to] = handles[from];
            addresses[to] = addresses[from];
            lengths[to] = lengths[from];
            ingressPorts[to] = ingressPorts[from];
            dueNs[to] = dueNs[from];
        }
        final int at = index(place);
        handles[at] = handle;
        addresses[at] = address;
        lengths[at] = length;
        ingressPorts[at] = ingressPort;
        dueNs[at] = due;
    }

    private int index(final int place)
    {
        return (first + place) % CAPACITY;
    }
}
