package org.fibnuma.binding.libc;

import org.fibnuma.core.agent.ThreadPinning;
import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AffinityPinningTest
{
    @Test
    void shouldPinOnlyTheCallingThread() throws InterruptedException
    {
        final long before = affinity();
        final int core = Long.numberOfTrailingZeros(before);
        final AtomicLong inside = new AtomicLong();
        final Thread thread = new Thread(() ->
        {
            assertTrue(ThreadPinning.load().pinCurrentThread(core));
            inside.set(affinity());
        });
        thread.start();
        thread.join();

        assertEquals(1L << core, inside.get());
        assertEquals(before, affinity());
    }

    @Test
    void shouldSayThatThereIsNoSuchCore()
    {
        assertInstanceOf(AffinityPinning.class, ThreadPinning.load());
        assertFalse(ThreadPinning.load().pinCurrentThread(1023));
        assertFalse(ThreadPinning.load().pinCurrentThread(1024));
        assertFalse(ThreadPinning.load().pinCurrentThread(-5));
    }

    private static long affinity()
    {
        try (StructMemory mask = new StructMemory(128))
        {
            assertTrue(LibC.get().sched_getaffinity(0, 128, mask.address()) >= 0);
            return mask.getLong(0);
        }
    }
}
