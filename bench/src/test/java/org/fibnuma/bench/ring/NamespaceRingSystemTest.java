package org.fibnuma.bench.ring;

import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.fabric.deadlock.RingDemonstration;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Four router processes in namespaces stop for ever, or forward everything. */
@Tag("slow")
@NamespaceTest
class NamespaceRingSystemTest
{
    private static final int MILLIS = 2000;
    private static final int SETTLING = 4;

    @Test
    void shouldStopForEverOnShortestPaths()
    {
        final RingDemonstration ring = new RingDemonstration(4, 2);
        final ForwardingTables tables = ring.shortestPaths();
        try (NamespaceRing routers = NamespaceRing.open(ring, tables))
        {
            routers.congest();
            RingRun before = RingRun.of(routers, tables.fabric(), MILLIS);
            RingRun run = RingRun.of(routers, tables.fabric(), MILLIS);
            // Below its mark, a buffer lets the last pause expire and fills again.
            for (int i = 0; i < SETTLING && run.sent() + run.delivered() > before.sent() + before.delivered(); i++)
            {
                before = run;
                run = RingRun.of(routers, tables.fabric(), MILLIS);
            }
            assertEquals(before.delivered(), run.delivered(), "nothing arrives any more");
            assertEquals(before.sent(), run.sent(), "since nobody may send any more");
            assertEquals(4, run.waiting().size(), run.toString());
            assertEquals(0, run.dropped(), run.toString());
            assertTrue(run.delivered() < run.sent(), run.toString());
        }
    }

    @Test
    void shouldRunThroughWithAPlan()
    {
        final RingDemonstration ring = new RingDemonstration(4, 2);
        final ForwardingTables tables = ring.planned();
        try (NamespaceRing routers = NamespaceRing.open(ring, tables))
        {
            routers.congest();
            final RingRun run = RingRun.of(routers, tables.fabric(), MILLIS);
            assertEquals(0, run.dropped(), run.toString());
            assertEquals(List.of(), run.waiting());
            final long missing = run.sent() - run.delivered();
            assertTrue(run.delivered() > 0, run.toString());
            assertTrue(missing <= routers.lostOnTheWay(),
                () -> missing + " missing, lost on the way " + routers.lostOnTheWay() + ": " + run);
        }
    }
}
