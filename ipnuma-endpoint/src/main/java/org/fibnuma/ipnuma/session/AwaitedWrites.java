package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.wire.TlpFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;

/**
 * Writes with a request tag that are not acknowledged, in the order of the calls, each with the sequence of its
 * datagram. Every header of the peer contains the number of writes that it has refused, and an ERROR reports the
 * address of one. If the number has grown by more than the ERROR explains, every write that may have been refused is
 * reported as uncertain.
 */
final class AwaitedWrites
{
    static final int CAPACITY = 1024;

    private static final int MASK = CAPACITY - 1;
    private static final int COUNT_MASK = 0xFFFF;

    private final int pcId;
    private final ChannelListener listener;
    /** Like the other arrays, null before the first write with a request tag. */
    private int[] sequences;
    private long[] tags;
    private long[] addresses;
    private int[] lengths;
    private int[] statuses;
    private boolean[] ordered;
    private int first;
    private int end;
    /** Latest known number of writes that the peer has refused in this connection, modulo 65,536. */
    private int refused;

    AwaitedWrites(final int pcId, final ChannelListener listener)
    {
        this.pcId = pcId;
        this.listener = listener;
    }

    boolean isFull()
    {
        return end - first == CAPACITY;
    }

    /** Adds a write, unless {@link #isFull()}. */
    void add(final int sequence, final long tag, final long address, final int length, final boolean isOrdered)
    {
        if (sequences == null)
        {
            allocate();
        }
        final int entry = end++ & MASK;
        sequences[entry] = sequence;
        tags[entry] = tag;
        addresses[entry] = address;
        lengths[entry] = length;
        statuses[entry] = AccessStatus.OK;
        ordered[entry] = isOrdered;
    }

    private void allocate()
    {
        sequences = new int[CAPACITY];
        tags = new long[CAPACITY];
        addresses = new long[CAPACITY];
        lengths = new int[CAPACITY];
        statuses = new int[CAPACITY];
        ordered = new boolean[CAPACITY];
    }

    void onUp()
    {
        refused = 0;
    }

    /**
     * Processes the number of refused writes in a header, before its acknowledgement is processed.
     *
     * @param header     of any kind except the handshake and RESET.
     * @param isProgress whether the header acknowledges something new, and is therefore later than those before it.
     * @param next       first sequence that was never sent.
     */
    void onRefusals(final FibnumaHeaderFlyweight header, final boolean isProgress, final int next)
    {
        final boolean isError = header.kind() == FibnumaKind.ERROR;
        final int count = isError ? header.region() & COUNT_MASK : header.status();
        final int fresh = count - refused & COUNT_MASK;
        if (fresh == 0 || !isProgress && (short)fresh < 0)
        {
            return;
        }
        final int number = (header.region() >>> Short.SIZE) - refused & COUNT_MASK;
        refused = count;
        if (first == end)
        {
            return;
        }
        final int acknowledgement = header.acknowledgement();
        int explained = 0;
        if (isError && number != 0 && number <= fresh)
        {
            explained = markNamed(header.status(), header.key(), acknowledgement, next);
        }
        if (fresh > explained)
        {
            markUncertain(acknowledgement, next);
        }
    }

    /**
     * Marks the write at the address of an ERROR, and returns how many refused writes this explains: 0 if several
     * writes have this address. A region that refuses one write also refuses the rest of its datagram, which has the
     * same key.
     */
    private int markNamed(final int status, final long address, final int acknowledgement, final int next)
    {
        int named = end;
        for (int i = first; i != end; i++)
        {
            if (isTaken(i & MASK, acknowledgement, next) && contains(i & MASK, address))
            {
                if (named != end)
                {
                    return 0;
                }
                named = i;
            }
        }
        final boolean isOfRegion = status != AccessStatus.OUT_OF_RANGE && status != AccessStatus.MISALIGNED;
        int explained = 0;
        for (int i = named; i != end && (i == named ||
            isOfRegion && sequences[i & MASK] == sequences[named & MASK]); i++)
        {
            statuses[i & MASK] = status > AccessStatus.OK && status < AccessStatus.COUNT ?
                status : AccessStatus.UNCERTAIN;
            explained++;
        }
        // At least the write that the ERROR reports. It may have no request tag.
        return Math.max(1, explained);
    }

    private void markUncertain(final int acknowledgement, final int next)
    {
        for (int i = first; i != end; i++)
        {
            final int entry = i & MASK;
            if (isTaken(entry, acknowledgement, next) && statuses[entry] == AccessStatus.OK)
            {
                statuses[entry] = AccessStatus.UNCERTAIN;
            }
        }
    }

    /**
     * Returns whether the write may have taken effect: an ordered write in sequence, a relaxed write once it is sent.
     */
    private boolean isTaken(final int entry, final int acknowledgement, final int next)
    {
        return sequences[entry] - (ordered[entry] ? acknowledgement : next) < 0;
    }

    /** If the peer refuses a whole datagram, its ERROR has the address of the DW in which a write begins. */
    private boolean contains(final int entry, final long address)
    {
        final long start = addresses[entry] & -TlpFlyweight.DW;
        return address >= start && address < addresses[entry] + lengths[entry];
    }

    /** Returns whether the first write is in a datagram before an acknowledged sequence. */
    boolean isAnswered(final int acknowledgement)
    {
        return first != end && sequences[first & MASK] - acknowledgement < 0;
    }

    int sequence()
    {
        return sequences[first & MASK];
    }

    void answer()
    {
        final int entry = first++ & MASK;
        listener.onWritten(pcId, tags[entry], statuses[entry]);
    }

    void lose()
    {
        for (int count = end - first; count > 0; count--)
        {
            listener.onUnanswered(pcId, tags[first++ & MASK]);
        }
    }
}
