package org.fibnuma.pfc.watchdog;

import java.util.concurrent.TimeUnit;

/**
 * Detects a pause storm on one priority of one egress port. It is detected if three things hold at every check during
 * the detection time. The queue is not empty, no frame has been sent since the check before, and the peer's pauses
 * covered 99 % of the time between. The storm is over when no pause arrives during the restoration time; frames that
 * end a pause do not count. For one thread; times are from one monotonic clock. The elapsed time counts, not the number
 * of checks.
 */
public final class PauseWatchdog
{
    /** Result of a check. */
    public enum Change
    {
        /** The state is the same as before. */
        NONE,
        /** A storm has begun. */
        DETECTED,
        /** The storm is over. */
        RESTORED
    }

    private static final double PAUSED_SHARE = 0.99;

    private final long pollNs;
    private final long detectionNs;
    private final long restoreNs;
    private boolean isStarted;
    private boolean isStorm;
    private long lastCheckNs;
    private long stoppedSinceNs;
    private long lastPauseNs;
    private long sentFrames;
    private long pausedNs;
    private long pausesReceived;

    /** Creates a watchdog without a storm. */
    public PauseWatchdog(final WatchdogSettings settings)
    {
        pollNs = TimeUnit.MILLISECONDS.toNanos(settings.pollMs());
        detectionNs = TimeUnit.MILLISECONDS.toNanos(settings.detectionMs());
        restoreNs = TimeUnit.MILLISECONDS.toNanos(settings.restoreMs());
    }

    /** {@return whether the poll period has passed since the last check, or there was none} */
    public boolean isDue(final long nowNs)
    {
        return !isStarted || nowNs - lastCheckNs >= pollNs;
    }

    /** {@return true from the detection of a storm to its end} */
    public boolean isStorm()
    {
        return isStorm;
    }

    /**
     * Checks the queue and returns the change since the last check. The totals count from the start and never fall.
     *
     * @param isWaiting       whether frames wait in the queue.
     * @param totalSentFrames frames of the queue sent to the wire.
     * @param totalPausedNs   nanoseconds for which the peer had paused the priority.
     * @param totalPauses     frames received that pause the priority, without those that end a pause.
     */
    public Change check(
        final long nowNs,
        final boolean isWaiting,
        final long totalSentFrames,
        final long totalPausedNs,
        final long totalPauses)
    {
        final boolean isStopped = isStarted && isWaiting && totalSentFrames == sentFrames &&
            totalPausedNs - pausedNs >= PAUSED_SHARE * (nowNs - lastCheckNs);
        if (!isStarted || totalPauses != pausesReceived)
        {
            lastPauseNs = nowNs;
        }
        if (!isStopped)
        {
            stoppedSinceNs = nowNs;
        }
        isStarted = true;
        lastCheckNs = nowNs;
        sentFrames = totalSentFrames;
        pausedNs = totalPausedNs;
        pausesReceived = totalPauses;
        return change(nowNs);
    }

    private Change change(final long nowNs)
    {
        if (!isStorm && nowNs - stoppedSinceNs >= detectionNs)
        {
            isStorm = true;
            return Change.DETECTED;
        }
        if (isStorm && nowNs - lastPauseNs >= restoreNs)
        {
            isStorm = false;
            stoppedSinceNs = nowNs;
            return Change.RESTORED;
        }
        return Change.NONE;
    }
}
