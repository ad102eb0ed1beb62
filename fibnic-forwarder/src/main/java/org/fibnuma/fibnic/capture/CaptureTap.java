package org.fibnuma.fibnic.capture;

import org.fibnuma.core.frame.FrameBatch;

/**
 * The switch of one worker between capturing frames and not. Used by the worker, except {@link #switchTo}. All methods
 * but {@link #isOn()} and {@link #refresh()} are called only while it is on, and between two calls of
 * {@link #refresh()} it does not change.
 */
public final class CaptureTap
{
    /** Result of {@link #claimSent(int, long, int)} for a frame that is not captured. */
    public static final int NONE = CaptureRing.NONE;

    private CaptureRing ring;
    private volatile CaptureRing next;

    /** Sets the ring to use from the worker's next {@link #refresh()} on, null for none; control thread. */
    public void switchTo(final CaptureRing changed)
    {
        next = changed;
    }

    /**
     * Uses the ring of the last {@link #switchTo}; once in every duty cycle, after the worker has reported to
     * {@link org.fibnuma.fibnic.fib.ReaderEpochs}: a ring that was replaced before the report is not used after it.
     */
    public void refresh()
    {
        final CaptureRing now = next;
        if (now != ring)
        {
            ring = now;
        }
    }

    /** Returns whether frames are to be captured. */
    public boolean isOn()
    {
        return ring != null;
    }

    /**
     * Captures received frames.
     *
     * @param batch frames of one port as they were received, 1 or more.
     */
    public void received(final FrameBatch batch)
    {
        ring.received(batch);
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
        ring.dropped(port, frame, length, reason);
    }

    /**
     * Copies a frame before it is offered to a port. {@link #settle} must follow.
     *
     * @param port   index of the egress port.
     * @param frame  native address of its first byte.
     * @param length in bytes.
     * @return for {@link #settle}.
     */
    public int claimSent(final int port, final long frame, final int length)
    {
        return ring.claimSent(port, frame, length);
    }

    /**
     * Ends a capture that {@link #claimSent(int, long, int)} has begun.
     *
     * @param claim  its result.
     * @param isSent whether the port has taken the frame; otherwise it is not captured as sent.
     */
    public void settle(final int claim, final boolean isSent)
    {
        if (isSent)
        {
            ring.commit(claim);
        }
        else
        {
            ring.abort(claim);
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
        ring.claimSent(batch, from, end, port);
    }

    /** Does not capture a frame as sent that {@link #claimSent(FrameBatch, int, int, int)} has copied. */
    public void abortSent(final int i)
    {
        ring.abortSent(i);
    }

    /** Ends the capture of a range of frames, all sent but those of {@link #abortSent}. */
    public void commitSent(final int from, final int end)
    {
        ring.commitSent(from, end);
    }
}
