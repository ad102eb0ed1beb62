package org.fibnuma.fabric.deadlock;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A ring deadlocks on shortest paths and does not on planned tables. */
class RingDemonstrationTest
{
    @ParameterizedTest
    @CsvSource({"4, 1", "4, 2", "4, 4", "8, 2"})
    void shouldStopForEverOnShortestPaths(final int switches, final int capacity)
    {
        final RingDemonstration ring = new RingDemonstration(switches);
        final LosslessNetwork network = ring.run(ring.shortestPaths(), capacity, 10_000);
        assertTrue(network.delivered() < network.sent());
        assertEquals(switches, network.waitingCycle().size());
    }

    @ParameterizedTest
    @CsvSource({"4, 1", "4, 2", "8, 1", "9, 2"})
    void shouldRunThroughWithAPlan(final int switches, final int capacity)
    {
        final RingDemonstration ring = new RingDemonstration(switches);
        final LosslessNetwork network = ring.run(ring.planned(), capacity, 10_000);
        assertEquals(network.sent(), network.delivered());
        assertEquals(List.of(), network.waitingCycle());
    }

    @Test
    void shouldSayWhichBuffersWaitForWhich()
    {
        final RingDemonstration ring = new RingDemonstration(4);
        final List<String> cycle = ring.run(ring.shortestPaths(), 1, 2).waitingCycle();
        assertEquals("buffer of S0 port 2 -> S1 (1 packets, first for H2) waits for buffer of S1 port 3 -> S2",
            cycle.get(0));
    }
}
