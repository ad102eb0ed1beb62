package org.fibnuma.core.agent;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CountDownLatch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
class ThreadEndTest
{
    /** The thread ends only after the interrupted caller waits again, which it would not do if it gave up. */
    @Test
    void shouldWaitOnAfterAnInterruptAndKeepIt() throws InterruptedException
    {
        final CountDownLatch end = new CountDownLatch(1);
        final Thread awaited = new Thread(() -> awaitLatch(end));
        final boolean[] seen = new boolean[2];
        final Thread caller = new Thread(() ->
        {
            Thread.currentThread().interrupt();
            ThreadEnd.await(awaited);
            seen[0] = awaited.isAlive();
            seen[1] = Thread.currentThread().isInterrupted();
        });
        awaited.start();
        caller.start();
        while (caller.getState() != Thread.State.WAITING || caller.isInterrupted())
        {
            assertTrue(caller.isAlive(), "returned before the awaited thread ended");
            Thread.sleep(1);
        }
        end.countDown();
        caller.join();
        assertFalse(seen[0]);
        assertTrue(seen[1]);
    }

    @Test
    void shouldReturnForAThreadThatWasNeverStarted()
    {
        ThreadEnd.await(new Thread(() -> { }));
        assertFalse(Thread.currentThread().isInterrupted());
    }

    private static void awaitLatch(final CountDownLatch latch)
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
