package org.fibnuma.ipnuma.endpoint;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two endpoints on two threads write at random to each other while each receives through a port that loses, repeats,
 * reorders and spoils 1 to 10 % of the frames each; {@code -Dfibnuma.soak.seconds=600} makes it as long as one likes.
 */
class EndpointSoakTest
{
    private static final long SECONDS = Long.getLong("fibnuma.soak.seconds", 3);
    private static final int ROUNDS = SECONDS >= 60 ? 10 : 2;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    @Test
    void shouldEndWithWhatWasWritten() throws InterruptedException
    {
        for (int round = 0; round < ROUNDS; round++)
        {
            final int percent = ROUNDS == 1 ? 5 : 1 + round * 9 / (ROUNDS - 1);
            soak(percent, 1_000_000 * SECONDS / ROUNDS, round);
        }
    }

    private static void soak(final int percent, final long micros, final int seed) throws InterruptedException
    {
        final String faults = "loss=%d,dup=%d,reorder=%d,corrupt=%d,on=rx,seed=%d"
            .formatted(percent, percent, percent, percent, seed);
        final String link = "soak-" + ProcessHandle.current().pid();
        try (SoakPeer a = new SoakPeer("fault:" + faults + "/mem:" + link, 1, 2, seed);
            SoakPeer b = new SoakPeer("fault:" + faults + "/mem:" + link + "@far", 2, 1, ~seed))
        {
            final Thread threadOfA = new Thread(a, "soak-a");
            final Thread threadOfB = new Thread(b, "soak-b");
            threadOfA.start();
            threadOfB.start();
            await(micros * 1_000, () -> a.problem != null || b.problem != null);
            a.stopWriting();
            b.stopWriting();
            final boolean isLanded = await(PATIENCE_NS,
                () -> a.problem != null || b.problem != null || a.isLanded() && b.isLanded());
            a.stop();
            b.stop();
            threadOfA.join();
            threadOfB.join();
            System.out.printf("%d %%: %d + %d writes, %d + %d atomics in %.1f s%n",
                percent, a.writes, b.writes, a.answers, b.answers, micros / 1e6);
            assertNull(a.problem);
            assertNull(b.problem);
            assertTrue(isLanded, "not landed");
            assertArrayEquals(a.model, b.memory());
            assertArrayEquals(b.model, a.memory());
            assertEquals(a.atomics, a.answers);
            assertEquals(b.atomics, b.answers);
            assertTrue(a.writes > 1_000 && b.writes > 1_000, a.writes + " and " + b.writes + " writes");
        }
    }

    private static boolean await(final long limitNs, final BooleanSupplier condition) throws InterruptedException
    {
        final long end = System.nanoTime() + limitNs;
        while (System.nanoTime() < end)
        {
            if (condition.getAsBoolean())
            {
                return true;
            }
            Thread.sleep(5);
        }
        return condition.getAsBoolean();
    }
}
