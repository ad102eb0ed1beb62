package org.fibnuma.ipnuma.session.window;

import org.fibnuma.core.memory.FrameMemory;

import java.util.Arrays;

/**
 * What has arrived before its turn: ordered datagrams are kept in slots of native memory, relaxed ones have taken
 * effect and are only remembered.
 */
public final class ReceiveWindow
{
    /** The most datagrams that are taken from the next on. */
    public static final int SLOTS = 256;

    private static final int MASK = SLOTS - 1;
    private static final byte ABSENT = 0;
    private static final byte KEPT = 1;
    private static final byte TAKEN = 2;

    private final long memory;
    private final int stride;
    private final int size;
    private final byte[] states = new byte[SLOTS];
    private int next;
    private int highest;
    private int ahead;

    /**
     * A window that waits for sequence 0.
     *
     * @param memory of {@link #SLOTS} slots.
     * @param stride bytes of a slot, a multiple of 8.
     * @param size   datagrams that are taken from the next on, up to {@link #SLOTS}.
     */
    public ReceiveWindow(final long memory, final int stride, final int size)
    {
        this.memory = memory;
        this.stride = stride;
        this.size = size;
    }

    /**
     * The next sequence that is waited for.
     *
     * @return 32 bits that wrap.
     */
    public int next()
    {
        return next;
    }

    /**
     * How many datagrams from {@link #next()} on are taken.
     *
     * @return the credits of the header.
     */
    public int size()
    {
        return size;
    }

    /**
     * Begins anew.
     *
     * @param firstSequence to wait for.
     */
    public void reset(final int firstSequence)
    {
        next = firstSequence;
        highest = firstSequence - 1;
        ahead = 0;
        Arrays.fill(states, ABSENT);
    }

    /**
     * Whether a datagram has taken effect before.
     *
     * @param sequence any.
     * @return true before {@link #next()}.
     */
    public boolean isPast(final int sequence)
    {
        return sequence - next < 0;
    }

    /**
     * Whether a datagram is none that is taken now.
     *
     * @param sequence not past.
     * @return true beyond the credits.
     */
    public boolean isBeyond(final int sequence)
    {
        return sequence - next >= size;
    }

    /**
     * Whether a datagram was kept or remembered.
     *
     * @param sequence neither past nor beyond.
     * @return true where it came before.
     */
    public boolean hasArrived(final int sequence)
    {
        return states[sequence & MASK] != ABSENT;
    }

    /**
     * The datagram whose turn it is has taken effect.
     */
    public void advance()
    {
        if (highest - next < 0)
        {
            highest = next;
        }
        next++;
    }

    /**
     * Keeps an ordered datagram until its turn.
     *
     * @param sequence neither past nor beyond, not the next, not arrived.
     * @param address  of its header.
     * @param length   of the datagram in bytes.
     * @return whether something is newly missing before it.
     */
    public boolean keep(final int sequence, final long address, final int length)
    {
        FrameMemory.copy(address, slot(sequence), length);
        return mark(sequence, KEPT);
    }

    /**
     * Remembers that a relaxed datagram has taken effect.
     *
     * @param sequence neither past nor beyond, not the next, not arrived.
     * @return whether something is newly missing before it.
     */
    public boolean take(final int sequence)
    {
        return mark(sequence, TAKEN);
    }

    /**
     * Whether the datagram whose turn it is came before.
     *
     * @return true where {@link #releaseNext()} is due.
     */
    public boolean hasNext()
    {
        return ahead > 0 && states[next & MASK] != ABSENT;
    }

    /**
     * Whether that datagram still has to take effect.
     *
     * @return true where it lies in {@link #nextSlot()}.
     */
    public boolean isNextKept()
    {
        return states[next & MASK] == KEPT;
    }

    /**
     * Where that datagram lies.
     *
     * @return address of its header.
     */
    public long nextSlot()
    {
        return slot(next);
    }

    /**
     * Forgets that datagram; whether the window advances the caller decides.
     */
    public void releaseNext()
    {
        states[next & MASK] = ABSENT;
        ahead--;
    }

    /**
     * What has arrived behind {@link #next()}, for the header.
     *
     * @return bit i stands for the sequence {@code next + 1 + i}.
     */
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

    private long slot(final int sequence)
    {
        return memory + (long)(sequence & MASK) * stride;
    }
}
