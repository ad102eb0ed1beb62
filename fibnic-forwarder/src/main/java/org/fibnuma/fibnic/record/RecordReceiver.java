package org.fibnuma.fibnic.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the messages of a record stream, in the process of the command. Messages are validated, because another process
 * has written them. One thread.
 */
public abstract class RecordReceiver
{
    private final Map<Integer, Long> lost = new TreeMap<>();
    private final Map<Integer, String> portNames;

    /** Takes the names of the ports of the stream, by index in the router. */
    protected RecordReceiver(final Map<Integer, String> portNames)
    {
        this.portNames = new TreeMap<>(portNames);
        portNames.keySet().forEach(port -> lost.put(port, 0L));
    }

    /**
     * Processes the complete messages in a buffer.
     *
     * @param received bytes from position to limit; the part of an incomplete message stays.
     * @return false after the last message.
     * @throws IOException with one line if a message is invalid.
     */
    public final boolean receive(final ByteBuffer received) throws IOException
    {
        received.order(ByteOrder.nativeOrder());
        while (received.remaining() >= RecordMessage.HEADER_LENGTH)
        {
            final int start = received.position();
            final int length = received.getInt(start);
            require(length >= 0 && length <= received.capacity() - RecordMessage.HEADER_LENGTH, "length", length);
            if (received.remaining() - RecordMessage.HEADER_LENGTH < length)
            {
                break;
            }
            final int kind = received.getInt(start + RecordMessage.KIND_OFFSET);
            final int body = start + RecordMessage.HEADER_LENGTH;
            received.position(body + length);
            if (kind == RecordMessage.END)
            {
                return false;
            }
            final ByteBuffer message = received.slice(body, length).order(ByteOrder.nativeOrder());
            if (kind == RecordMessage.LOST)
            {
                onLost(message);
            }
            else
            {
                onRecord(kind, message);
            }
        }
        return true;
    }

    private void onLost(final ByteBuffer body) throws IOException
    {
        require(body.remaining() == RecordMessage.LOST_LENGTH, "length", body.remaining());
        final int port = body.getInt(RecordMessage.LOST_PORT_OFFSET);
        portName(port);
        lost.put(port, body.getLong(RecordMessage.LOST_COUNT_OFFSET));
    }

    /**
     * Processes a record.
     *
     * @param body bytes from 0 to the limit, in the byte order of the machine; valid during the call.
     * @throws IOException with one line if the record is invalid.
     */
    protected abstract void onRecord(int kind, ByteBuffer body) throws IOException;

    /** Returns the name of a port; throws if the stream has no such port. */
    protected final String portName(final int port) throws IOException
    {
        final String name = portNames.get(port);
        require(name != null, "port", port);
        return name;
    }

    /** Throws an exception with one line about a value of a record unless a condition is met. */
    protected static void require(final boolean isMet, final String what, final int value) throws IOException
    {
        if (!isMet)
        {
            throw new IOException("the router has sent an invalid record: " + what + " " + value +
                "; router and command may be of different versions");
        }
    }

    /** Returns the number of records of a port that were lost because this process was too slow. */
    public final long lost(final int port)
    {
        return lost.getOrDefault(port, 0L);
    }

    /** Returns {@link #lost(int)} of all ports. */
    public final long lostOfAll()
    {
        return lost.values().stream().mapToLong(Long::longValue).sum();
    }
}
