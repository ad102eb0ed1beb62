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
        look(true);
        stormFor(100);
        assertEquals(Change.NONE, look(true));
        stormFor(100);
        assertEquals(Change.DETECTED, look(true));
        assertTrue(watchdog.isStorm());
    }

    @Test
    void shouldNotTakeASlowPeerForAStorm()
    {
        look(true);
        for (int i = 0; i < 20; i++)
        {
            stormFor(100);
            sent++;
            assertEquals(Change.NONE, look(true));
        }
    }

    @Test
    void shouldNotSeeAStormWhereNothingWaits()
    {
        look(false);
        for (int i = 0; i < 20; i++)
        {
            stormFor(100);
            assertEquals(Change.NONE, look(false));
        }
    }

    @Test
    void shouldAskForNinetyNinePercent()
    {
        look(true);
        for (int i = 0; i < 20; i++)
        {
            now += 100 * MS;
            paused += 98 * MS;
            pauses++;
            assertEquals(Change.NONE, look(true));
        }
        for (int i = 0; i < 2; i++)
        {
            now += 100 * MS;
            paused += 99 * MS;
            look(true);
        }
        assertTrue(watchdog.isStorm());
    }

    @Test
    void shouldBeRestoredWhenNoPauseComesForTheTime()
    {
        shouldDetectAQueueThatIsStoppedWithoutABreak();
        now += 200 * MS;
        assertEquals(Change.NONE, look(true));
        pauses++;
        now += 200 * MS;
        assertEquals(Change.NONE, look(true), "a pause came again");
        now += 299 * MS;
        assertEquals(Change.NONE, look(true));
        now += 1 * MS;
        assertEquals(Change.RESTORED, look(true), "elapsed time counts, not looks");
        assertFalse(watchdog.isStorm());
    }

    @Test
    void shouldDetectTheNextStormAfterTheFullTime()
    {
        shouldBeRestoredWhenNoPauseComesForTheTime();
        stormFor(100);
        assertEquals(Change.NONE, look(true));
        stormFor(100);
        assertEquals(Change.DETECTED, look(true));
    }

    @Test
    void shouldLookOnceInAPeriod()
    {
        assertTrue(watchdog.isDue(now));
        look(true);
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

    private Change look(final boolean isWaiting)
    {
        return watchdog.look(now, isWaiting, sent, paused, pauses);
    }
}
