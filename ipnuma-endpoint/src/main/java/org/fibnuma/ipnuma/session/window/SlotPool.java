package org.fibnuma.ipnuma.session.window;

import org.agrona.CloseHelper;
import org.fibnuma.core.memory.MemoryRegion;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Slots of native memory for the datagrams of all sessions of a thread. A session has a slot only while the slot
 * contains a datagram: an idle session needs none. An empty pool grows by {@value #BLOCK} slots, and keeps them.
 * <p>
 * A session without a connection gets a slot only while less than half of the limit is in use. Data for any number of
 * peers that are down therefore fills at most half of the pool. The other half is for sessions with a connection. For
 * one thread.
 */
public final class SlotPool implements AutoCloseable
{
    /** Slots by which a pool grows: 368 KiB with an MTU of 1,500. */
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

    /** Returns the address of a slot for a session without a connection, or {@link #NONE} if half is in use. */
    long takeWaiting()
    {
        return used() < maxSlots / 2 ? take() : NONE;
    }

    /** Returns the address of a slot for a session with a connection, or {@link #NONE} if the limit is reached. */
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

    void give(final long slot)
    {
        free[freeCount++] = slot;
    }

    /** Frees all slots after an error has interrupted another method. No session uses a slot any more. */
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

    /** Releases the memory after the last use by a session. */
    @Override
    public void close()
    {
        freeCount = 0;
        CloseHelper.closeAll(blocks);
        blocks.clear();
    }
}
