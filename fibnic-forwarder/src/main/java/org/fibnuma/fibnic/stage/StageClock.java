package org.fibnuma.fibnic.stage;

import org.agrona.concurrent.NanoClock;

/**
 * Reads the clock between the stages of one batch in some thousand, and adds their times to the {@link StageTimes} of
 * the worker. The time of one reading is subtracted: the shortest that two readings in a row have ever taken. What a
 * worker does between two stages is part of the second one, such as the prefetch before the classifier.
 */
public final class StageClock implements StageObserver
{
    /**
     * Cycles with frames for each sample. The sample may take the time of four more cycles before it costs 0.1 % of
     * all, and it delays fewer frames than a 99.9th percentile shows.
     */
    private static final int BUSY_CYCLES = 4096;
    /** A worker that has few frames samples some of them, too, without delaying each of them. */
    private static final int IDLE_CYCLES_PER_BUSY_CYCLE = 1024;

    private final NanoClock clock;
    private final StageTimes times;
    /** In idle cycles; below 0 from the moment that a sample is due until it was taken. */
    private int cyclesToSample = BUSY_CYCLES * IDLE_CYCLES_PER_BUSY_CYCLE;
    private long lastNs;
    private long readingNs = Long.MAX_VALUE;

    /**
     * Creates the clock of a worker.
     *
     * @param clock to read.
     * @param times of the worker.
     */
    public StageClock(final NanoClock clock, final StageTimes times)
    {
        this.clock = clock;
        this.times = times;
    }

    /**
     * Counts a duty cycle.
     *
     * @param received number of frames that were received in it.
     * @return whether a sample is due.
     */
    public boolean isDueAfter(final int received)
    {
        if (cyclesToSample >= 0)
        {
            cyclesToSample -= received > 0 ? IDLE_CYCLES_PER_BUSY_CYCLE : 1;
        }
        return cyclesToSample < 0;
    }

    @Override
    public void begin()
    {
        final long firstNs = clock.nanoTime();
        lastNs = clock.nanoTime();
        readingNs = Math.min(readingNs, lastNs - firstNs);
    }

    @Override
    public void after(final Stage stage, final FrameClass of, final int count)
    {
        final long nowNs = clock.nanoTime();
        if (count > 0)
        {
            times.add(stage, Math.max(0, nowNs - lastNs - readingNs), count);
        }
        lastNs = nowNs;
    }

    @Override
    public void end()
    {
        times.publish();
        cyclesToSample = BUSY_CYCLES * IDLE_CYCLES_PER_BUSY_CYCLE;
    }
}
