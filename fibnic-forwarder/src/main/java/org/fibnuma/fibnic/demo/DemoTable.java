package org.fibnuma.fibnic.demo;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableGenerator;
import org.fibnuma.fibnic.routes.RouteTables;

import java.nio.file.Path;
import java.util.Random;

/**
 * A generated routing table with the prefix lengths of the Internet. Its first next hop is the right host, which
 * answers. The others have MAC addresses that no host has, for traffic that is only counted.
 */
final class DemoTable
{
    /** Number of next hops, as of a router with some transit providers. */
    static final int NEXT_HOPS = 4;

    /** Number of the next hop that answers, in the generated table. */
    static final int ANSWERING = RouteTableGenerator.FIRST_NEXT_HOP;

    private static final long SEED = 2023;
    private static final int SAMPLED_LENGTH = 24;

    private final RouteList routes;

    DemoTable(final int routeCount)
    {
        this.routes = new RouteTableGenerator(NEXT_HOPS, SEED).generate(routeCount);
    }

    int size()
    {
        return routes.size();
    }

    void write(final Path file)
    {
        RouteTables.write(routes, file);
    }

    /** Returns the MAC address of a next hop other than the answering one. */
    static String macOfSink(final int nextHop)
    {
        return String.format("02:00:00:00:01:%02x", nextHop - ANSWERING);
    }

    /**
     * Returns addresses from the /24s of the whole table. Hardly any prefix is longer, so that the next hop of such a
     * route is the next hop of its addresses.
     *
     * @param count     number of addresses.
     * @param answering true for routes by the answering next hop, false for routes by any other.
     */
    int[] addresses(final int count, final boolean answering)
    {
        final Random random = new Random(SEED);
        final int[] addresses = new int[count];
        int found = 0;
        while (found < count)
        {
            final int index = random.nextInt(routes.size());
            if (routes.length(index) == SAMPLED_LENGTH && routes.nextHop(index) == ANSWERING == answering)
            {
                addresses[found++] = routes.prefix(index) | 1 + random.nextInt(254);
            }
        }
        return addresses;
    }

    /** Returns the IPv4 address of a next hop as text. */
    static String nextHop(final int index)
    {
        return Ipv4Address.format(ANSWERING + index);
    }
}
