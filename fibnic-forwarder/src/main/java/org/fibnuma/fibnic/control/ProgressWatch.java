package org.fibnuma.fibnic.control;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.service.notify.ServiceNotifications;
import org.fibnuma.fibnic.fib.ReaderEpochs;

/**
 * Notifies the service manager of progress. {@link #poll} runs on the control thread in each duty cycle without
 * exceptions. A message is due if every worker has ended a duty cycle since the last message. If a worker or the
 * control thread hangs, there are no more messages, and the service manager restarts the router.
 */
final class ProgressWatch
{
    private final ServiceNotifications notifications;
    private final ReaderEpochs epochs;
    private final NanoClock clock;
    private final long intervalNs;
    private long nextNs;
    private boolean workersProgressed = true;

    ProgressWatch(final ServiceNotifications notifications, final ReaderEpochs epochs, final NanoClock clock)
    {
        this.notifications = notifications;
        this.epochs = epochs;
        this.clock = clock;
        this.intervalNs = notifications.watchdogIntervalNs();
        this.nextNs = clock.nanoTime();
    }

    /** Sends the message if it is due. Returns 0, because it should not keep the thread awake. */
    int poll()
    {
        if (intervalNs > 0 && workersProgressed && clock.nanoTime() - nextNs >= 0)
        {
            nextNs = clock.nanoTime() + intervalNs;
            workersProgressed = false;
            epochs.retire(() -> workersProgressed = true);
            notifications.watchdog();
        }
        return 0;
    }
}
