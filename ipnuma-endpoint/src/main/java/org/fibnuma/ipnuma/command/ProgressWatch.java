package org.fibnuma.ipnuma.command;

import org.fibnuma.core.service.notify.ServiceNotifications;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reports the progress of an endpoint to the service manager, on a separate thread. The endpoint's thread counts its
 * duty cycles, and each interval in which the count grows is reported. Without a watchdog there is no thread.
 */
final class ProgressWatch implements AutoCloseable
{
    private final ServiceNotifications notifications;
    private final AtomicLong cycles = new AtomicLong();
    private final Thread thread = new Thread(this::run, "watchdog");

    private ProgressWatch(final ServiceNotifications notifications)
    {
        this.notifications = notifications;
    }

    static ProgressWatch start(final ServiceNotifications notifications)
    {
        final ProgressWatch watch = new ProgressWatch(notifications);
        if (notifications.watchdogIntervalNs() > 0)
        {
            watch.thread.setDaemon(true);
            watch.thread.start();
        }
        return watch;
    }

    /** Counts a duty cycle. For the endpoint's thread only. */
    void onCycle()
    {
        cycles.setOpaque(cycles.getPlain() + 1);
    }

    private void run()
    {
        long reported = 0;
        try
        {
            while (true)
            {
                TimeUnit.NANOSECONDS.sleep(notifications.watchdogIntervalNs());
                final long now = cycles.getOpaque();
                if (now != reported)
                {
                    reported = now;
                    notifications.watchdog();
                }
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close()
    {
        thread.interrupt();
    }
}
