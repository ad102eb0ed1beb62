package org.fibnuma.core.pause;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class PauseTest
{
    private static final String DETAIL = "ZMarkStart";

    @Test
    void shouldBeTheJvmsWhereAllThreadsStood()
    {
        final Pause pause = Pause.of(1000, 900, 50, 0, 0, true, DETAIL);

        assertEquals(Pause.Reason.JVM, pause.reason());
        assertEquals(950, pause.jvmNs());
        assertEquals("jvm: ZMarkStart", pause.text());
    }

    @Test
    void shouldBeTheJvmsWhereItWaitedForAnotherThread()
    {
        assertEquals(Pause.Reason.JVM, Pause.of(1000, 10, 980, 0, 990, true, DETAIL).reason());
    }

    @Test
    void shouldBeTheMachinesWhereTheThreadItselfKeptTheJvmWaiting()
    {
        final Pause pause = Pause.of(1000, 10, 980, 985, 0, true, DETAIL);

        assertEquals(Pause.Reason.MACHINE, pause.reason());
        assertEquals(10, pause.jvmNs());
    }

    @Test
    void shouldBeTheMachinesWhereTheThreadWaitedForACore()
    {
        assertEquals(Pause.Reason.MACHINE, Pause.of(1000, 0, 0, 990, 0, true, "").reason());
        assertEquals(Pause.Reason.MACHINE, Pause.of(1000, 0, 0, 990, 0, false, "").reason());
    }

    @Test
    void shouldBeItsOwnWhereTheThreadRan()
    {
        assertEquals(Pause.Reason.OWN, Pause.of(1000, 0, 0, 100, 0, true, "").reason());
    }

    @Test
    void shouldSayWhatItCannotKnow()
    {
        assertEquals(Pause.Reason.BLOCKED, Pause.of(1000, 0, 0, 0, 980, true, "").reason());
        assertEquals(Pause.Reason.UNKNOWN, Pause.of(1000, 0, 0, 0, 0, false, "").reason());
    }

    @Test
    void shouldNotExceedItsLength()
    {
        final Pause pause = Pause.of(1000, 900, 900, 5000, 0, true, DETAIL);

        assertEquals(900, pause.jvmNs());
        assertEquals(1000, Pause.of(1000, 900, 900, 0, 0, true, DETAIL).jvmNs());
    }
}
