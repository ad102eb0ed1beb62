package org.fibnuma.pfc.watchdog;

/**
 * Times of the watchdog and its action.
 *
 * @param pollMs      time between two checks, 100 to 5,000.
 * @param detectionMs a queue that is paused without a break for this time is in a storm, 100 to 5,000.
 * @param restoreMs   the storm is over after this time without a pause, 100 to 60,000.
 * @param action      during the storm.
 */
public record WatchdogSettings(int pollMs, int detectionMs, int restoreMs, StormAction action)
{
    /** Lowest value of all three times. */
    public static final int MIN_MS = 100;
    /** Highest poll and detection time. */
    public static final int MAX_DETECTION_MS = 5_000;
    /** Highest restoration time. */
    public static final int MAX_RESTORE_MS = 60_000;
    /** Default of all three times: six of the longest pauses of a gigabit link. */
    public static final int DEFAULT_MS = 200;
    /** The defaults. Frames are dropped, which frees the queues behind. */
    public static final WatchdogSettings DEFAULT =
        new WatchdogSettings(DEFAULT_MS, DEFAULT_MS, DEFAULT_MS, StormAction.DROP);

    /** Checks the ranges. */
    public WatchdogSettings
    {
        require(pollMs, MAX_DETECTION_MS, "poll");
        require(detectionMs, MAX_DETECTION_MS, "detection");
        require(restoreMs, MAX_RESTORE_MS, "restoration");
    }

    private static void require(final int millis, final int max, final String name)
    {
        if (millis < MIN_MS || millis > max)
        {
            throw new IllegalArgumentException(
                name + " time of " + millis + " ms is out of range; use " + MIN_MS + " to " + max);
        }
    }
}
