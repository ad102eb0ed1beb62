package org.fibnuma.fibnic.control;

import org.fibnuma.core.service.notify.ServiceNotifications;
import org.fibnuma.core.service.notify.ServiceNotificationsFixture;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ProgressWatchTest
{
    private static final long INTERVAL_NS = 1_000_000_000;

    private final List<String> sent = new ArrayList<>();
    private final ReaderEpochs epochs = new ReaderEpochs();
    private final ReaderEpochs.Reader worker = epochs.register();
    private long nowNs = -5;
    private final ProgressWatch watch = new ProgressWatch(
        ServiceNotificationsFixture.watched(2 * INTERVAL_NS, sent), epochs, () -> nowNs);

    @Test
    void shouldReportOnceInEachInterval()
    {
        for (int cycle = 0; cycle <= 30; cycle++)
        {
            cycle(true);
            nowNs += INTERVAL_NS / 10;
        }
        assertEquals(List.of("WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"), sent);
    }

    @Test
    void shouldReportNothingWhileAWorkerHangs()
    {
        cycle(true);
        for (int cycle = 0; cycle < 5; cycle++)
        {
            nowNs += INTERVAL_NS;
            cycle(false);
        }
        assertEquals(List.of("WATCHDOG=1"), sent, "the second needs a cycle of the worker since the first");
        cycle(true);
        cycle(true);
        assertEquals(List.of("WATCHDOG=1", "WATCHDOG=1"), sent);
    }

    @Test
    void shouldDoNothingWithoutAWatchdog()
    {
        final ProgressWatch unwatched = new ProgressWatch(ServiceNotifications.NONE, epochs, () -> nowNs);
        assertEquals(0, unwatched.poll());
        assertEquals(0, epochs.pending());
    }

    private void cycle(final boolean workerRuns)
    {
        if (workerRuns)
        {
            worker.quiesce();
        }
        epochs.reclaim();
        watch.poll();
    }
}
