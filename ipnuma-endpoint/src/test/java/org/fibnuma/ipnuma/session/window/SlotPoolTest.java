package org.fibnuma.ipnuma.session.window;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SlotPoolTest
{
    private static final int LIMIT = 2 * SlotPool.BLOCK;

    @Test
    void shouldGiveEachSlotOnceUpToItsLimit()
    {
        try (SlotPool pool = new SlotPool(1472, LIMIT))
        {
            assertEquals(SlotPool.BLOCK, pool.size());
            final Set<Long> slots = new HashSet<>();
            for (int i = 0; i < LIMIT; i++)
            {
                final long slot = pool.take();
                assertEquals(0, slot % 64);
                assertTrue(slots.add(slot));
            }
            assertEquals(SlotPool.NONE, pool.take());
            assertEquals(LIMIT, pool.used());
            final long[] sorted = slots.stream().mapToLong(Long::longValue).sorted().toArray();
            for (int i = 1; i < sorted.length; i++)
            {
                assertTrue(sorted[i] - sorted[i - 1] >= pool.stride());
            }
            slots.forEach(pool::give);
            assertEquals(0, pool.used());
            assertFalse(pool.take() == SlotPool.NONE);
            assertEquals(LIMIT, pool.size());
        }
    }

    @Test
    void shouldGiveHalfOfItsLimitWithoutAConnection()
    {
        try (SlotPool pool = new SlotPool(1472, LIMIT))
        {
            final long connected = pool.take();
            for (int i = 1; i < LIMIT / 2; i++)
            {
                assertTrue(pool.takeWaiting() != SlotPool.NONE);
            }
            assertEquals(SlotPool.NONE, pool.takeWaiting());
            pool.give(connected);
            assertTrue(pool.takeWaiting() != SlotPool.NONE);
            for (int i = 0; i < LIMIT / 2; i++)
            {
                assertEquals(SlotPool.NONE, pool.takeWaiting());
                assertTrue(pool.take() != SlotPool.NONE);
            }
            assertEquals(SlotPool.NONE, pool.take());
        }
    }

    @Test
    void shouldUseTheOtherHalfDuringAConnectionOnly()
    {
        try (SlotPool pool = new SlotPool(1472, SlotPool.BLOCK))
        {
            final SendWindow window = new SendWindow(pool, 0);
            assertEquals(SlotPool.BLOCK / 2, fill(window));
            window.onConnected();
            assertEquals(SlotPool.BLOCK / 2, fill(window));
            window.clear();
            assertEquals(SlotPool.BLOCK / 2, fill(window));
        }
    }

    private static int fill(final SendWindow window)
    {
        int count = 0;
        while (window.hasRoom(0) && window.open() != SlotPool.NONE)
        {
            window.append(4, 1);
            count++;
        }
        return count;
    }

    @Test
    void shouldHoldDatagramsOnlyWhileTheyAreNeeded()
    {
        try (SlotPool pool = new SlotPool(1472, LIMIT))
        {
            final SendWindow window = new SendWindow(pool, -2);
            for (int i = 0; i < 4; i++)
            {
                assertEquals(window.open(), window.open(), "the open datagram has one slot");
                window.append(4, 1);
            }
            window.open();
            assertEquals(5, pool.used());
            for (int sequence = -2; sequence < 2; sequence++)
            {
                window.onSent(sequence, 0);
            }
            window.acknowledge(1);
            assertEquals(2, pool.used());
            window.clear();
            assertEquals(0, pool.used());

            final ReceiveWindow received = new ReceiveWindow(pool, 16);
            received.reset(7);
            assertTrue(received.hasMemory(9));
            received.recordExecuted(8);
            received.keep(9, window.open(), 8);
            assertEquals(2, pool.used());
            received.clear();
            assertEquals(1, pool.used());
            assertFalse(received.hasArrived(9));
        }
    }

    @Test
    void shouldTakeAllSlotsBack()
    {
        try (SlotPool pool = new SlotPool(1472, LIMIT))
        {
            for (int i = 0; i < LIMIT; i++)
            {
                pool.take();
            }
            pool.give(4711);
            pool.reclaim();
            assertEquals(0, pool.used());
            final Set<Long> slots = new HashSet<>();
            for (int i = 0; i < LIMIT; i++)
            {
                assertTrue(slots.add(pool.take()));
            }
            assertFalse(slots.contains(4711L));
            assertEquals(LIMIT, pool.size());
        }
    }

    @Test
    void shouldRefuseALimitThatIsNoBlock()
    {
        assertThrows(IllegalArgumentException.class, () -> new SlotPool(1472, 0));
        assertThrows(IllegalArgumentException.class, () -> new SlotPool(1472, SlotPool.BLOCK + 1));
    }
}
