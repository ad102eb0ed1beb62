package org.fibnuma.core.service.notify;

import org.fibnuma.core.UserException;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Sends the state of this process to the service manager that started it, by the protocol of sd_notify(3). Nothing is
 * sent if {@code $NOTIFY_SOCKET} is not set. Any thread.
 */
public final class ServiceNotifications
{
    /** Sends nothing. */
    public static final ServiceNotifications NONE =
        new ServiceNotifications(null, 0, (socket, datagram, patienceMs) -> false);

    private static final String SOCKET = "NOTIFY_SOCKET";
    private static final String WATCHDOG_USEC = "WATCHDOG_USEC";
    private static final String WATCHDOG_PID = "WATCHDOG_PID";
    /** Longest time in ms to wait for a service manager that does not read its messages. */
    private static final int PATIENCE_MS = 5000;

    private final String socket;
    private final long watchdogIntervalNs;
    private final DatagramSender sender;

    private ServiceNotifications(final String socket, final long watchdogIntervalNs, final DatagramSender sender)
    {
        this.socket = socket;
        this.watchdogIntervalNs = watchdogIntervalNs;
        this.sender = sender;
    }

    /**
     * Returns the notifications of this process, by its environment.
     *
     * @throws UserException with one line for the user if a variable is wrong, or messages are required and cannot be
     * sent.
     */
    public static ServiceNotifications ofThisProcess()
    {
        return of(System.getenv(), ProcessHandle.current().pid(), () ->
            ServiceLoader.load(DatagramSender.class).findFirst().orElseThrow(() -> new UserException(
                SOCKET + " is set, but the dpdk-binding module, which notifies, is not on the class path; add it")));
    }

    /**
     * Returns the notifications by an environment.
     *
     * @param environment variables.
     * @param pid         of this process; the watchdog may be for another one.
     * @param sender      called if messages will be sent.
     * @throws UserException with one line for the user if a variable is wrong.
     */
    static ServiceNotifications of(
        final Map<String, String> environment, final long pid, final Supplier<DatagramSender> sender)
    {
        final String socket = environment.getOrDefault(SOCKET, "");
        if (socket.isEmpty())
        {
            return NONE;
        }
        final boolean isWatched = environment.containsKey(WATCHDOG_USEC) &&
            environment.getOrDefault(WATCHDOG_PID, Long.toString(pid)).equals(Long.toString(pid));
        return new ServiceNotifications(
            socket, isWatched ? watchdogIntervalNs(environment.get(WATCHDOG_USEC)) : 0, sender.get());
    }

    /** Returns half of the service manager's timeout, as sd_watchdog_enabled(3) recommends. */
    private static long watchdogIntervalNs(final String microseconds)
    {
        try
        {
            return TimeUnit.MICROSECONDS.toNanos(Long.parseUnsignedLong(microseconds)) / 2;
        }
        catch (final NumberFormatException ex)
        {
            throw new UserException(
                WATCHDOG_USEC + " is \"" + microseconds + "\"; it must be a number of microseconds", ex);
        }
    }

    /**
     * Reports that the process serves, for the first time or again after {@link #reloading}, with one line for the
     * administrator.
     */
    public void ready(final String status)
    {
        send("READY=1\nSTATUS=" + oneLine(status), PATIENCE_MS);
    }

    /** Reports that the process reads its configuration again and serves meanwhile. */
    public void reloading()
    {
        // System.nanoTime() is CLOCK_MONOTONIC, which the service manager compares with its own.
        send("RELOADING=1\nMONOTONIC_USEC=" + TimeUnit.NANOSECONDS.toMicros(System.nanoTime()), PATIENCE_MS);
    }

    /** Reports that the process ends. */
    public void stopping()
    {
        send("STOPPING=1", PATIENCE_MS);
    }

    /**
     * Reports that the process makes progress; called at least once in {@link #watchdogIntervalNs}. Does not block: a
     * service manager with unread messages needs no further one.
     */
    public void watchdog()
    {
        send("WATCHDOG=1", 0);
    }

    /** Returns the interval of {@link #watchdog} in ns, 0 if the service manager expects no such messages. */
    public long watchdogIntervalNs()
    {
        return watchdogIntervalNs;
    }

    private static String oneLine(final String status)
    {
        return status.replaceAll("\\R", " ");
    }

    private void send(final String message, final int patienceMs)
    {
        if (socket != null)
        {
            // The result does not matter: a service manager that has ended needs no message.
            sender.send(socket, message.getBytes(StandardCharsets.UTF_8), patienceMs);
        }
    }
}
