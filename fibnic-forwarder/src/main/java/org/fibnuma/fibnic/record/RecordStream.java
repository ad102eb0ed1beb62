package org.fibnuma.fibnic.record;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A record stream: messages with the records of all workers. The control thread opens and frees it; {@link #drain} and
 * {@link #finish} are for one reader's thread.
 */
public class RecordStream
{
    /** Room that {@link #drain} needs: the longest message and the counts of lost records of all ports. */
    public static final int MIN_ROOM = 1 << 17;

    private final List<RecordRing> rings;
    private final long ports;
    /** Counts that were sent, by port. */
    private final long[] lost = new long[Long.SIZE];
    private final ControlledMessageHandler handler = this::onRecord;
    /** Positions of the rings at which the stream ends; null before {@link #finish}. */
    private long[] ends;
    private ByteBuffer target;
    private int first;

    /**
     * Creates the stream.
     *
     * @param rings of the workers; the stream owns them.
     * @param ports whose counts of lost records are sent, one bit for each index.
     */
    protected RecordStream(final List<RecordRing> rings, final long ports)
    {
        this.rings = List.copyOf(rings);
        this.ports = ports;
    }

    /** Ends the stream after the records written so far. */
    public final void finish()
    {
        if (ends == null)
        {
            ends = rings.stream().mapToLong(RecordRing::producerPosition).toArray();
        }
    }

    /**
     * Writes waiting messages, as many as fit.
     *
     * @param room to write to, from its position on; at least {@link #MIN_ROOM}.
     * @return false if the last message was written.
     */
    public final boolean drain(final ByteBuffer room)
    {
        target = room.order(ByteOrder.nativeOrder());
        for (int port = 0; port < lost.length; port++)
        {
            writeLost(port);
        }
        first = (first + 1) % rings.size();
        for (int i = 0; i < rings.size(); i++)
        {
            rings.get((first + i) % rings.size()).read(handler);
        }
        if (!isDrained() || target.remaining() < MIN_ROOM / 2)
        {
            return true;
        }
        for (int port = 0; port < lost.length; port++)
        {
            writeLost(port);
        }
        target.putInt(0).putInt(RecordMessage.END);
        return false;
    }

    private boolean isDrained()
    {
        for (int i = 0; ends != null && i < ends.length; i++)
        {
            if (rings.get(i).consumerPosition() < ends[i])
            {
                return false;
            }
        }
        return ends != null;
    }

    private void writeLost(final int port)
    {
        long count = 0;
        for (int i = 0; (ports & 1L << port) != 0 && i < rings.size(); i++)
        {
            count += rings.get(i).lost(port);
        }
        if (count != lost[port])
        {
            lost[port] = count;
            target.putInt(RecordMessage.LOST_LENGTH).putInt(RecordMessage.LOST).putInt(port).putLong(count);
        }
    }

    private ControlledMessageHandler.Action onRecord(
        final int kind, final DirectBuffer source, final int index, final int length)
    {
        if (target.remaining() < RecordMessage.HEADER_LENGTH + length)
        {
            return ControlledMessageHandler.Action.ABORT;
        }
        target.putInt(length).putInt(kind);
        source.getBytes(index, target, length);
        return ControlledMessageHandler.Action.CONTINUE;
    }

    /** Frees the rings, which neither a worker nor the reader uses any more. */
    public void free()
    {
        rings.forEach(RecordRing::free);
    }
}
