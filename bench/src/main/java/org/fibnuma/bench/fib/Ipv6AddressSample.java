package org.fibnuma.bench.fib;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;
import org.fibnuma.fibnic.routes.Ipv6RouteList;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random IPv6 destinations, the same for the same random numbers. Used by one thread. */
public final class Ipv6AddressSample
{
    private final SplittableRandom random;
    private final Ipv6RouteList table;

    /**
     * Creates a generator.
     *
     * @param table  with one route or more.
     * @param random source of the random numbers.
     */
    public Ipv6AddressSample(final Ipv6RouteList table, final SplittableRandom random)
    {
        this.random = random;
        this.table = table;
    }

    /** Returns a random host of a random route. */
    Ipv6Address ofRoute()
    {
        final Ipv6Prefix prefix = table.prefix(random.nextInt(table.size()));
        return new Ipv6Address(
            prefix.high() | random.nextLong() & ~Ipv6Address.maskHigh(prefix.length()),
            prefix.low() | random.nextLong() & ~Ipv6Address.maskLow(prefix.length()));
    }

    /**
     * Returns addresses of routed traffic that a router forwards to a next hop: each a random host of a random route,
     * possibly repeated, except addresses that no packet on its way may have (RFC 4291 sections 2.5 to 2.7) and those
     * of {@link NextHopNetwork}.
     *
     * @param count of addresses.
     * @return the addresses.
     * @throws UserException if more than half of the addresses in the table's routes are such exceptions.
     */
    public Ipv6Address[] ofTransit(final int count)
    {
        final List<Ipv6Address> addresses = new ArrayList<>();
        for (int i = 0; i < AddressSample.ATTEMPTS * count && addresses.size() < count; i++)
        {
            final Ipv6Address address = ofRoute();
            if (isTransit(address))
            {
                addresses.add(address);
            }
        }
        if (addresses.size() < count)
        {
            throw AddressSample.tooFew("IPv6");
        }
        return addresses.toArray(new Ipv6Address[0]);
    }

    private static boolean isTransit(final Ipv6Address address)
    {
        return !address.isMulticast() && !address.isLinkLocal() && !address.isUnspecified() &&
            !address.isLoopback() && !address.isIpv4Mapped() && !NextHopNetwork.contains(address.high());
    }
}
