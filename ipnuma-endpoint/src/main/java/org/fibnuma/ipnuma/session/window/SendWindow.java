package org.fibnuma.ipnuma.session.window;

/**
 * Datagrams of data from when they are begun until the peer has acknowledged them: slots of native memory, of which
 * each holds a datagram as it is sent, and what is known of it beside them.
 * <pre>
 *   first             next              end
 *     | under way       | waiting to go   | open (in the slot of end)
 * </pre>
 * Sequences are compared by their difference, so that they may wrap.
 */
public final class SendWindow
{
    /** The most datagrams from the first unacknowledged one to the open one. */
    public static final int SLOTS = 256;
    /**
     * Slots that only answers may take: a side has at most so many datagrams of requests unanswered, so that two full
     * of each other's requests can answer them.
     */
    public static final int RESERVED = 32;

    private static final int MASK = SLOTS - 1;
    private static final byte WAITING = 0;
    private static final byte SENT = 1;
    private static final byte LOST = 2;
    private static final byte ARRIVED = 3;

    private final long memory;
    private final int stride;
    private final int[] tlpBytes = new int[SLOTS];
    private final int[] writes = new int[SLOTS];
    private final int[] sentAt = new int[SLOTS];
    private final byte[] states = new byte[SLOTS];
    private int first;
    private int next;
    private int end;
    private int lost;
    private long pendingWrites;

    /**
     * A window without datagrams.
     *
     * @param memory        of {@link #SLOTS} slots.
     * @param stride        bytes of a slot, a multiple of 8.
     * @param firstSequence that the first datagram gets.
     */
    public SendWindow(final long memory, final int stride, final int firstSequence)
    {
        this.memory = memory;
        this.stride = stride;
        first = firstSequence;
        next = firstSequence;
        end = firstSequence;
    }

    /**
     * The oldest sequence that the peer has not acknowledged.
     *
     * @return that of {@link #next()} where all are.
     */
    public int first()
    {
        return first;
    }

    /**
     * The next sequence to be sent for the first time.
     *
     * @return that of {@link #end()} where none waits.
     */
    public int next()
    {
        return next;
    }

    /**
     * The sequence of the open datagram.
     *
     * @return one behind the last complete one.
     */
    public int end()
    {
        return end;
    }

    /**
     * Whether another datagram may be begun.
     *
     * @param reserved slots to leave free.
     * @return false while the window is full.
     */
    public boolean hasRoom(final int reserved)
    {
        return end - first < SLOTS - reserved;
    }

    /**
     * Whether a complete datagram has not been sent yet.
     *
     * @return true where one waits.
     */
    public boolean hasWaiting()
    {
        return next != end;
    }

    /**
     * Whether a datagram was sent and not acknowledged.
     *
     * @return true where one is under way.
     */
    public boolean hasUnderWay()
    {
        return first != next;
    }

    /**
     * Whether a datagram is to be sent again.
     *
     * @return true where {@link #firstLost()} has one.
     */
    public boolean hasLost()
    {
        return lost > 0;
    }

    /**
     * Writes in complete datagrams that are not acknowledged.
     *
     * @return 0 or more.
     */
    public long pendingWrites()
    {
        return pendingWrites;
    }

    /**
     * Where a datagram lies.
     *
     * @param sequence from {@link #first()} to {@link #end()}.
     * @return address of its header.
     */
    public long slot(final int sequence)
    {
        return memory + (long)(sequence & MASK) * stride;
    }

    /**
     * How long its TLPs are.
     *
     * @param sequence of a complete datagram.
     * @return bytes.
     */
    public int tlpBytes(final int sequence)
    {
        return tlpBytes[sequence & MASK];
    }

    /**
     * The open datagram is complete.
     *
     * @param bytes      of its TLPs.
     * @param writeCount that it has.
     */
    public void append(final int bytes, final int writeCount)
    {
        final int slot = end & MASK;
        tlpBytes[slot] = bytes;
        writes[slot] = writeCount;
        states[slot] = WAITING;
        pendingWrites += writeCount;
        end++;
    }

    /**
     * A datagram under way, or the next one, was sent.
     *
     * @param sequence  of it.
     * @param timestamp that it carries, in units of the header.
     */
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

    /**
     * Whether an acknowledgement can be true.
     *
     * @param acknowledgement that the peer sent.
     * @return false where it is of something that was never sent.
     */
    public boolean admits(final int acknowledgement)
    {
        return acknowledgement - next <= 0;
    }

    /**
     * The peer has taken everything before a sequence.
     *
     * @param acknowledgement the sequence, admitted.
     * @return whether anything of that is new.
     */
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
            first++;
        }
        return isProgress;
    }

    /**
     * The peer has some of what comes behind the first.
     *
     * @param bitmap of which bit i stands for the sequence {@code first + 1 + i}.
     * @return whether anything of that is new.
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
     * What was sent before a datagram that has arrived, and has not arrived itself, counts as lost: time in place of
     * counted duplicates, as in RFC 8985. At a gap that the peer reports, so does what was sent in the same unit of
     * time before the last that arrived.
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
        // Nothing is known of what lies behind the bitmap, unless nothing behind the first has arrived.
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

    /**
     * The oldest datagram under way is to be sent again.
     */
    public void markFirstLost()
    {
        markLost(first);
    }

    /**
     * The last datagram under way that is not known to have arrived is to be sent again.
     */
    public void markLastLost()
    {
        int sequence = next - 1;
        while (sequence != first && states[sequence & MASK] == ARRIVED)
        {
            sequence--;
        }
        markLost(sequence);
    }

    /**
     * The oldest sequence that is to be sent again.
     *
     * @return it, where {@link #hasLost()}.
     */
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
     * Forgets all datagrams. Sequences that were sent do not come again in the next connection.
     */
    public void clear()
    {
        first = next;
        end = next;
        lost = 0;
        pendingWrites = 0;
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
