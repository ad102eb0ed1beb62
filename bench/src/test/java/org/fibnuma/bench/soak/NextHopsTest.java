package org.fibnuma.bench.soak;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NextHopsTest
{
    private final NextHops nextHops = new NextHops(2);

    @Test
    void shouldPermitBothNextHopsUntilAChangeIsConfirmed()
    {
        final int generation = nextHops.change(1, 1);

        assertTrue(nextHops.permits(1, nextHops.confirmed(1), 0));
        assertTrue(nextHops.permits(1, nextHops.confirmed(1), 1));

        nextHops.confirm(1, generation);
        assertFalse(nextHops.permits(1, nextHops.confirmed(1), 0), "sent after the change was confirmed");
        assertTrue(nextHops.permits(1, nextHops.confirmed(1), 1));
        assertTrue(nextHops.permits(1, 0, 0), "sent before");
    }

    @Test
    void shouldFindAFrameAtANextHopThatItsDestinationNeverHad()
    {
        assertFalse(nextHops.permits(0, 0, 1));
    }

    @Test
    void shouldFindAFrameThatArrivesWithoutARoute()
    {
        nextHops.confirm(0, nextHops.change(0, NextHops.NONE));

        assertFalse(nextHops.permits(0, nextHops.confirmed(0), 0));
        assertEquals(NextHops.NONE, nextHops.current(0));
        assertEquals(List.of(0, NextHops.NONE), nextHops.since(0, 0));
    }

    @Test
    void shouldKeepDestinationsApart()
    {
        nextHops.confirm(0, nextHops.change(0, 1));

        assertTrue(nextHops.permits(1, nextHops.confirmed(1), 0));
        assertFalse(nextHops.permits(1, nextHops.confirmed(1), 1));
    }

    @Test
    void shouldPermitWhatIsOlderThanAllKeptGenerations()
    {
        for (int i = 0; i < 1000; i++)
        {
            nextHops.change(0, 1);
        }

        assertTrue(nextHops.permits(0, 0, 0));
        assertFalse(nextHops.permits(0, 999, 0));
    }
}
