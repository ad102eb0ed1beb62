package org.fibnuma.bench.fuzz;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.table.Region;
import org.junit.jupiter.api.Test;

import java.util.concurrent.ThreadLocalRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** With bounds checks on, so that a read beyond a datagram fails too. */
class FuzzRunTest
{
    private static final long DATAGRAMS = Long.getLong("fibnuma.fuzz.datagrams", 400_000);

    @Test
    void shouldTouchNothingThatIsNotGiven()
    {
        assertTrue(FrameMemory.BOUNDS_CHECKS);
        final long seed = ThreadLocalRandom.current().nextLong();
        try (FuzzRun run = new FuzzRun(seed))
        {
            final FuzzResult result = run.run(DATAGRAMS);

            assertNull(result.violation(), "seed " + seed);
            assertTrue(result.count("seal", "taken") > DATAGRAMS / 80, result.toMap().toString());
            assertTrue(result.count("seal", "refused") > DATAGRAMS / 80, result.toMap().toString());
            for (final String format : new String[]{"fibnuma", "ipnuma-10g", "ipnuma-1g", "nettlp"})
            {
                assertTrue(result.count(format, "taken") > DATAGRAMS / 80, format + " " + result.toMap());
                assertTrue(result.count(format, "refused") > DATAGRAMS / 80, format + " " + result.toMap());
                assertTrue(result.count("endpoint " + format, "taken") > DATAGRAMS / 80, result.toMap().toString());
            }
        }
    }

    @Test
    void shouldFindAByteThatChanged()
    {
        try (FuzzArena arena = new FuzzArena())
        {
            final long open = arena.regions.region(3).address();
            final long readOnly = arena.regions.region(2).address();
            FrameMemory.putByte(open, 1);
            assertEquals(-1, arena.changed(FuzzArena.KNOWN_SOURCE, false));
            FrameMemory.putByte(open, 2);
            assertEquals(3 * FuzzArena.BLOCK, arena.changed(FuzzArena.UNKNOWN_SOURCE, true));
            assertEquals(-1, arena.changed(FuzzArena.KNOWN_SOURCE, true));
            FrameMemory.putByte(open + arena.regions.region(3).length(), 0);
            assertEquals(3 * FuzzArena.BLOCK + 4000, arena.changed(FuzzArena.KNOWN_SOURCE, true) & -8);
            FrameMemory.putByte(open + arena.regions.region(3).length(), FuzzArena.SECRET);
            FrameMemory.putByte(readOnly + 9, 3);
            assertEquals(2 * FuzzArena.BLOCK + 8, arena.changed(FuzzArena.KNOWN_SOURCE, true));
        }
    }

    @Test
    void shouldFindASecretThatIsTold()
    {
        try (FuzzArena arena = new FuzzArena())
        {
            final Region open = arena.regions.region(3);
            assertTrue(FuzzArena.isLeak(open.address() + open.length(), 16));
            assertEquals(false, FuzzArena.isLeak(open.address(), 4000));
        }
    }
}
