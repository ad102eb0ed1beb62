package org.fibnuma.bench.report;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.Arrays;
import java.util.List;

/**
 * The thesis's estimate of section 6.6. The time of a GET is the sum of the application's, of the ping-pong's round
 * trip between the hosts, and of a round trip through the routers. The application's time is a GET over sockets less
 * the sockets' round trip. Times are in ns.
 */
final class MemcachedEstimate
{
    /** Lengths of the data in bytes. */
    static final int[] SIZES = {16, 32, 64, 128, 256, 512};
    /** In the order of the thesis's tables; the first is what the others are compared with. */
    static final List<Combination> COMBINATIONS = List.of(
        new Combination("udp", "kernel"), new Combination("udp", "fibnuma"),
        new Combination("xdp", "kernel"), new Combination("xdp", "fibnuma"));
    /** Server whose time has the application's. */
    static final String SOCKETS = "memcached, UDP, veth";

    private final JsonNode memcached;
    private final JsonNode pingPong;
    private final JsonNode forwarding;

    /**
     * Hosts and routers.
     *
     * @param transport of the hosts.
     * @param router    on the way.
     */
    record Combination(String transport, String router)
    {
        String name()
        {
            return (transport.equals("xdp") ? "IP-NUMA" : "sockets") + " and " + router;
        }
    }

    /**
     * Creates the estimate from results of {@code bench memcached}, {@code bench pingpong} and {@code bench rfc2544}.
     */
    MemcachedEstimate(final JsonNode memcached, final JsonNode pingPong, final JsonNode forwarding)
    {
        this.memcached = memcached;
        this.pingPong = pingPong;
        this.forwarding = forwarding;
    }

    /** Returns the round trip between the hosts without a router. */
    double hosts(final Combination combination)
    {
        return ThesisRoundTrip.ns(pingPong, combination.transport, 0, combination.router);
    }

    /** Returns the round trip through a number of routers. */
    double network(final Combination combination, final int routers)
    {
        return 2 * routers * ThesisForwarding.delayNs(forwarding, combination.router);
    }

    /** Returns the time of the application by the length of the data. */
    double[] application()
    {
        final double sockets = hosts(COMBINATIONS.get(0));
        return Arrays.stream(bySize(Rows.of(memcached.path("results")).where("server", SOCKETS)
            .where("routers", 0), "/getBestNs"))
            .map(ns -> Math.max(0, ns - sockets)).toArray();
    }

    /** Returns the estimated time of a GET by the length of the data. */
    double[] get(final Combination combination, final int routers)
    {
        final double way = hosts(combination) + (routers == 0 ? 0 : network(combination, routers));
        return Arrays.stream(application()).map(ns -> ns + way).toArray();
    }

    /** Returns numbers of rows by the length of the data; NaN for a length that was not measured. */
    static double[] bySize(final Rows rows, final String pointer)
    {
        return Arrays.stream(SIZES).mapToDouble(size -> rows.where("bytes", size).number(pointer)).toArray();
    }
}
