package org.fibnuma.pfc.watchdog;

import java.util.concurrent.TimeUnit;

/**
 * Watches one priority of one egress port. A storm is: for the detection time, at every look, the queue was not empty,
 * nothing was sent since the look before, and the peer's pauses covered 99 % of the time since. It is over when no
 * pause came for the restoration time. Ends of pauses do not count as pauses. For one thread; times are of one
 * monotonic clock, and what counts is the time that passed, not the number of looks.
 */
public final class PauseWatchdog
{
    private static final double PAUSED_SHARE = 0.99;

    private final long pollNs;
    private final long detectionNs;
    private final long restoreNs;
    private boolean isStarted;
    private boolean isStorm;
    private long lastLookNs;
    private long stoppedSinceNs;
    private long lastPauseNs;
    private long sentFrames;
    private long pausedNs;
    private long pausesReceived;

    /**
     * A watchdog that has seen nothing yet.
     *
     * @param settings of the port.
     */
    public PauseWatchdog(final WatchdogSettings settings)
    {
        pollNs = TimeUnit.MILLISECONDS.toNanos(settings.pollMs());
        detectionNs = TimeUnit.MILLISECONDS.toNanos(settings.detectionMs());
        restoreNs = TimeUnit.MILLISECONDS.toNanos(settings.restoreMs());
    }

    /**
     * Whether it is time to look.
     *
     * @param nowNs monotonic time.
     * @return true from the poll period after the last look on.
     */
    public boolean isDue(final long nowNs)
    {
        return !isStarted || nowNs - lastLookNs >= pollNs;
    }

    /**
     * Whether there is a storm.
     *
     * @return true from its detection to its end.
     */
    public boolean isStorm()
    {
        return isStorm;
    }

    /**
     * Looks. The counts are totals since the beginning, which never fall.
     *
     * @param nowNs              monotonic time.
     * @param isWaiting          whether frames wait in the queue.
     * @param totalSentFrames    that left the queue to the wire.
     * @param totalPausedNs      for which the peer had stopped the priority.
     * @param totalPauses        frames received that stop the priority; those that end a pause are not among them.
     * @return what has changed.
     */
    public StormChange look(
        final long nowNs,
        final boolean isWaiting,
        final long totalSentFrames,
        final long totalPausedNs,
        final long totalPauses)
    {
        final boolean isStopped = isStarted && isWaiting && totalSentFrames == sentFrames &&
            totalPausedNs - pausedNs >= PAUSED_SHARE * (nowNs - lastLookNs);
        if (!isStarted || totalPauses != pausesReceived)
        {
            lastPauseNs = nowNs;
        }
        if (!isStopped)
        {
            stoppedSinceNs = nowNs;
        }
        isStarted = true;
        lastLookNs = nowNs;
        sentFrames = totalSentFrames;
        pausedNs = totalPausedNs;
        pausesReceived = totalPauses;
        return change(nowNs);
    }

    private StormChange change(final long nowNs)
    {
        if (!isStorm && nowNs - stoppedSinceNs >= detectionNs)
        {
            isStorm = true;
            return StormChange.DETECTED;
        }
        if (isStorm && nowNs - lastPauseNs >= restoreNs)
        {
            isStorm = false;
            stoppedSinceNs = nowNs;
            return StormChange.RESTORED;
        }
        return StormChange.NONE;
    }
}
