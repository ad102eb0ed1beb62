package org.fibnuma.fibnic.demo;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.Ipv6RouteTableGenerator;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableGenerator;
import org.fibnuma.fibnic.routes.RouteTables;

import java.nio.file.Path;
import java.util.Random;

/**
 * Generated routing tables of both families with the prefix lengths of the Internet. The first next hop is the right
 * host, which answers. The others have MAC addresses of no host, for traffic that is only counted.
 */
final class DemoTable
{
    /** Number of next hops of each family, as of a router with some transit providers. */
    static final int NEXT_HOPS = 4;

    private static final long SEED = 2023;
    private static final int SAMPLED_LENGTH = 24;
    private static final int SAMPLED_IPV6_LENGTH = 48;

    private final RouteList ipv4;
    private final Ipv6RouteList ipv6;

    DemoTable(final int ipv4Routes, final int ipv6Routes)
    {
        this.ipv4 = new RouteTableGenerator(NEXT_HOPS, SEED).generate(ipv4Routes);
        this.ipv6 = new Ipv6RouteTableGenerator(NEXT_HOPS, SEED).generate(ipv6Routes);
    }

    /** Returns the number of routes of a family. */
    int size(final boolean isIpv6)
    {
        return isIpv6 ? ipv6.size() : ipv4.size();
    }

    /** Writes the routes of both families to a file, replaced where it exists. */
    void write(final Path file)
    {
        RouteTables.write(ipv4, ipv6, file);
    }

    /** Returns the MAC address of a next hop other than the answering one, 1 to {@link #NEXT_HOPS} - 1. */
    static String macOfSink(final int index)
    {
        return String.format("02:00:00:00:01:%02x", index);
    }

    /**
     * Returns addresses from the /24s or /48s of the whole table. Hardly any prefix is longer: the next hop of such a
     * route is the next hop of its addresses.
     *
     * @param isIpv6    the family.
     * @param count     number of addresses.
     * @param answering true for routes by the answering next hop, false for routes by any other.
     */
    IpAddress[] addresses(final boolean isIpv6, final int count, final boolean answering)
    {
        final Random random = new Random(SEED);
        final IpAddress[] addresses = new IpAddress[count];
        int found = 0;
        while (found < count)
        {
            final int index = random.nextInt(size(isIpv6));
            if (isSampled(isIpv6, index) && isAnswering(isIpv6, index) == answering)
            {
                addresses[found++] = isIpv6 ? ipv6AddressIn(ipv6.prefix(index), random) :
                    IpAddress.of(ipv4.prefix(index) | 1 + random.nextInt(254));
            }
        }
        return addresses;
    }

    private boolean isSampled(final boolean isIpv6, final int index)
    {
        return isIpv6 ? ipv6.prefix(index).length() == SAMPLED_IPV6_LENGTH : ipv4.length(index) == SAMPLED_LENGTH;
    }

    private boolean isAnswering(final boolean isIpv6, final int index)
    {
        return isIpv6 ? ipv6.nextHop(index).equals(Ipv6RouteTableGenerator.FIRST_NEXT_HOP) :
            ipv4.nextHop(index) == RouteTableGenerator.FIRST_NEXT_HOP;
    }

    private static IpAddress ipv6AddressIn(final Ipv6Prefix prefix, final Random random)
    {
        return new IpAddress(
            prefix.high() | random.nextLong() & ~Ipv6Address.maskHigh(prefix.length()), random.nextLong());
    }

    /** Returns the address of a next hop, 0 to {@link #NEXT_HOPS} - 1, as text. */
    static String nextHop(final boolean isIpv6, final int index)
    {
        final Ipv6Address first = Ipv6RouteTableGenerator.FIRST_NEXT_HOP;
        return isIpv6 ? Ipv6Address.format(first.high(), first.low() + index) :
            Ipv4Address.format(RouteTableGenerator.FIRST_NEXT_HOP + index);
    }
}
