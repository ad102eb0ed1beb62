package org.fibnuma.fibnic.control;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.service.notify.ServiceNotifications;
import org.fibnuma.fibnic.fib.ReaderEpochs;

/**
 * Tells the service manager that the router makes progress. {@link #poll} runs on the control thread at the end of a
 * duty cycle without exceptions; a message is due if every worker has ended a duty cycle since the message before. A
 * worker or a control thread that hangs therefore ends the messages, and the service manager restarts the router.
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
