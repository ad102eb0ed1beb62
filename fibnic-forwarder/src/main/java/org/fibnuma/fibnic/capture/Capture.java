package org.fibnuma.fibnic.capture;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.NanoClock;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * One capture: a ring for each worker, and the stream of messages that is made of them. Opened and freed by the control
 * thread; {@link #drain} and {@link #finish} are for one reader's thread.
 */
public final class Capture
{
    /** Room that {@link #drain} needs: the longest message and the counts of lost frames of all ports. */
    public static final int MIN_ROOM = 1 << 17;

    private final CaptureSettings settings;
    private final List<CaptureRing> rings = new ArrayList<>();
    /** Counts that were sent, by port. */
    private final long[] lost = new long[Long.SIZE];
    private final ControlledMessageHandler handler = this::onFrame;
    /** Positions of the rings at which the stream ends; null before {@link #finish}. */
    private long[] ends;
    private ByteBuffer target;
    private int first;

    /**
     * Allocates the rings.
     *
     * @param settings      what to capture.
     * @param workers       number of workers.
     * @param clock         of the workers.
     * @param epochOffsetNs from its time to the time since 1970, in ns.
     */
    public Capture(
        final CaptureSettings settings, final int workers, final NanoClock clock, final long epochOffsetNs)
    {
        this(settings, workers, clock, epochOffsetNs, CaptureRing.CAPACITY);
    }

    Capture(
        final CaptureSettings settings,
        final int workers,
        final NanoClock clock,
        final long epochOffsetNs,
        final int capacity)
    {
        this.settings = settings;
        for (int worker = 0; worker < workers; worker++)
        {
            rings.add(new CaptureRing(settings, capacity, clock, epochOffsetNs));
        }
    }

    /** Returns the ring of a worker, for its tap. */
    public CaptureRing ring(final int worker)
    {
        return rings.get(worker);
    }

    /** Lets the stream end after the frames captured so far. */
    public void finish()
    {
        if (ends == null)
        {
            ends = rings.stream().mapToLong(CaptureRing::producerPosition).toArray();
        }
    }

    /**
     * Writes waiting messages, as many as fit.
     *
     * @param room to write to, from its position on; at least {@link #MIN_ROOM}.
     * @return false if the last message was written.
     */
    public boolean drain(final ByteBuffer room)
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
        target.putInt(0).putInt(CaptureMessage.END);
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
        for (int i = 0; (settings.ports() & 1L << port) != 0 && i < rings.size(); i++)
        {
            count += rings.get(i).lost(port);
        }
        if (count != lost[port])
        {
            lost[port] = count;
            target.putInt(CaptureMessage.LOST_LENGTH).putInt(CaptureMessage.LOST).putInt(port).putLong(count);
        }
    }

    private ControlledMessageHandler.Action onFrame(
        final int kind, final DirectBuffer source, final int index, final int length)
    {
        if (target.remaining() < CaptureMessage.HEADER_LENGTH + length)
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
        rings.forEach(CaptureRing::free);
        rings.clear();
    }
}
