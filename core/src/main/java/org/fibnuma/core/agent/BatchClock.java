package org.fibnuma.core.agent;

import org.agrona.concurrent.NanoClock;

/**
 * One time for all frames of a batch, read when the first of them asks: a reading takes longer than a frame. Owned by
 * one worker thread.
 */
public final class BatchClock implements NanoClock
{
    private final NanoClock clock;
    private boolean isRead;
    private long nowNs;

    /**
     * Over another clock.
     *
     * @param clock to read.
     */
    public BatchClock(final NanoClock clock)
    {
        this.clock = clock;
    }

    /** Before the first frame of a batch: the next {@link #nanoTime()} reads the clock. */
    public void begin()
    {
        isRead = false;
    }

    @Override
    public long nanoTime()
    {
        if (!isRead)
        {
            nowNs = clock.nanoTime();
            isRead = true;
        }
        return nowNs;
    }
}
