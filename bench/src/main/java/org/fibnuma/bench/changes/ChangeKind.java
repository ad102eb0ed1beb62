package org.fibnuma.bench.changes;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A change that is made and undone in turn.
 *
 * @param label       {@code route}, {@code address}, {@code neighbor} or {@code carrier}.
 * @param place       where {@code ip} makes the change.
 * @param make        arguments of {@code ip} that make the change.
 * @param undo        arguments of {@code ip} that undo it.
 * @param destination whose lookup shows the change.
 * @param field       of the answer to the lookup, as a JSON pointer (RFC 6901).
 * @param made        value of this field after the change.
 * @param undone      value of this field after it is undone.
 */
record ChangeKind(
    String label,
    Place place,
    String make,
    String undo,
    String destination,
    String field,
    String made,
    String undone)
{
    /** The interface of the router with a neighbour behind it. */
    static final String DEVICE = "r1";
    /** Addresses of {@link #DEVICE}. */
    static final List<String> ADDRESSES = List.of("10.0.1.1/24", "2001:db8:1::1/64");
    /** The interface of the router that loses its carrier. */
    static final String SECOND_DEVICE = "r2";
    /** The other end of its link. */
    static final String SECOND_PEER = "h2";
    /** Addresses of {@link #SECOND_DEVICE}. */
    static final List<String> SECOND_ADDRESSES = List.of("10.0.3.1/24", "2001:db8:3::1/64");
    /** Arguments of {@code ip} for neighbours behind {@link #SECOND_DEVICE} and routes that divide flows among both. */
    static final List<String> GROUPS = List.of(
        neighbor("10.0.3.2", SECOND_DEVICE, "02:00:00:00:00:03"),
        neighbor("2001:db8:3::2", SECOND_DEVICE, "02:00:00:00:00:03"),
        "route add 192.0.3.0/24 nexthop via 10.0.1.2 nexthop via 10.0.3.2",
        "route add 2001:db8:78::/48 nexthop via 2001:db8:1::2 nexthop via 2001:db8:3::2");

    /** Linux reports changes of a carrier at most once a second (net/core/link_watch.c of Linux 6.18). */
    private static final long CARRIER_REST_NS = TimeUnit.MILLISECONDS.toNanos(1_100);
    /** With the rest before each, they take less than a minute for each family. */
    private static final int MOST_CARRIER_CHANGES = 40;
    private static final String KIND = "/kind";
    private static final String SECOND_BUCKETS = "/members/1/buckets";
    private static final String ALL_IN_USE = "128";
    private static final String NO_ROUTE = "no-route";
    private static final String FIRST_MAC = "02:00:00:00:00:01";
    private static final String SECOND_MAC = "02:00:00:00:00:02";

    /** The changes of IPv4, in the order in which they are measured. */
    static final List<ChangeKind> IPV4 =
        kinds("10.0.1.2", "192.0.2.0/24", "192.0.2.1", "10.0.2.1/24", "10.0.2.1", "192.0.3.1");
    /** The same of IPv6. */
    static final List<ChangeKind> IPV6 =
        kinds("2001:db8:1::2", "2001:db8:77::/48", "2001:db8:77::1", "2001:db8:2::1/64", "2001:db8:2::1",
            "2001:db8:78::1");

    /** The neighbour comes first: the route needs its MAC address. */
    private static List<ChangeKind> kinds(
        final String gateway,
        final String prefix,
        final String destination,
        final String network,
        final String own,
        final String divided)
    {
        final String route = prefix + " via " + gateway;
        final String address = network + " dev " + DEVICE;
        return List.of(
            new ChangeKind("neighbor", Place.ROUTER, neighbor(gateway, DEVICE, SECOND_MAC),
                neighbor(gateway, DEVICE, FIRST_MAC), gateway, "/destinationMac", SECOND_MAC, FIRST_MAC),
            new ChangeKind("route", Place.ROUTER, "route add " + route, "route delete " + route, destination, KIND,
                "forward", NO_ROUTE),
            new ChangeKind("address", Place.ROUTER, "address add " + address, "address delete " + address, own, KIND,
                "local", NO_ROUTE),
            new ChangeKind("carrier", Place.PEER, "link set " + SECOND_PEER + " down",
                "link set " + SECOND_PEER + " up", divided, SECOND_BUCKETS, "0", ALL_IN_USE));
    }

    /** Returns how many changes of this kind are made of the {@code count} of the option {@code --changes}. */
    int count(final int count)
    {
        return place == Place.PEER ? Math.min(count, MOST_CARRIER_CHANGES) : count;
    }

    /** Returns the time before each change in ns. */
    long restNs()
    {
        return place == Place.PEER ? CARRIER_REST_NS : 0;
    }

    /** The namespace of a change. */
    enum Place
    {
        /** The router's. */
        ROUTER,
        /** That of the hosts at the other ends of its links. */
        PEER
    }

    private static String neighbor(final String gateway, final String device, final String mac)
    {
        return "neighbor replace " + gateway + " lladdr " + mac + " dev " + device + " nud permanent";
    }

    boolean isMade(final JsonNode answer)
    {
        return made.equals(answer.at(field).asText());
    }

    boolean isUndone(final JsonNode answer)
    {
        return undone.equals(answer.at(field).asText());
    }
}
