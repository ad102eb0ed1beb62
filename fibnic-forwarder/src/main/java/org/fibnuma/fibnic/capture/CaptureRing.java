package org.fibnuma.fibnic.capture;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.fibnic.record.RecordRing;

/**
 * The captured frames of one worker that were not read yet. The worker writes and never waits: it counts a frame for
 * which there is no room. Another thread reads. A frame to be sent is copied before it is offered to its port, which
 * owns the frame afterwards. The copy becomes readable when the port has taken the frame.
 */
public final class CaptureRing
{
    /** Result of a claim for a frame that is not captured. */
    static final int NONE = RecordRing.NONE;

    private final RecordRing records;
    private final CaptureSettings settings;
    private final FilterProgram filter;
    private final NanoClock clock;
    private final long epochOffsetNs;
    /** Claims for the frames of a batch that is being sent, or {@link #NONE}. */
    private final int[] claims = new int[FrameBatch.CAPACITY];

    /**
     * Creates the ring of a worker, on another thread.
     *
     * @param clock         of the worker.
     * @param epochOffsetNs from its time to the time since 1970, in ns.
     */
    CaptureRing(
        final CaptureSettings settings, final RecordRing records, final NanoClock clock, final long epochOffsetNs)
    {
        this.settings = settings;
        this.records = records;
        this.filter = settings.filter() == null ? null : settings.filter().copy();
        this.clock = clock;
        this.epochOffsetNs = epochOffsetNs;
    }

    RecordRing records()
    {
        return records;
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
        records.commit(claim);
    }

    void abort(final int claim)
    {
        records.abort(claim);
    }

    /** Copies a frame if the filter accepts it and there is room. Returns the claim to be ended, or NONE. */
    private int claim(
        final int kind, final int port, final long frame, final int length, final int reason, final long nowNs)
    {
        final int accepted = filter == null ? settings.snapLength() : filter.run(frame, length);
        if (accepted == 0)
        {
            return NONE;
        }
        final int kept = Math.min(Math.min(length, settings.snapLength()), accepted & Integer.MAX_VALUE);
        final int claim = records.tryClaim(kind, port, CaptureMessage.FRAME_OFFSET + kept);
        if (claim != NONE)
        {
            final long record = records.address(claim);
            FrameMemory.putLong(record + CaptureMessage.TIME_OFFSET, nowNs + epochOffsetNs);
            FrameMemory.putInt(record + CaptureMessage.PORT_OFFSET, port);
            FrameMemory.putInt(record + CaptureMessage.LENGTH_OFFSET, length);
            FrameMemory.putInt(record + CaptureMessage.REASON_OFFSET, reason);
            FrameMemory.copy(frame, record + CaptureMessage.FRAME_OFFSET, kept);
        }
        return claim;
    }
}
