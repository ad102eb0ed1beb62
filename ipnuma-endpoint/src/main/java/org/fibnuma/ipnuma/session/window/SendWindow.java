package org.fibnuma.ipnuma.session.window;

/**
 * Stores datagrams of data from their beginning until the peer has acknowledged them. Each slot of native memory
 * contains one datagram as it is sent, and returns to the pool when the datagram is acknowledged. The state of a slot
 * is on the heap.
 * <pre>
 *   first             next              end
 *     | under way       | waiting         | open (in the slot of end)
 * </pre>
 * Sequences are compared by their difference, so that they may wrap.
 */
public final class SendWindow
{
    /** Maximum number of datagrams from the first unacknowledged one to the open one. */
    public static final int SLOTS = 256;
    /**
     * Slots reserved for answers. A side has at most this many unanswered datagrams of requests, so that two sides with
     * full windows can still answer each other.
     */
    public static final int RESERVED = 32;

    private static final int MASK = SLOTS - 1;
    private static final byte WAITING = 0;
    private static final byte SENT = 1;
    private static final byte LOST = 2;
    private static final byte ARRIVED = 3;

    private final SlotPool pool;
    /** Addresses of the slots, or {@link SlotPool#NONE}. Like all arrays, null before the first datagram. */
    private long[] slots;
    private int[] tlpBytes;
    private int[] writes;
    private int[] sentAt;
    private byte[] states;
    private int first;
    private int next;
    private int end;
    private int lost;
    private long pendingWrites;
    private boolean isConnected;

    /** Creates a window without datagrams and without a connection. */
    public SendWindow(final SlotPool pool, final int firstSequence)
    {
        this.pool = pool;
        first = firstSequence;
        next = firstSequence;
        end = firstSequence;
    }

    /** Records that there is a connection until {@link #clear()}. Its datagrams may use all slots of the pool. */
    public void onConnected()
    {
        isConnected = true;
    }

    /** Returns the oldest sequence that is not acknowledged, or {@link #next()} if there is none. */
    public int first()
    {
        return first;
    }

    /** Returns the next sequence to be sent for the first time, or {@link #end()} if none waits. */
    public int next()
    {
        return next;
    }

    /** Returns the sequence of the open datagram, one after the last complete one. */
    public int end()
    {
        return end;
    }

    /** Returns whether another datagram may begin that leaves this number of slots free. */
    public boolean hasRoom(final int reserved)
    {
        return end - first < SLOTS - reserved;
    }

    /** Returns whether a complete datagram waits for its first transmission. */
    public boolean hasWaiting()
    {
        return next != end;
    }

    /** Returns whether a datagram was sent and is not acknowledged. */
    public boolean hasUnderWay()
    {
        return first != next;
    }

    /** Returns whether a datagram has to be sent again, see {@link #firstLost()}. */
    public boolean hasLost()
    {
        return lost > 0;
    }

    /** Returns the number of writes in complete datagrams that are not acknowledged. */
    public long pendingWrites()
    {
        return pendingWrites;
    }

    /** Returns the slot of the open datagram, or {@link SlotPool#NONE} if there is no memory for it. */
    public long open()
    {
        if (slots == null)
        {
            slots = new long[SLOTS];
            tlpBytes = new int[SLOTS];
            writes = new int[SLOTS];
            sentAt = new int[SLOTS];
            states = new byte[SLOTS];
        }
        final int slot = end & MASK;
        if (slots[slot] == SlotPool.NONE)
        {
            slots[slot] = isConnected ? pool.take() : pool.takeWaiting();
        }
        return slots[slot];
    }

    /** Returns the address of the header of a complete datagram. */
    public long slot(final int sequence)
    {
        return slots[sequence & MASK];
    }

    /** Returns the length of the TLPs of a complete datagram, in bytes. */
    public int tlpBytes(final int sequence)
    {
        return tlpBytes[sequence & MASK];
    }

    /** Completes the open datagram, which has this number of bytes of TLPs and of writes. */
    public void append(final int bytes, final int writeCount)
    {
        final int slot = end & MASK;
        tlpBytes[slot] = bytes;
        writes[slot] = writeCount;
        states[slot] = WAITING;
        pendingWrites += writeCount;
        end++;
    }

    /** Records that a datagram under way, or the next one, was sent with a timestamp in units of the header. */
    public void onSent(final int sequence, final int timestamp)
    {
        final int slot = sequence & MASK;
        if (states[slot] == LOST)
        {
            lost--;
        }
        states[slot] = SENT;
        sentAt[slot] = timestamp;
        if (sequence == next)
        {
            next++;
        }
    }

    /** Returns false if an acknowledgement is of a sequence that was never sent. */
    public boolean admits(final int acknowledgement)
    {
        return acknowledgement - next <= 0;
    }

    /** Removes all datagrams before an admitted sequence. Returns whether there were any. */
    public boolean acknowledge(final int acknowledgement)
    {
        final boolean isProgress = acknowledgement - first > 0;
        while (acknowledgement - first > 0)
        {
            final int slot = first & MASK;
            if (states[slot] == LOST)
            {
                lost--;
            }
            pendingWrites -= writes[slot];
            give(slot);
            first++;
        }
        return isProgress;
    }

    /**
     * Records the datagrams of a bitmap, whose bit i is the sequence {@code first + 1 + i}, as arrived. Returns whether
     * any of them is new.
     */
    public boolean arrived(final long bitmap)
    {
        boolean isNew = false;
        for (long rest = bitmap; rest != 0; rest &= rest - 1)
        {
            final int sequence = first + 1 + Long.numberOfTrailingZeros(rest);
            final int slot = sequence & MASK;
            if (sequence - next < 0 && states[slot] != ARRIVED)
            {
                if (states[slot] == LOST)
                {
                    lost--;
                }
                states[slot] = ARRIVED;
                isNew = true;
            }
        }
        return isNew;
    }

    /**
     * Marks as lost each datagram that has not arrived and was sent earlier than one that has arrived (RFC 8985). At a
     * gap that the peer reports, this includes datagrams sent in the same unit of time before the last arrived one.
     *
     * @param timestampArrived when the datagram was sent, in units of the header.
     * @param atGap            whether the peer reports a gap.
     * @param bitmap           as in {@link #arrived}.
     */
    public void markLost(final int timestampArrived, final boolean atGap, final long bitmap)
    {
        final int slotOfFirst = first & MASK;
        if (bitmap == 0 && (states[slotOfFirst] != SENT || sentAt[slotOfFirst] - timestampArrived >= 0))
        {
            return;
        }
        final int gapEnd = atGap ? first + Long.SIZE - Long.numberOfLeadingZeros(bitmap) : first;
        // The peer reports nothing after the bitmap, unless nothing after the first has arrived.
        final int known = bitmap == 0 ? next - first : Math.min(next - first, Long.SIZE + 1);
        for (int sequence = first; sequence - first < known; sequence++)
        {
            final int slot = sequence & MASK;
            final int earlier = timestampArrived - sentAt[slot];
            if (states[slot] == SENT && (earlier > 0 || earlier == 0 && sequence - gapEnd < 0))
            {
                states[slot] = LOST;
                lost++;
            }
        }
    }

    /** Marks the oldest datagram under way as lost. */
    public void markFirstLost()
    {
        markLost(first);
    }

    /** Marks the last datagram under way without a reported arrival as lost. */
    public void markLastLost()
    {
        int sequence = next - 1;
        while (sequence != first && states[sequence & MASK] == ARRIVED)
        {
            sequence--;
        }
        markLost(sequence);
    }

    /** Returns the oldest lost sequence, if {@link #hasLost()}. */
    public int firstLost()
    {
        int sequence = first;
        while (states[sequence & MASK] != LOST)
        {
            sequence++;
        }
        return sequence;
    }

    /**
     * Ends the connection and removes all datagrams, including the open one. The next connection uses no sequence that
     * was sent.
     */
    public void clear()
    {
        isConnected = false;
        for (int sequence = first; slots != null && sequence - end <= 0; sequence++)
        {
            give(sequence & MASK);
        }
        first = next;
        end = next;
        lost = 0;
        pendingWrites = 0;
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

    private void markLost(final int sequence)
    {
        final int slot = sequence & MASK;
        if (states[slot] == SENT)
        {
            states[slot] = LOST;
            lost++;
        }
    }
}
