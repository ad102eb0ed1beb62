package org.fibnuma.ipnuma.session.window;

import org.agrona.CloseHelper;
import org.fibnuma.core.memory.MemoryRegion;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Slots of native memory for the datagrams of all sessions of a thread: a session has a slot only while a datagram is
 * in it, so that an idle session needs none. The pool grows by {@value #BLOCK} slots when it is empty, and keeps them.
 * <p>
 * A session without a connection gets a slot only while less than half of the limit is in use. So data that waits for
 * peers that are down fills at most half of the pool, however many these peers are, and the other half is for sessions
 * with a connection alone. For one thread.
 */
public final class SlotPool implements AutoCloseable
{
    /** Slots by which a pool grows; 368 KiB with an MTU of 1,500. */
    public static final int BLOCK = 256;
    /** Default limit of a pool, 736 MiB with an MTU of 1,500: the full windows of 1,024 sessions, both ways. */
    public static final int MAX_SLOTS = 1024 * (SendWindow.SLOTS + ReceiveWindow.SLOTS);
    /** Returned if the pool is empty and has reached its limit. */
    public static final long NONE = 0;

    private static final int CACHE_LINE = 64;

    private final int stride;
    private final int maxSlots;
    private final List<MemoryRegion> blocks = new ArrayList<>();
    private long[] free = new long[BLOCK];
    private int freeCount;

    /**
     * Creates a pool with one block.
     *
     * @param datagramLength bytes of the longest datagram.
     * @param maxSlots       limit, a multiple of {@link #BLOCK}, 1 block or more.
     */
    public SlotPool(final int datagramLength, final int maxSlots)
    {
        if (maxSlots < BLOCK || maxSlots % BLOCK != 0)
        {
            throw new IllegalArgumentException("not a positive multiple of " + BLOCK + ": " + maxSlots);
        }
        this.stride = datagramLength + CACHE_LINE - 1 & -CACHE_LINE;
        this.maxSlots = maxSlots;
        grow();
    }

    /** Returns the bytes of a slot. */
    public int stride()
    {
        return stride;
    }

    /** Returns the number of slots that the pool has allocated. */
    public int size()
    {
        return blocks.size() * BLOCK;
    }

    /** Returns the number of slots in use. */
    public int used()
    {
        return size() - freeCount;
    }

    /** Takes a slot for a session without a connection; returns its address, or {@link #NONE} if half is in use. */
    long takeWaiting()
    {
        return used() < maxSlots / 2 ? take() : NONE;
    }

    /**
     * Takes a slot for a session with a connection; returns its address, or {@link #NONE} if all that the limit permits
     * are in use.
     */
    long take()
    {
        if (freeCount == 0 && size() == maxSlots)
        {
            return NONE;
        }
        if (freeCount == 0)
        {
            grow();
        }
        return free[--freeCount];
    }

    /** Gives a slot back. */
    void give(final long slot)
    {
        free[freeCount++] = slot;
    }

    /** Takes all slots back at once, whatever an interrupted call has left. Nobody uses one any more. */
    public void reclaim()
    {
        free = new long[Math.max(BLOCK, size())];
        freeCount = 0;
        blocks.forEach(this::giveAll);
    }

    private void grow()
    {
        final MemoryRegion block = MemoryRegion.ofBytes(BLOCK * stride);
        blocks.add(block);
        if (free.length < size())
        {
            free = Arrays.copyOf(free, 2 * size());
        }
        giveAll(block);
    }

    private void giveAll(final MemoryRegion block)
    {
        for (int i = BLOCK - 1; i >= 0; i--)
        {
            give(block.address() + (long)i * stride);
        }
    }

    /** Releases the memory, when no session uses it any more. */
    @Override
    public void close()
    {
        freeCount = 0;
        CloseHelper.closeAll(blocks);
        blocks.clear();
    }
}
