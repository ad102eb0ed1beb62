package org.fibnuma.fibnic.record;

import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The records of one worker that were not read yet. The worker writes and never waits: it counts a record for which
 * there is no room. Another thread reads.
 */
public final class RecordRing
{
    /** 2,700 frames of 1,500 bytes: 3 ms at 10 Gbit/s, longer than the reader is away. */
    public static final int CAPACITY = 4 << 20;

    /** Result of a claim for which there is no room. */
    public static final int NONE = -1;

    private final MemoryRegion region;
    private final OneToOneRingBuffer ring;
    /** By port; written by the worker only. */
    private final AtomicLongArray lost = new AtomicLongArray(InterfaceNumber.MAX_PORTS + 1);

    /**
     * Allocates the ring, on a thread other than the worker's.
     *
     * @param capacity in bytes, a power of two.
     */
    public RecordRing(final int capacity)
    {
        final int size = capacity + RingBufferDescriptor.TRAILER_LENGTH;
        region = MemoryRegion.ofBytes(size);
        // Takes the page faults here and not in the worker.
        FrameMemory.fill(region.address(), size, (byte)0);
        ring = new OneToOneRingBuffer(new UnsafeBuffer(region.address(), size));
    }

    /**
     * Claims room for a record. {@link #commit} or {@link #abort} must follow. Worker.
     *
     * @param kind   of the record, 1 or more, other than those of {@link RecordMessage}.
     * @param port   index of the port, for the count of lost records.
     * @param length in bytes, at most an eighth of the capacity.
     * @return claim; {@link #NONE} if there is no room, which is counted.
     */
    public int tryClaim(final int kind, final int port, final int length)
    {
        final int claim = ring.tryClaim(kind, length);
        if (claim < 0)
        {
            lost.lazySet(port, lost.getPlain(port) + 1);
            return NONE;
        }
        return claim;
    }

    /** Returns the native address of claimed room; worker. */
    public long address(final int claim)
    {
        return region.address() + claim;
    }

    /** Makes a record readable; does nothing for {@link #NONE}; worker. */
    public void commit(final int claim)
    {
        if (claim != NONE)
        {
            ring.commit(claim);
        }
    }

    /** Discards a claim; does nothing for {@link #NONE}; worker. */
    public void abort(final int claim)
    {
        if (claim != NONE)
        {
            ring.abort(claim);
        }
    }

    /** Passes records to a handler until it aborts or there are none; on the reader's thread. */
    void read(final ControlledMessageHandler handler)
    {
        // One call reads up to the end of the memory at most.
        while (ring.controlledRead(handler) > 0)
        {
            continue;
        }
    }

    /** Returns the position behind the last claimed record; any thread. */
    long producerPosition()
    {
        return ring.producerPosition();
    }

    /** Returns the position behind the last record that was read; any thread. */
    long consumerPosition()
    {
        return ring.consumerPosition();
    }

    /** Returns the number of records of a port that were lost so far; any thread. */
    long lost(final int port)
    {
        return lost.get(port);
    }

    /** Frees the memory, which neither the worker nor the reader uses any more. */
    void free()
    {
        region.close();
    }
}
