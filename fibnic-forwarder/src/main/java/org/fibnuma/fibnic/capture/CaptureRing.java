package org.fibnuma.fibnic.capture;

import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The captured frames of one worker that were not read yet. The worker writes and never waits: it counts a frame for
 * which there is no room. Another thread reads. A frame to be sent is copied before it is offered to its port, whose
 * memory it is afterwards, and becomes readable when the port has taken it.
 */
public final class CaptureRing
{
    /** 2,700 frames of 1,500 bytes: 3 ms at 10 Gbit/s, in which the reader comes back. */
    static final int CAPACITY = 4 << 20;

    /** Result of a claim for a frame that is not captured. */
    static final int NONE = -1;

    private final MemoryRegion region;
    private final UnsafeBuffer buffer;
    private final OneToOneRingBuffer ring;
    private final CaptureSettings settings;
    private final FilterProgram filter;
    private final NanoClock clock;
    private final long epochOffsetNs;
    /** By port; written by the worker only. */
    private final AtomicLongArray lost = new AtomicLongArray(InterfaceNumber.MAX_PORTS + 1);
    /** Of a batch that is being sent: where each frame was copied to, or {@link #NONE}. */
    private final int[] claims = new int[FrameBatch.CAPACITY];

    /**
     * Allocates the ring, on a thread other than the worker's.
     *
     * @param settings      what to capture.
     * @param capacity      in bytes, a power of two.
     * @param clock         of the worker.
     * @param epochOffsetNs from its time to the time since 1970, in ns.
     */
    CaptureRing(final CaptureSettings settings, final int capacity, final NanoClock clock, final long epochOffsetNs)
    {
        this.settings = settings;
        this.filter = settings.filter() == null ? null : settings.filter().copy();
        this.clock = clock;
        this.epochOffsetNs = epochOffsetNs;
        final int size = capacity + RingBufferDescriptor.TRAILER_LENGTH;
        region = MemoryRegion.ofBytes(size);
        buffer = new UnsafeBuffer(region.address(), size);
        // Takes the page faults here and not in the worker.
        FrameMemory.fill(region.address(), size, (byte)0);
        ring = new OneToOneRingBuffer(buffer);
    }

    void received(final FrameBatch batch)
    {
        final int port = batch.ingressPort(0);
        if ((settings.received() & 1L << port) != 0)
        {
            final long nowNs = clock.nanoTime();
            for (int i = 0; i < batch.size(); i++)
            {
                commit(claim(CaptureMessage.RECEIVED, port, batch.address(i), batch.length(i), 0, nowNs));
            }
        }
    }

    void dropped(final int port, final long frame, final int length, final int reason)
    {
        if ((settings.dropped() & 1L << port) != 0)
        {
            commit(claim(CaptureMessage.DROPPED, port, frame, length, reason, clock.nanoTime()));
        }
    }

    int claimSent(final int port, final long frame, final int length)
    {
        return (settings.sent() & 1L << port) == 0 ?
            NONE : claim(CaptureMessage.SENT, port, frame, length, 0, clock.nanoTime());
    }

    void claimSent(final FrameBatch batch, final int from, final int end, final int port)
    {
        final boolean isCaptured = (settings.sent() & 1L << port) != 0;
        final long nowNs = isCaptured ? clock.nanoTime() : 0;
        for (int i = from; i < end; i++)
        {
            claims[i] = isCaptured ?
                claim(CaptureMessage.SENT, port, batch.address(i), batch.length(i), 0, nowNs) : NONE;
        }
    }

    void abortSent(final int i)
    {
        abort(claims[i]);
        claims[i] = NONE;
    }

    void commitSent(final int from, final int end)
    {
        for (int i = from; i < end; i++)
        {
            commit(claims[i]);
        }
    }

    void commit(final int claim)
    {
        if (claim != NONE)
        {
            ring.commit(claim);
        }
    }

    void abort(final int claim)
    {
        if (claim != NONE)
        {
            ring.abort(claim);
        }
    }

    /** Copies a frame if the filter accepts it and there is room. Returns where it is, not readable yet, or NONE. */
    private int claim(
        final int kind, final int port, final long frame, final int length, final int reason, final long nowNs)
    {
        final int accepted = filter == null ? settings.snapLength() : filter.run(frame, length);
        if (accepted == 0)
        {
            return NONE;
        }
        final int kept = Math.min(Math.min(length, settings.snapLength()), accepted & Integer.MAX_VALUE);
        final int at = ring.tryClaim(kind, CaptureMessage.FRAME_OFFSET + kept);
        if (at < 0)
        {
            lost.lazySet(port, lost.getPlain(port) + 1);
            return NONE;
        }
        buffer.putLong(at + CaptureMessage.TIME_OFFSET, nowNs + epochOffsetNs);
        buffer.putInt(at + CaptureMessage.PORT_OFFSET, port);
        buffer.putInt(at + CaptureMessage.LENGTH_OFFSET, length);
        buffer.putInt(at + CaptureMessage.REASON_OFFSET, reason);
        FrameMemory.copy(frame, region.address() + at + CaptureMessage.FRAME_OFFSET, kept);
        return at;
    }

    /** Passes frames to a handler until it aborts or there are none; on the reader's thread. */
    void read(final ControlledMessageHandler handler)
    {
        // One call reads up to the end of the memory at most.
        while (ring.controlledRead(handler) > 0)
        {
            continue;
        }
    }

    /** Returns the position behind the last claimed frame; any thread. */
    long producerPosition()
    {
        return ring.producerPosition();
    }

    /** Returns the position behind the last frame that was read; any thread. */
    long consumerPosition()
    {
        return ring.consumerPosition();
    }

    /** Returns how many frames of a port were lost so far; any thread. */
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
