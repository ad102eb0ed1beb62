package org.fibnuma.core.service.jvmpause;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SafepointLogTest
{
    @Test
    void shouldReadTheLinesOfJava17()
    {
        assertEquals(
            new Safepoint("ZMarkStart", 874480179722L - 21863, 874480179722L - 21863 + 3776, 874480179722L,
                874480179722L),
            SafepointLog.parse("[874480179722ns] Safepoint \"ZMarkStart\", Time since last: 35887649 ns, " +
                "Reaching safepoint: 3776 ns, Cleanup: 5007 ns, At safepoint: 13080 ns, Total: 21863 ns"));
    }

    @Test
    void shouldReadTheLinesOfJava25()
    {
        assertEquals(
            new Safepoint("ThreadDump", 892367449672L - 127161, 892367449672L - 127161 + 44938,
                892367449672L - 7231, 892367449672L),
            SafepointLog.parse("[892367449672ns] Safepoint \"ThreadDump\", Time since last: 2253592 ns, " +
                "Reaching safepoint: 44938 ns, At safepoint: 74992 ns, Leaving safepoint: 7231 ns, " +
                "Total: 127161 ns, Threads: 0 runnable, 10 total"));
    }

    @Test
    void shouldIgnoreOtherLines()
    {
        assertNull(SafepointLog.parse("[892367449672ns] something else"));
        assertNull(SafepointLog.parse(""));
    }

    @Test
    void shouldTellTheSafepointsOfThisJvm() throws InterruptedException
    {
        final SafepointLog log = SafepointLog.open();
        assertNotNull(log, "a HotSpot JVM has VM.log");
        try (log)
        {
            final List<Safepoint> seen = new ArrayList<>();
            for (int round = 0; round < 600; round++)
            {
                final long before = System.nanoTime();
                Thread.getAllStackTraces();
                for (int i = 0; i < 100 && seen.stream().noneMatch(it -> isThreadDumpSince(it, before)); i++)
                {
                    Thread.sleep(10);
                    assertTrue(log.poll(seen::add));
                }
                assertTrue(
                    seen.stream().anyMatch(it -> isThreadDumpSince(it, before)), "round " + round + ": " + seen);
                seen.clear();
            }
        }
    }

    private static boolean isThreadDumpSince(final Safepoint safepoint, final long momentNs)
    {
        return safepoint.operation().equals("ThreadDump") && safepoint.startNs() - momentNs >= 0 &&
            safepoint.endNs() - System.nanoTime() <= 0 && safepoint.reachedNs() >= safepoint.startNs();
    }
}
