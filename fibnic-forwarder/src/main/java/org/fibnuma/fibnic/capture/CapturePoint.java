package org.fibnuma.fibnic.capture;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.fibnic.trace.FrameTraces;

/**
 * The switch of one worker for captures, traces and samples of the time of stages. It is on while a capture or a trace
 * runs, or until the next batch is sampled. Used by the worker, except {@link #captureTo} and {@link #traceTo}.
 * <p>
 * The worker's methods other than {@link #isOn()} and {@link #refresh} may be called only while it is on. Only
 * {@link #refresh} and {@link #takeSample()} change it.
 */
public final class CapturePoint
{
    /** Result of {@link #claimSent(int, long, int)} for a frame that is not captured. */
    public static final int NONE = CaptureRing.NONE;

    private static final Use OFF = new Use(null, null);
    private static final Use SAMPLE = new Use(null, null);

    /** Null while the capture point is off. */
    private Use use;
    private volatile Use next;

    /** The ring of a capture and the traces of a trace, each null for none. */
    private record Use(CaptureRing ring, FrameTraces traces)
    {
        Use orNull()
        {
            return ring == null && traces == null ? null : this;
        }
    }

    /** Sets the ring to use from the worker's next {@link #refresh} on, null for none; control thread. */
    public void captureTo(final CaptureRing ring)
    {
        next = new Use(ring, nextOrOff().traces).orNull();
    }

    /** Sets the traces to use from the worker's next {@link #refresh} on, null for none; control thread. */
    public void traceTo(final FrameTraces traces)
    {
        next = new Use(nextOrOff().ring, traces).orNull();
    }

    private Use nextOrOff()
    {
        final Use set = next;
        return set == null ? OFF : set;
    }

    /**
     * Uses what was set last. The worker calls this once in every duty cycle, after its report to
     * {@link org.fibnuma.fibnic.fib.ReaderEpochs}: a ring that was replaced before the report is not used after it.
     *
     * @param isSampleDue whether to sample the next batch. It is not sampled while a capture or a trace runs, because
     *                    the times would include those of the capture or trace.
     */
    public void refresh(final boolean isSampleDue)
    {
        final Use set = next;
        final Use now = set == null && isSampleDue ? SAMPLE : set;
        if (now != use)
        {
            use = now;
        }
    }

    /** Returns whether frames are to be captured, traced or sampled. */
    public boolean isOn()
    {
        return use != null;
    }

    /**
     * Returns whether the stages of this batch are to be timed. If they are, the capture point is off from now on, so
     * that the stages run as for other batches.
     */
    public boolean takeSample()
    {
        final boolean isSample = use == SAMPLE;
        if (isSample)
        {
            use = null;
        }
        return isSample;
    }

    /** Returns the traces of the worker, null if no trace runs. */
    public FrameTraces traces()
    {
        return use.traces;
    }

    /** Captures frames of one port as they were received, 1 or more. */
    public void received(final FrameBatch batch)
    {
        if (use.ring != null)
        {
            use.ring.received(batch);
        }
    }

    /**
     * Captures a frame that is dropped, before its chunk is released.
     *
     * @param port   index of the port that received it; other indexes are ignored.
     * @param frame  native address of its first byte.
     * @param length in bytes.
     * @param reason id of the drop reason.
     */
    public void dropped(final int port, final long frame, final int length, final int reason)
    {
        if (use.ring != null)
        {
            use.ring.dropped(port, frame, length, reason);
        }
    }

    /**
     * Copies a frame before it is offered to a port. {@link #settle} must follow with the result.
     *
     * @param port   index of the egress port.
     * @param frame  native address of its first byte.
     * @param length in bytes.
     */
    public int claimSent(final int port, final long frame, final int length)
    {
        return use.ring == null ? NONE : use.ring.claimSent(port, frame, length);
    }

    /** Ends the capture of a copied frame. If the port has not taken the frame, it is not captured as sent. */
    public void settle(final int claim, final boolean isSent)
    {
        if (claim == NONE)
        {
            return;
        }
        if (isSent)
        {
            use.ring.commit(claim);
        }
        else
        {
            use.ring.abort(claim);
        }
    }

    /**
     * Copies frames before they are offered to a port. {@link #commitSent} must follow with the same range.
     *
     * @param batch frames to be sent by one port.
     * @param from  index of the first.
     * @param end   index after the last.
     * @param port  index of the egress port.
     */
    public void claimSent(final FrameBatch batch, final int from, final int end, final int port)
    {
        if (use.ring != null)
        {
            use.ring.claimSent(batch, from, end, port);
        }
    }

    /** Discards the copy of a frame of {@link #claimSent(FrameBatch, int, int, int)}, which is not sent. */
    public void abortSent(final int i)
    {
        if (use.ring != null)
        {
            use.ring.abortSent(i);
        }
    }

    /** Ends the capture of a range of frames; all were sent except those of {@link #abortSent}. */
    public void commitSent(final int from, final int end)
    {
        if (use.ring != null)
        {
            use.ring.commitSent(from, end);
        }
    }
}
