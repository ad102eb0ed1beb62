package org.fibnuma.core.service.jvmpause;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.EnumSet;
import java.util.function.Predicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Real stops of a real thread; other work on the machine may add stops, so that each cause gets many chances. */
class JvmPauseWatcherTest
{
    private static final int CHANCES = 100;
    private static final long BURN_NS = 50_000_000;
    private static final long SLEEP_MS = 200;

    private final JvmPauseWatcher watcher = JvmPauseWatcher.start(Throwable::printStackTrace);
    private volatile Runnable nextCycle = () -> { };
    private volatile WatchedLoop loop;
    private volatile boolean ended;
    private final Thread thread = new Thread(this::run, "watched");

    @AfterEach
    void end() throws InterruptedException
    {
        ended = true;
        thread.join();
        watcher.close();
    }

    @Test
    void shouldTellStopsForACollection() throws InterruptedException
    {
        start();
        assertSeen(System::gc, pauses -> isCollection(pauses.longestByJvm()));

        final Safepoints safepoints = watcher.safepoints();
        assertTrue(safepoints.count() > 0);
        assertTrue(safepoints.longestNs() > 0);
    }

    @Test
    void shouldTellOwnLongCycles() throws InterruptedException
    {
        start();
        // On a machine with other work, waiting for a core takes the larger part of every cycle.
        assertSeen(
            () -> nextCycle = JvmPauseWatcherTest::burn,
            pauses -> pauses.longest().lengthNs() >= BURN_NS &&
                EnumSet.of(JvmPause.Reason.OWN, JvmPause.Reason.MACHINE).contains(pauses.longest().reason()));
    }

    @Test
    void shouldTellThatAThreadWasBlocked() throws InterruptedException
    {
        start();
        assertSeen(
            () -> nextCycle = JvmPauseWatcherTest::sleep,
            pauses -> pauses.longest().reason() == JvmPause.Reason.BLOCKED);
    }

    @Test
    void shouldForgetOnRequest() throws InterruptedException
    {
        start();
        assertSeen(() -> nextCycle = JvmPauseWatcherTest::sleep, pauses -> pauses.count() > 0);
        ended = true;
        thread.join();
        watcher.restart();
        watcher.settle();

        final JvmPauses pauses = loop.pauses().get();
        assertEquals(new JvmPauses(0, 0, JvmPause.NONE, JvmPause.NONE, 0, pauses.coreNs()), pauses);
        assertTrue(pauses.coreNs() > 0, "the time on a core is that since the start");
    }

    private static boolean isCollection(final JvmPause pause)
    {
        return pause.jvmNs() > 0 && pause.detail().contains(": System.gc()");
    }

    private void assertSeen(final Runnable cause, final Predicate<JvmPauses> effect)
    {
        JvmPauses pauses = null;
        for (int i = 0; i < CHANCES; i++)
        {
            watcher.restart();
            cause.run();
            watcher.settle();
            watcher.settle();
            pauses = loop.pauses().get();
            if (effect.test(pauses))
            {
                return;
            }
        }
        throw new AssertionError("never seen; at last " + pauses);
    }

    private void start() throws InterruptedException
    {
        thread.start();
        while (loop == null || !watcher.safepoints().known())
        {
            Thread.sleep(1);
        }
    }

    private void run()
    {
        final WatchedLoop watched = watcher.watchCurrentThread(0);
        loop = watched;
        while (!ended)
        {
            final Runnable cycle = nextCycle;
            nextCycle = () -> { };
            cycle.run();
            watched.meter().alive(System.nanoTime(), 1);
        }
    }

    private static void burn()
    {
        final long start = System.nanoTime();
        while (System.nanoTime() - start < BURN_NS)
        {
            Thread.onSpinWait();
        }
    }

    private static void sleep()
    {
        try
        {
            Thread.sleep(SLEEP_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
