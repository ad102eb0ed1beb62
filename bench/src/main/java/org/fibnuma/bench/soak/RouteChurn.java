package org.fibnuma.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * Changes the routes of the router's kernel after a trace, again and again, and waits after some changes until the
 * router's lookups have them.
 */
final class RouteChurn extends RepeatedLoad
{
    private static final Duration INTERVAL = Duration.ofMillis(100);
    /** With {@link #INTERVAL} 100 changes a second. */
    private static final int CHANGES_A_STEP = 10;
    /** Many lines of a trace repeat the route that there is. */
    private static final int MOST_LINES_A_STEP = 200;
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(30);
    /** From the answer to a lookup until no flow and no packet in the kernel uses the earlier route. */
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final String FORWARD = "forward";

    private final SoakRig rig;
    private final List<RouteTrace.Change> changes;
    private final NextHops nextHops;
    private final ChildProcess ip;
    private final Map<IpPrefix, Integer> destinations = new HashMap<>();
    private final Map<IpPrefix, Integer> routes = new HashMap<>();
    private final Queue<Settling> settling = new ArrayDeque<>();
    private int next;
    private int made;
    private volatile long count;

    /**
     * Creates the load and adds a route by the first next hop for each destination.
     *
     * @param destinations prefixes of the test frames, in the order of their numbers.
     * @param nextHops     of the destinations.
     */
    RouteChurn(
        final SoakRig rig,
        final Lock turn,
        final RouteTrace trace,
        final List<IpPrefix> destinations,
        final NextHops nextHops)
    {
        super("route changes", turn, INTERVAL);
        this.rig = rig;
        this.changes = trace.changes();
        this.nextHops = nextHops;
        this.ip = rig.router().start("ip", "-force", "-batch", "-");
        for (int i = 0; i < destinations.size(); i++)
        {
            this.destinations.put(destinations.get(i), i);
            route(destinations.get(i), 0);
        }
    }

    /** Waits until the router has the routes of all destinations. */
    void awaitAll() throws IOException
    {
        for (final IpPrefix prefix : destinations.keySet())
        {
            awaitRoute(prefix);
        }
    }

    /** Returns the number of changes so far. */
    long count()
    {
        return count;
    }

    @Override
    void step() throws IOException
    {
        final Map<IpPrefix, Integer> changed = new HashMap<>();
        IpPrefix last = null;
        made = 0;
        for (int lines = 0; lines < MOST_LINES_A_STEP && made < CHANGES_A_STEP; lines++)
        {
            final RouteTrace.Change change = changes.get(next);
            next = (next + 1) % changes.size();
            final Integer generation = apply(change);
            if (generation != null)
            {
                last = change.prefix();
                changed.put(last, generation);
            }
        }
        if (last != null)
        {
            awaitRoute(last);
            final long settledNs = System.nanoTime() + SETTLE_NS;
            changed.forEach((prefix, generation) ->
                settling.add(new Settling(settledNs, destinations.get(prefix), generation)));
        }
        while (!settling.isEmpty() && System.nanoTime() - settling.peek().settledNs > 0)
        {
            final Settling settled = settling.remove();
            nextHops.confirm(settled.destination, settled.generation);
        }
    }

    /** Returns the new generation of a changed destination; null if there is none. */
    private Integer apply(final RouteTrace.Change change)
    {
        final IpPrefix prefix = change.prefix();
        final int before = routes.getOrDefault(prefix, NextHops.NONE);
        if (before == change.nextHop())
        {
            return null;
        }
        final Integer destination = destinations.get(prefix);
        final Integer generation = destination == null ? null : nextHops.change(destination, change.nextHop());
        route(prefix, change.nextHop());
        made++;
        count++;
        return generation;
    }

    private void route(final IpPrefix prefix, final int nextHop)
    {
        routes.put(prefix, nextHop);
        ip.send(nextHop == NextHops.NONE ? "route delete " + prefix :
            "route replace " + prefix + " via " + SoakRig.gateway(nextHop, prefix.isIpv6()));
    }

    private void awaitRoute(final IpPrefix prefix) throws IOException
    {
        final int nextHop = nextHops.current(destinations.get(prefix));
        final long startNs = System.nanoTime();
        while (isRunning())
        {
            final JsonNode answer = rig.ask(
                ControlProtocol.request("lookup").put("address", prefix.last().toString()));
            final boolean isForwarded = FORWARD.equals(answer.path("kind").asText());
            if (nextHop == NextHops.NONE ? !isForwarded :
                isForwarded && SoakRig.portOf(nextHop).equals(answer.path("port").asText()))
            {
                return;
            }
            if (System.nanoTime() - startNs > LONGEST_NS)
            {
                throw new IOException(prefix + " has not the next hop " + nextHop + " after 30 s: " + answer);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    @Override
    public void close()
    {
        super.close();
        ip.errors().stream().findFirst().ifPresent(line -> fail("ip: " + line));
        ip.close();
    }

    /** A generation that is confirmed at a time. */
    private record Settling(long settledNs, int destination, int generation)
    {
    }
}
