package org.fibnuma.bench.changes;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.List;

/**
 * A change that is made and undone in turn.
 *
 * @param label       {@code route}, {@code address} or {@code neighbor}.
 * @param make        arguments of {@code ip} that make the change.
 * @param undo        arguments of {@code ip} that undo it.
 * @param destination whose lookup shows the change.
 * @param field       of the answer to the lookup.
 * @param made        value of this field after the change.
 * @param undone      value of this field after it is undone.
 */
record ChangeKind(
    String label, String make, String undo, String destination, String field, String made, String undone)
{
    /** The interface of the router with a neighbour behind it. */
    static final String DEVICE = "r1";
    /** Addresses of {@link #DEVICE}. */
    static final List<String> ADDRESSES = List.of("10.0.1.1/24", "2001:db8:1::1/64");

    private static final String KIND = "kind";
    private static final String NO_ROUTE = "no-route";
    private static final String FIRST_MAC = "02:00:00:00:00:01";
    private static final String SECOND_MAC = "02:00:00:00:00:02";

    /** The changes of IPv4, in the order in which they are measured. */
    static final List<ChangeKind> IPV4 =
        kinds("10.0.1.2", "192.0.2.0/24", "192.0.2.1", "10.0.2.1/24", "10.0.2.1");
    /** The same of IPv6. */
    static final List<ChangeKind> IPV6 =
        kinds("2001:db8:1::2", "2001:db8:77::/48", "2001:db8:77::1", "2001:db8:2::1/64", "2001:db8:2::1");

    /** The neighbour comes first: the route needs its MAC address. */
    private static List<ChangeKind> kinds(
        final String gateway, final String prefix, final String destination, final String network, final String own)
    {
        final String route = prefix + " via " + gateway;
        final String address = network + " dev " + DEVICE;
        return List.of(
            new ChangeKind("neighbor", neighbor(gateway, SECOND_MAC), neighbor(gateway, FIRST_MAC), gateway,
                "destinationMac", SECOND_MAC, FIRST_MAC),
            new ChangeKind(
                "route", "route add " + route, "route delete " + route, destination, KIND, "forward", NO_ROUTE),
            new ChangeKind(
                "address", "address add " + address, "address delete " + address, own, KIND, "local", NO_ROUTE));
    }

    private static String neighbor(final String gateway, final String mac)
    {
        return "neighbor replace " + gateway + " lladdr " + mac + " dev " + DEVICE + " nud permanent";
    }

    boolean isMade(final JsonNode answer)
    {
        return made.equals(answer.path(field).asText());
    }

    boolean isUndone(final JsonNode answer)
    {
        return undone.equals(answer.path(field).asText());
    }
}
