package org.fibnuma.ipnuma.session.window;

import org.fibnuma.core.memory.FrameMemory;

import java.util.Arrays;

/**
 * Tracks datagrams that have arrived out of order. Ordered datagrams are stored in slots of native memory. Relaxed ones
 * have taken effect, and only their arrival is recorded.
 */
public final class ReceiveWindow
{
    /** Maximum number of datagrams that are accepted from the next expected one on. */
    public static final int SLOTS = 256;

    private static final int MASK = SLOTS - 1;
    private static final byte ABSENT = 0;
    private static final byte KEPT = 1;
    private static final byte EXECUTED = 2;

    private final SlotPool pool;
    private final int size;
    /** Null before the first connection. */
    private byte[] states;
    /** Addresses of the slots; null before the first datagram that arrives early. */
    private long[] slots;
    private int next;
    private int highest;
    private int ahead;

    /**
     * Creates a window that expects sequence 0.
     *
     * @param pool of the slots.
     * @param size datagrams that are accepted from the next one on, up to {@link #SLOTS}.
     */
    public ReceiveWindow(final SlotPool pool, final int size)
    {
        this.pool = pool;
        this.size = size;
    }

    /** Returns the next expected sequence. */
    public int next()
    {
        return next;
    }

    /** Returns how many datagrams from {@link #next()} on are accepted: the credits in the header. */
    public int size()
    {
        return size;
    }

    /** Begins a connection that expects a sequence. */
    public void reset(final int firstSequence)
    {
        clear();
        if (states == null)
        {
            states = new byte[SLOTS];
        }
        next = firstSequence;
        highest = firstSequence - 1;
    }

    /** Discards the datagrams that have arrived out of order. */
    public void clear()
    {
        ahead = 0;
        if (states != null)
        {
            Arrays.fill(states, ABSENT);
        }
        for (int slot = 0; slots != null && slot < SLOTS; slot++)
        {
            give(slot);
        }
    }

    /** Returns whether a sequence is before {@link #next()}: its datagram has taken effect. */
    public boolean isPast(final int sequence)
    {
        return sequence - next < 0;
    }

    /** Returns whether a sequence that is not past is beyond the credits. */
    public boolean isBeyond(final int sequence)
    {
        return sequence - next >= size;
    }

    /** Returns whether a datagram, neither past nor beyond the credits, has arrived out of order. */
    public boolean hasArrived(final int sequence)
    {
        return states[sequence & MASK] != ABSENT;
    }

    /** Advances to the following sequence, after the datagram {@link #next()} has taken effect. */
    public void advance()
    {
        if (highest - next < 0)
        {
            highest = next;
        }
        next++;
    }

    /** Returns whether there is memory for a datagram that has not arrived. If so, {@link #keep} can store it. */
    public boolean hasMemory(final int sequence)
    {
        if (slots == null)
        {
            slots = new long[SLOTS];
        }
        final int slot = sequence & MASK;
        if (slots[slot] == SlotPool.NONE)
        {
            slots[slot] = pool.take();
        }
        return slots[slot] != SlotPool.NONE;
    }

    /**
     * Stores an ordered datagram that is neither past, next, beyond the credits nor arrived. {@link #hasMemory} is true
     * for it.
     *
     * @param sequence of the datagram.
     * @param address  of its header.
     * @param length   of the datagram in bytes.
     * @return whether a datagram before it is newly missing.
     */
    public boolean keep(final int sequence, final long address, final int length)
    {
        FrameMemory.copy(address, slots[sequence & MASK], length);
        return mark(sequence, KEPT);
    }

    /**
     * Records an executed relaxed datagram, which is not past, next, beyond the credits or arrived. Returns whether a
     * datagram before it is newly missing.
     */
    public boolean recordExecuted(final int sequence)
    {
        return mark(sequence, EXECUTED);
    }

    /** Returns whether the next datagram has arrived earlier. If so, {@link #releaseNext()} is due. */
    public boolean hasNext()
    {
        return ahead > 0 && states[next & MASK] != ABSENT;
    }

    /** Returns whether the next datagram is stored in {@link #nextSlot()} and has not yet taken effect. */
    public boolean isNextKept()
    {
        return states[next & MASK] == KEPT;
    }

    /** Returns the address of the header of the next datagram. */
    public long nextSlot()
    {
        return slots[next & MASK];
    }

    /** Releases the next datagram. The caller decides whether the window advances. */
    public void releaseNext()
    {
        final int slot = next & MASK;
        if (states[slot] != ABSENT)
        {
            states[slot] = ABSENT;
            ahead--;
        }
        if (slots != null)
        {
            give(slot);
        }
    }

    /** Returns the datagrams that have arrived after {@link #next()}. Bit i is the sequence {@code next + 1 + i}. */
    public long bitmap()
    {
        if (ahead == 0)
        {
            return 0;
        }
        long bitmap = 0;
        for (int i = 0; i < Math.min(Long.SIZE, size - 1); i++)
        {
            if (states[next + 1 + i & MASK] != ABSENT)
            {
                bitmap |= 1L << i;
            }
        }
        return bitmap;
    }

    private boolean mark(final int sequence, final byte state)
    {
        states[sequence & MASK] = state;
        ahead++;
        final boolean isGap = sequence - highest > 1;
        if (sequence - highest > 0)
        {
            highest = sequence;
        }
        return isGap;
    }

    private void give(final int slot)
    {
        final long address = slots[slot];
        if (address != SlotPool.NONE)
        {
            slots[slot] = SlotPool.NONE;
            pool.give(address);
        }
    }
}
