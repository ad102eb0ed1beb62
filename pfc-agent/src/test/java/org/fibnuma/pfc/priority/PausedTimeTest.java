package org.fibnuma.pfc.priority;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Elapsed time of pauses at 1 Gb/s, where 1,000 quanta are 512,000 ns. */
class PausedTimeTest
{
    private final PausedTime time = new PausedTime(1_000_000_000L);

    @Test
    void shouldStopExactlyWhatWasNamedUntilTheTimeIsOver()
    {
        time.onPause(3, 1_000, -10);
        assertEquals(1 << 3, time.stopped(-10));
        assertEquals(1 << 3, time.stopped(511_989));
        assertEquals(0, time.stopped(511_990));
        assertEquals(512_000, time.totalNs(3, 2_000_000));
        assertEquals(0, time.totalNs(4, 2_000_000));
    }

    @Test
    void shouldNotCountRenewalsTwice()
    {
        time.onPause(3, 1_000, 0);
        time.onPause(3, 1_000, 400_000);
        assertEquals(912_000, time.totalNs(3, 5_000_000));
        assertEquals(1, time.transitions(3));
    }

    @Test
    void shouldEndEarly()
    {
        time.onPause(3, 65_535, 0);
        time.onPause(5, 65_535, 0);
        time.onPause(3, 0, 1_000);
        assertEquals(1 << 5, time.stopped(1_000));
        assertEquals(1_000, time.totalNs(3, 2_000));
        assertEquals(2_000, time.totalNs(5, 2_000));
    }

    @Test
    void shouldTakeTheShorterTimeOfALaterFrame()
    {
        time.onPause(3, 65_535, 0);
        time.onPause(3, 1, 1_000);
        assertEquals(0, time.stopped(1_512));
        assertEquals(1_512, time.totalNs(3, 9_999));
    }

    @Test
    void shouldCountAPauseAfterItsEndAsANewOne()
    {
        time.onPause(3, 1, 0);
        time.onPause(3, 1, 600);
        assertEquals(2, time.transitions(3));
        assertEquals(1_024, time.totalNs(3, 9_999));
        time.onPause(3, 0, 10_000);
        assertEquals(1_024, time.totalNs(3, 10_000), "an end without a pause is nothing");
    }
}
