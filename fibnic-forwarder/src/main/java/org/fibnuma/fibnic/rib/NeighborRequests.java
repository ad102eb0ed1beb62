package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.wire.IpAddress;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The requests to the kernel to resolve neighbours. If the kernel refuses a request, for example because its table is
 * full, the neighbour is requested again after 1, 2, 4 ... 60 s only: each request to a full table makes the kernel
 * search the table for entries to remove. Control thread.
 */
public final class NeighborRequests
{
    /** As often as the kernel itself repeats a request (retrans_time_ms). */
    static final long FIRST_DELAY_MS = 1000;
    /** Longest time between two requests for the same neighbour. */
    static final long MAX_DELAY_MS = TimeUnit.MINUTES.toMillis(1);
    /** Shortest time between two log lines. */
    static final long LOG_INTERVAL_MS = TimeUnit.MINUTES.toMillis(1);

    /** Most refused neighbours that are stored: a few MB. Others are requested as often as frames need them. */
    private static final int MAX_REFUSED = 16_384;

    private final KernelNetwork kernel;
    private final LinkTable links;
    private final Consumer<String> log;
    private final Map<Neighbor, Refusal> refusals = new HashMap<>();
    private long refused;
    private long logged;
    private long nextLogMs;

    /** Sends requests to a kernel. The links have the names for the log, which gets a line at most once a minute. */
    public NeighborRequests(final KernelNetwork kernel, final LinkTable links, final Consumer<String> log)
    {
        this.kernel = kernel;
        this.links = links;
        this.log = log;
    }

    /** Returns the number of requests that the kernel has refused. */
    public long refused()
    {
        return refused;
    }

    /**
     * Requests the resolution of a neighbour, unless the kernel has refused this a short time ago.
     *
     * @param interfaceIndex kernel's index of the egress interface.
     * @param address        of the neighbour.
     * @param nowMs          from any fixed moment, above 0.
     */
    public void request(final int interfaceIndex, final IpAddress address, final long nowMs)
    {
        final Neighbor neighbor = new Neighbor(interfaceIndex, address);
        final Refusal before = refusals.get(neighbor);
        if (before != null && nowMs < before.nextMs)
        {
            return;
        }
        final String reason = kernel.resolve(interfaceIndex, address);
        if (reason == null)
        {
            refusals.remove(neighbor);
            return;
        }
        refused++;
        final int count = before == null ? 1 : before.count + 1;
        if (before == null && refusals.size() == MAX_REFUSED)
        {
            refusals.values().removeIf(refusal -> nowMs >= refusal.nextMs);
        }
        if (before != null || refusals.size() < MAX_REFUSED)
        {
            refusals.put(neighbor, new Refusal(count, nowMs + delayMs(count)));
        }
        logRefused(interfaceIndex, address, reason, nowMs);
    }

    /** Returns the time in ms until the next request after a number of requests without success, 1 or more. */
    static long delayMs(final int requests)
    {
        return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS << Math.min(requests - 1, Byte.SIZE));
    }

    private void logRefused(final int interfaceIndex, final IpAddress address, final String reason, final long nowMs)
    {
        if (nowMs >= nextLogMs)
        {
            final KernelLink link = links.get(interfaceIndex);
            log.accept("the kernel has refused requests to resolve neighbours: " + (refused - logged) +
                ", the last for " + address + (link == null ? "" : " on " + link.name()) + ": " + reason);
            logged = refused;
            nextLogMs = nowMs + LOG_INTERVAL_MS;
        }
    }

    private record Neighbor(int interfaceIndex, IpAddress address)
    {
    }

    /** A number of refusals in a row, and the time of the next request. */
    private record Refusal(int count, long nextMs)
    {
    }
}
