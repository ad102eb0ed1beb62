package org.fibnuma.core.service.notify;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Notifications that a test reads. */
public final class ServiceNotificationsFixture
{
    private ServiceNotificationsFixture()
    {
    }

    /**
     * Returns notifications of a process that a watchdog ends after a time.
     *
     * @param watchdogNs time of the watchdog in ns, whole microseconds.
     * @param sent       receives every message, on the thread that sends it.
     */
    public static ServiceNotifications watched(final long watchdogNs, final List<String> sent)
    {
        return ServiceNotifications.of(
            Map.of("NOTIFY_SOCKET", "@test",
                "WATCHDOG_USEC", Long.toString(TimeUnit.NANOSECONDS.toMicros(watchdogNs))),
            0, () -> (socket, datagram, patienceMs) -> sent.add(new String(datagram, StandardCharsets.UTF_8)));
    }
}
