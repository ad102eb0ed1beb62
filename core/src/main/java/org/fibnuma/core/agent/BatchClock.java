package org.fibnuma.core.agent;

import org.agrona.concurrent.NanoClock;

/**
 * Clock that returns one time for all frames of a batch. It is read for the first frame that needs it, because a
 * reading takes longer than processing a frame. Owned by one worker thread.
 */
public final class BatchClock implements NanoClock
{
    private final NanoClock clock;
    private boolean isRead;
    private long nowNs;

    /** Wraps the clock to read. */
    public BatchClock(final NanoClock clock)
    {
        this.clock = clock;
    }

    /** Starts a batch: the next {@link #nanoTime()} reads the clock. */
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
