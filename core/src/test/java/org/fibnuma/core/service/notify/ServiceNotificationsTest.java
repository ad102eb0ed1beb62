package org.fibnuma.core.service.notify;

import org.fibnuma.core.UserException;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

class ServiceNotificationsTest
{
    private static final String SOCKET = "@manager";
    private static final long PID = 7;

    private final List<String> sent = new ArrayList<>();
    private final List<Integer> patience = new ArrayList<>();

    @Test
    void shouldSendNothingWithoutASocket()
    {
        for (final Map<String, String> environment :
            List.of(Map.<String, String>of(), Map.of("NOTIFY_SOCKET", "", "WATCHDOG_USEC", "2000000")))
        {
            final ServiceNotifications none = ServiceNotifications.of(environment, PID, () -> fail("a sender"));
            none.ready("serves");
            none.reloading();
            none.watchdog();
            none.stopping();
            assertEquals(0, none.watchdogIntervalNs());
        }
    }

    @Test
    void shouldSendTheMessagesOfTheProtocol()
    {
        final ServiceNotifications notifications = with(Map.of("NOTIFY_SOCKET", SOCKET));
        notifications.ready("forwards\non 2 ports");
        notifications.watchdog();
        notifications.stopping();
        assertEquals(List.of("READY=1\nSTATUS=forwards on 2 ports", "WATCHDOG=1", "STOPPING=1"), sent);
        assertEquals(0, patience.get(1), "a thread that makes progress does not wait for the manager");
        assertTrue(patience.get(0) > 0 && patience.get(2) > 0, patience::toString);
    }

    @Test
    void shouldSendTheTimeOfAReload()
    {
        final long before = TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
        with(Map.of("NOTIFY_SOCKET", SOCKET)).reloading();
        final long after = TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
        assertTrue(sent.get(0).startsWith("RELOADING=1\nMONOTONIC_USEC="), sent::toString);
        final long time = Long.parseLong(sent.get(0).substring(sent.get(0).lastIndexOf('=') + 1));
        assertTrue(before <= time && time <= after, before + " " + time + " " + after);
    }

    @Test
    void shouldReportProgressInHalfOfTheWatchdogsTime()
    {
        assertEquals(TimeUnit.SECONDS.toNanos(15),
            with(Map.of("NOTIFY_SOCKET", SOCKET, "WATCHDOG_USEC", "30000000")).watchdogIntervalNs());
        assertEquals(TimeUnit.SECONDS.toNanos(1), with(Map.of(
            "NOTIFY_SOCKET", SOCKET, "WATCHDOG_USEC", "2000000", "WATCHDOG_PID", "7")).watchdogIntervalNs());
        assertEquals(0, with(Map.of("NOTIFY_SOCKET", SOCKET)).watchdogIntervalNs());
    }

    @Test
    void shouldLeaveTheWatchdogOfAnotherProcess()
    {
        assertEquals(0, with(Map.of(
            "NOTIFY_SOCKET", SOCKET, "WATCHDOG_USEC", "2000000", "WATCHDOG_PID", "8")).watchdogIntervalNs());
    }

    @Test
    void shouldRefuseAWrongTime()
    {
        final UserException ex = assertThrows(UserException.class,
            () -> with(Map.of("NOTIFY_SOCKET", SOCKET, "WATCHDOG_USEC", "soon")));
        assertEquals("WATCHDOG_USEC is \"soon\"; it must be a number of microseconds", ex.getMessage());
    }

    private ServiceNotifications with(final Map<String, String> environment)
    {
        return ServiceNotifications.of(environment, PID, () -> (socket, datagram, patienceMs) ->
        {
            assertEquals(SOCKET, socket);
            patience.add(patienceMs);
            return sent.add(new String(datagram, StandardCharsets.UTF_8));
        });
    }
}
