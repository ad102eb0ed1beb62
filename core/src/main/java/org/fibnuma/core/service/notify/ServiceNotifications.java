package org.fibnuma.core.service.notify;

import org.fibnuma.core.UserException;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Tells the service manager that started this process what it does, by the protocol of sd_notify(3). Nothing is sent
 * where {@code $NOTIFY_SOCKET} is not set. Any thread.
 */
public final class ServiceNotifications
{
    /** Sends nothing. */
    public static final ServiceNotifications NONE =
        new ServiceNotifications(null, 0, (socket, datagram, patienceMs) -> false);

    private static final String SOCKET = "NOTIFY_SOCKET";
    private static final String WATCHDOG_USEC = "WATCHDOG_USEC";
    private static final String WATCHDOG_PID = "WATCHDOG_PID";
    /** Longest time to wait for a service manager that does not read its messages. */
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
     * Returns the notifications of this process, as its environment wants them.
     *
     * @throws UserException with one line for the user where the environment wants them and they cannot be sent.
     */
    public static ServiceNotifications ofThisProcess()
    {
        return of(System.getenv(), ProcessHandle.current().pid(), () ->
            ServiceLoader.load(DatagramSender.class).findFirst().orElseThrow(() -> new UserException(
                SOCKET + " is set, but the dpdk-binding module, which notifies, is not on the class path; add it")));
    }

    /**
     * Returns the notifications that an environment wants.
     *
     * @param environment variables.
     * @param pid         of this process; the watchdog may be meant for another one.
     * @param sender      called where something will be sent.
     * @throws UserException with one line for the user where a variable is wrong.
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

    /** Half of the time after which the service manager ends a process, as sd_watchdog_enabled(3) recommends. */
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
     * The process serves: for the first time, or again after {@link #reloading}.
     *
     * @param status one line for the administrator.
     */
    public void ready(final String status)
    {
        send("READY=1\nSTATUS=" + oneLine(status), PATIENCE_MS);
    }

    /** The process reads its configuration again, and serves meanwhile. */
    public void reloading()
    {
        // System.nanoTime() is CLOCK_MONOTONIC, which the service manager compares with its own.
        send("RELOADING=1\nMONOTONIC_USEC=" + TimeUnit.NANOSECONDS.toMicros(System.nanoTime()), PATIENCE_MS);
    }

    /** The process ends, because it was told to or by itself. */
    public void stopping()
    {
        send("STOPPING=1", PATIENCE_MS);
    }

    /**
     * The process makes progress; at least once in {@link #watchdogIntervalNs}. Does not block: a service manager that
     * has not read the messages before it needs no other one.
     */
    public void watchdog()
    {
        send("WATCHDOG=1", 0);
    }

    /** Returns the interval of {@link #watchdog} in ns, 0 where the service manager expects none. */
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
            // A service manager that is gone needs no message.
            sender.send(socket, message.getBytes(StandardCharsets.UTF_8), patienceMs);
        }
    }
}
