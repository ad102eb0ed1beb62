package org.fibnuma.pfc.watchdog;

/**
 * Times of a watchdog.
 *
 * @param pollMs      between two looks, 100 to 5,000.
 * @param detectionMs after which a queue that is stopped without a break is in a storm, 100 to 5,000.
 * @param restoreMs   without a pause after which the storm is over, 100 to 60,000.
 * @param action      during the storm.
 */
public record WatchdogSettings(int pollMs, int detectionMs, int restoreMs, StormAction action)
{
    /** Shortest of all three times. */
    public static final int MIN_MS = 100;
    /** Longest time between polls and until detection. */
    public static final int MAX_DETECTION_MS = 5_000;
    /** Longest time until restoration. */
    public static final int MAX_RESTORE_MS = 60_000;
    /** All three times where nobody says otherwise: six of the longest pauses of a gigabit link. */
    public static final int DEFAULT_MS = 200;
    /** Dropping is what frees the queues behind. */
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
                name + " time of " + millis + " ms is out of range; give " + MIN_MS + " to " + max);
        }
    }
}
