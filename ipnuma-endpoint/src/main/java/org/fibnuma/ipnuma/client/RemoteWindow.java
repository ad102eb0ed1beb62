package org.fibnuma.ipnuma.client;

import org.agrona.concurrent.UnsafeBuffer;

import java.util.concurrent.locks.LockSupport;

/**
 * Writes into a region of a peer. Adjacent stores are gathered in one record until {@link #flush}, a store at another
 * offset or 1,024 bytes. The records of a window take effect in order, and the last aligned 8 bytes of a record take
 * effect last. For the sending thread; blocks while the ring is full.
 */
public final class RemoteWindow
{
    private static final long PAUSE_NS = 1000;

    private final EndpointClient client;
    private final long base;
    private final UnsafeBuffer gathered = new UnsafeBuffer(new byte[ClientMessage.MAX_DATA_LENGTH]);
    private long start;
    private int length;
    private int generation;

    RemoteWindow(final EndpointClient client, final long base)
    {
        this.client = client;
        this.base = base;
    }

    /** Stores four bytes in native byte order. The offset must be aligned to 4 if the store has to be atomic. */
    public void putInt(final long offset, final int value)
    {
        final int at = room(offset, Integer.BYTES);
        gathered.putInt(at, value);
    }

    /** Stores eight bytes in native byte order. The offset must be aligned to 8 if the store has to be atomic. */
    public void putLong(final long offset, final long value)
    {
        final int at = room(offset, Long.BYTES);
        gathered.putLong(at, value);
    }

    /** Stores 0 or more bytes of an array, from an index on, at an offset in the region. */
    public void putBytes(final long offset, final byte[] source, final int index, final int bytes)
    {
        for (int done = 0; done < bytes;)
        {
            final int part = Math.min(bytes - done, ClientMessage.MAX_DATA_LENGTH);
            final int at = room(offset + done, part);
            gathered.putBytes(at, source, index + done, part);
            done += part;
        }
    }

    /** Sends all stores. */
    public void flush()
    {
        if (length > 0)
        {
            send(ClientMessage.ORDERED | ClientMessage.THEN_FLUSH);
        }
        else
        {
            while (!client.tryFlush(ClientMessage.peerId(base), 0))
            {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    private int room(final long offset, final int bytes)
    {
        if (offset < 0 || offset > 0xFFFF_FFFFL - bytes)
        {
            throw new IndexOutOfBoundsException("offset " + offset + " is in no region");
        }
        if (length > 0 && (offset != start + length || length + bytes > gathered.capacity() ||
            generation != client.generation(base)))
        {
            send(ClientMessage.ORDERED);
        }
        if (length == 0)
        {
            start = offset;
            generation = client.generation(base);
        }
        final int at = length;
        length += bytes;
        return at;
    }

    private void send(final int flags)
    {
        while (!client.tryWrite(base + start, gathered, 0, length, flags, generation, 0))
        {
            LockSupport.parkNanos(PAUSE_NS);
        }
        length = 0;
    }
}
