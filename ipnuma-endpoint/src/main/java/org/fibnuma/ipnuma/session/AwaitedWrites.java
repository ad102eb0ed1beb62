package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.wire.TlpFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;

/**
 * Writes whose application wants to know what became of them, in the order in which they were taken, each with the
 * sequence of its datagram. The peer counts the writes that it refuses in every header, and names one of them in an
 * ERROR. Where the count has grown by more than the ERROR explains, no write that may be among the refused ones is told
 * as stored.
 */
final class AwaitedWrites
{
    /** Writes that may wait at once; more are not taken. */
    static final int CAPACITY = 1024;

    private static final int MASK = CAPACITY - 1;
    private static final int COUNT_MASK = 0xFFFF;

    private final int[] sequences = new int[CAPACITY];
    private final long[] tags = new long[CAPACITY];
    private final long[] addresses = new long[CAPACITY];
    private final int[] lengths = new int[CAPACITY];
    private final int[] statuses = new int[CAPACITY];
    private final boolean[] ordered = new boolean[CAPACITY];
    private int first;
    private int end;
    /** Writes that the peer has refused in this connection, as far as it is known, modulo 65,536. */
    private int refused;

    boolean isFull()
    {
        return end - first == CAPACITY;
    }

    /** Not full. */
    void add(final int sequence, final long tag, final long address, final int length, final boolean isOrdered)
    {
        final int entry = end++ & MASK;
        sequences[entry] = sequence;
        tags[entry] = tag;
        addresses[entry] = address;
        lengths[entry] = length;
        statuses[entry] = AccessStatus.OK;
        ordered[entry] = isOrdered;
    }

    /** A connection begins: its peer has refused nothing. */
    void onUp()
    {
        refused = 0;
    }

    /**
     * Takes what a header says of refused writes, before its acknowledgement is taken.
     *
     * @param header     of any kind but the handshake's and RESET.
     * @param isProgress whether it acknowledges something new, and is therefore later than all before it.
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
     * Marks the write that an ERROR names, and returns how many refused writes are known with it: none where it may be
     * one of several to the same place. What a region refuses, it refuses to the rest of the datagram too, which has
     * the same key.
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
        // A write of somebody who awaits no word was named.
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

    /** Whether the peer may have let it take effect: in its turn, or relaxed as soon as it was sent. */
    private boolean isTaken(final int entry, final int acknowledgement, final int next)
    {
        return sequences[entry] - (ordered[entry] ? acknowledgement : next) < 0;
    }

    /** Where a whole datagram is refused, the peer names the DW that a write begins in. */
    private boolean contains(final int entry, final long address)
    {
        final long start = addresses[entry] & -TlpFlyweight.DW;
        return address >= start && address < addresses[entry] + lengths[entry];
    }

    /** Tells what the peer has taken before a sequence. */
    void acknowledge(final int acknowledgement, final SessionListener listener)
    {
        while (first != end && sequences[first & MASK] - acknowledgement < 0)
        {
            final int entry = first++ & MASK;
            listener.onWritten(tags[entry], statuses[entry]);
        }
    }

    /** The connection is lost. */
    void lose(final SessionListener listener)
    {
        for (int count = end - first; count > 0; count--)
        {
            listener.onUnanswered(tags[first++ & MASK]);
        }
    }
}
