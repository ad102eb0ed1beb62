package org.fibnuma.core.service.jvmpause;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class JvmPauseTest
{
    private static final String DETAIL = "ZMarkStart";

    @Test
    void shouldBeTheJvmsWhereAllThreadsStood()
    {
        final JvmPause pause = JvmPause.of(1000, 900, 50, 0, 0, true, DETAIL);

        assertEquals(JvmPause.Reason.JVM, pause.reason());
        assertEquals(950, pause.jvmNs());
        assertEquals("jvm: ZMarkStart", pause.text());
    }

    @Test
    void shouldBeTheJvmsWhereItWaitedForAnotherThread()
    {
        assertEquals(JvmPause.Reason.JVM, JvmPause.of(1000, 10, 980, 0, 990, true, DETAIL).reason());
    }

    @Test
    void shouldBeTheMachinesWhereTheThreadItselfKeptTheJvmWaiting()
    {
        final JvmPause pause = JvmPause.of(1000, 10, 980, 985, 0, true, DETAIL);

        assertEquals(JvmPause.Reason.MACHINE, pause.reason());
        assertEquals(10, pause.jvmNs());
    }

    @Test
    void shouldBeTheMachinesWhereTheThreadWaitedForACore()
    {
        assertEquals(JvmPause.Reason.MACHINE, JvmPause.of(1000, 0, 0, 990, 0, true, "").reason());
        assertEquals(JvmPause.Reason.MACHINE, JvmPause.of(1000, 0, 0, 990, 0, false, "").reason());
    }

    @Test
    void shouldBeItsOwnWhereTheThreadRan()
    {
        assertEquals(JvmPause.Reason.OWN, JvmPause.of(1000, 0, 0, 100, 0, true, "").reason());
    }

    @Test
    void shouldSayWhatItCannotKnow()
    {
        assertEquals(JvmPause.Reason.BLOCKED, JvmPause.of(1000, 0, 0, 0, 980, true, "").reason());
        assertEquals(JvmPause.Reason.UNKNOWN, JvmPause.of(1000, 0, 0, 0, 0, false, "").reason());
    }

    @Test
    void shouldNotExceedItsLength()
    {
        final JvmPause pause = JvmPause.of(1000, 900, 900, 5000, 0, true, DETAIL);

        assertEquals(900, pause.jvmNs());
        assertEquals(1000, JvmPause.of(1000, 900, 900, 0, 0, true, DETAIL).jvmNs());
    }
}
