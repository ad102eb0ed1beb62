package org.fibnuma.ipnuma.session;

import org.fibnuma.core.ring.LineRingProducer;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.table.AccessStatus;

/**
 * Writes with a request tag that passed by memory and are not answered, in the order of the calls. Each has the
 * position behind its record and the sequence of the datagram that follows it. A write is executed when the peer has
 * read up to its position. The note of the peer contains the status and position of the write that it refused last. If
 * the peer has refused several writes between two calls of {@link #judge}, all writes up to that position are
 * uncertain.
 * <pre>
 *   first          judged        end
 *     | read         | not read    |
 * </pre>
 */
final class AwaitedRecords
{
    static final int CAPACITY = 1024;

    private static final int MASK = CAPACITY - 1;

    private final int pcId;
    private final ChannelListener listener;
    /** Like the other arrays, null before the first write. */
    private int[] positions;
    private int[] sequences;
    private long[] tags;
    private int[] statuses;
    private int first;
    private int judged;
    private int end;
    /** Latest known number of records that the peer has refused in this connection. */
    private int refused;

    AwaitedRecords(final int pcId, final ChannelListener listener)
    {
        this.pcId = pcId;
        this.listener = listener;
    }

    boolean isFull()
    {
        return end - first == CAPACITY;
    }

    boolean isEmpty()
    {
        return end == first;
    }

    void begin()
    {
        refused = 0;
    }

    /** Adds a write, unless {@link #isFull()}. */
    void add(final int position, final int sequence, final long tag)
    {
        if (positions == null)
        {
            positions = new int[CAPACITY];
            sequences = new int[CAPACITY];
            tags = new long[CAPACITY];
            statuses = new int[CAPACITY];
        }
        final int entry = end++ & MASK;
        positions[entry] = position;
        sequences[entry] = sequence;
        tags[entry] = tag;
        statuses[entry] = AccessStatus.OK;
    }

    /** Judges the writes up to the position that the peer has read. Its note is read after the position. */
    void judge(final int consumed, final long note)
    {
        final int count = LineRingProducer.refusedCount(note);
        if (count != refused)
        {
            mark(note, count == LineRingProducer.refusedCount(refused + 1));
            refused = count;
        }
        while (judged != end && positions[judged & MASK] - consumed <= 0)
        {
            judged++;
        }
    }

    /** Reports the judged writes that were called before the datagram with this sequence. */
    void answer(final int sequence)
    {
        while (first != judged && sequences[first & MASK] - sequence <= 0)
        {
            final int entry = first++ & MASK;
            listener.onWritten(pcId, tags[entry], statuses[entry]);
        }
    }

    private void mark(final long note, final boolean isOnlyOne)
    {
        final int status = LineRingProducer.refusedStatus(note);
        final int position = LineRingProducer.refusedPosition(note);
        for (int i = judged; i != end; i++)
        {
            final int entry = i & MASK;
            final int distance = positions[entry] - position;
            if (distance == 0)
            {
                statuses[entry] = status > AccessStatus.OK && status < AccessStatus.COUNT ?
                    status : AccessStatus.UNCERTAIN;
            }
            else if (distance < 0 && !isOnlyOne)
            {
                statuses[entry] = AccessStatus.UNCERTAIN;
            }
        }
    }

    void lose()
    {
        judged = end;
        while (first != end)
        {
            listener.onUnanswered(pcId, tags[first++ & MASK]);
        }
    }
}
