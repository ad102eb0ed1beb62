package org.fibnuma.fibnic.stage;

import org.agrona.concurrent.NanoClock;

/**
 * Reads the clock between the stages of one batch in some thousand, and adds their times to the {@link StageTimes} of
 * the worker. It subtracts the shortest time that two readings in a row have taken so far. Work between two stages,
 * such as the prefetch before the classifier, counts as part of the second one.
 */
public final class StageClock implements StageObserver
{
    /**
     * Duty cycles with frames for each sample. The sample costs at most 0.1 % if it takes as long as four cycles, and
     * it delays too few frames for the 99.9th percentile.
     */
    private static final int BUSY_CYCLES = 4096;
    /** So a worker with few frames takes samples too, but does not delay each of its frames. */
    private static final int IDLE_CYCLES_PER_BUSY_CYCLE = 1024;

    private final NanoClock clock;
    private final StageTimes times;
    /** Counted in idle cycles; below 0 while a sample is due. */
    private int cyclesToSample = BUSY_CYCLES * IDLE_CYCLES_PER_BUSY_CYCLE;
    private long lastNs;
    private long readingNs = Long.MAX_VALUE;

    /** Creates the clock of a worker, which adds its samples to the times. */
    public StageClock(final NanoClock clock, final StageTimes times)
    {
        this.clock = clock;
        this.times = times;
    }

    /** Counts a duty cycle by the number of its received frames; returns whether a sample is due. */
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
