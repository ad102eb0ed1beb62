package org.fibnuma.ipnuma.session;

import org.fibnuma.core.memory.FrameMemory;

import java.util.Arrays;

/**
 * What has arrived before its turn: ordered datagrams are kept in slots of native memory, relaxed ones have taken
 * effect and are only remembered.
 */
final class ReceiveWindow
{
    static final int SLOTS = SessionSettings.MAX_WINDOW;

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

    ReceiveWindow(final long memory, final int stride, final int size)
    {
        this.memory = memory;
        this.stride = stride;
        this.size = size;
    }

    /** The next sequence that is waited for. */
    int next()
    {
        return next;
    }

    /** How many datagrams from {@link #next()} on are taken. */
    int size()
    {
        return size;
    }

    void reset(final int firstSequence)
    {
        next = firstSequence;
        highest = firstSequence - 1;
        ahead = 0;
        Arrays.fill(states, ABSENT);
    }

    boolean isPast(final int sequence)
    {
        return sequence - next < 0;
    }

    boolean isBeyond(final int sequence)
    {
        return sequence - next >= size;
    }

    boolean hasArrived(final int sequence)
    {
        return states[sequence & MASK] != ABSENT;
    }

    /** The datagram whose turn it is has taken effect. */
    void advance()
    {
        if (highest - next < 0)
        {
            highest = next;
        }
        next++;
    }

    /** Keeps an ordered datagram; true where something is newly missing before it. */
    boolean keep(final int sequence, final long address, final int length)
    {
        FrameMemory.copy(address, slot(sequence), length);
        return mark(sequence, KEPT);
    }

    /** Remembers a relaxed datagram; true where something is newly missing before it. */
    boolean take(final int sequence)
    {
        return mark(sequence, TAKEN);
    }

    /** Whether the datagram whose turn it is has been kept or taken before. */
    boolean hasNext()
    {
        return ahead > 0 && states[next & MASK] != ABSENT;
    }

    /** Whether that datagram still has to take effect, and lies in {@link #nextSlot()}. */
    boolean isNextKept()
    {
        return states[next & MASK] == KEPT;
    }

    long nextSlot()
    {
        return slot(next);
    }

    /** Drops that datagram or passes it; what becomes of {@link #next()} the caller decides. */
    void releaseNext()
    {
        states[next & MASK] = ABSENT;
        ahead--;
    }

    /** What has arrived behind {@link #next()}, for the header. */
    long bitmap()
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
