package org.fibnuma.pfc.watchdog;

import org.fibnuma.pfc.watchdog.PauseWatchdog.Change;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Detection and end of a storm, and similar cases that are not storms. */
class PauseWatchdogTest
{
    private static final long MS = 1_000_000;

    private final PauseWatchdog watchdog =
        new PauseWatchdog(new WatchdogSettings(100, 200, 300, StormAction.DROP));
    private long now = -50 * MS;
    private long sent;
    private long paused;
    private long pauses;

    @Test
    void shouldDetectAQueueThatIsStoppedWithoutABreak()
    {
        check(true);
        stormFor(100);
        assertEquals(Change.NONE, check(true));
        stormFor(100);
        assertEquals(Change.DETECTED, check(true));
        assertTrue(watchdog.isStorm());
    }

    @Test
    void shouldNotTakeASlowPeerForAStorm()
    {
        check(true);
        for (int i = 0; i < 20; i++)
        {
            stormFor(100);
            sent++;
            assertEquals(Change.NONE, check(true));
        }
    }

    @Test
    void shouldNotSeeAStormWhereNothingWaits()
    {
        check(false);
        for (int i = 0; i < 20; i++)
        {
            stormFor(100);
            assertEquals(Change.NONE, check(false));
        }
    }

    @Test
    void shouldAskForNinetyNinePercent()
    {
        check(true);
        for (int i = 0; i < 20; i++)
        {
            now += 100 * MS;
            paused += 98 * MS;
            pauses++;
            assertEquals(Change.NONE, check(true));
        }
        for (int i = 0; i < 2; i++)
        {
            now += 100 * MS;
            paused += 99 * MS;
            check(true);
        }
        assertTrue(watchdog.isStorm());
    }

    @Test
    void shouldBeRestoredWhenNoPauseComesForTheTime()
    {
        shouldDetectAQueueThatIsStoppedWithoutABreak();
        now += 200 * MS;
        assertEquals(Change.NONE, check(true));
        pauses++;
        now += 200 * MS;
        assertEquals(Change.NONE, check(true), "a pause came again");
        now += 299 * MS;
        assertEquals(Change.NONE, check(true));
        now += 1 * MS;
        assertEquals(Change.RESTORED, check(true), "elapsed time counts, not checks");
        assertFalse(watchdog.isStorm());
    }

    @Test
    void shouldDetectTheNextStormAfterTheFullTime()
    {
        shouldBeRestoredWhenNoPauseComesForTheTime();
        stormFor(100);
        assertEquals(Change.NONE, check(true));
        stormFor(100);
        assertEquals(Change.DETECTED, check(true));
    }

    @Test
    void shouldLookOnceInAPeriod()
    {
        assertTrue(watchdog.isDue(now));
        check(true);
        assertFalse(watchdog.isDue(now + 100 * MS - 1));
        assertTrue(watchdog.isDue(now + 100 * MS));
    }

    @Test
    void shouldRefuseTimesOutOfRange()
    {
        assertThrows(IllegalArgumentException.class, () -> new WatchdogSettings(99, 200, 200, StormAction.DROP));
        assertThrows(IllegalArgumentException.class, () -> new WatchdogSettings(100, 5001, 200, StormAction.DROP));
        assertThrows(IllegalArgumentException.class, () -> new WatchdogSettings(100, 200, 60_001, StormAction.DROP));
        assertEquals(StormAction.ALERT, StormAction.of("alert"));
        assertThrows(IllegalArgumentException.class, () -> StormAction.of("reboot"));
    }

    private void stormFor(final int millis)
    {
        now += millis * MS;
        paused += millis * MS;
        pauses++;
    }

    private Change check(final boolean isWaiting)
    {
        return watchdog.check(now, isWaiting, sent, paused, pauses);
    }
}
