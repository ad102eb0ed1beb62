package org.fibnuma.bench.fib;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableReader;
import org.fibnuma.fibnic.routes.RouteTables;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * The routes of a router for both families.
 *
 * @param ipv4 announcements, each with a next hop.
 * @param ipv6 announcements, each with a next hop; empty for a router that does not forward IPv6.
 */
public record DualStackTable(RouteList ipv4, Ipv6RouteList ipv6)
{
    /** Returns a table of IPv4 routes for a router that does not forward IPv6. */
    public static DualStackTable ofIpv4(final RouteList routes)
    {
        return new DualStackTable(routes, new Ipv6RouteList());
    }

    /**
     * Opens the tables of both families.
     *
     * @param ipv4 name of a table for {@link RouteTables#open(String)}.
     * @param ipv6 name of a table for {@link RouteTables#openIpv6}, or null for no IPv6 routes.
     * @return the routes.
     * @throws UserException with one line where a table does not exist or has no routes of its family.
     */
    public static DualStackTable open(final String ipv4, final String ipv6)
    {
        final RouteList routes = RouteTables.open(ipv4);
        if (routes.size() == 0)
        {
            throw new UserException(ipv4 + ": no IPv4 routes");
        }
        if (ipv6 == null)
        {
            return ofIpv4(routes);
        }
        final Ipv6RouteList ipv6Routes = RouteTables.openIpv6(ipv6, RouteTableReader.ofAllPeers());
        if (ipv6Routes.size() == 0)
        {
            throw new UserException(ipv6 + ": no IPv6 routes");
        }
        return new DualStackTable(routes, ipv6Routes);
    }

    /** Returns whether there are IPv6 routes. */
    public boolean hasIpv6()
    {
        return ipv6.size() > 0;
    }

    /** Returns the distinct next hops of both families, IPv4 first. */
    public Set<IpAddress> nextHops()
    {
        final Set<IpAddress> nextHops = new TreeSet<>();
        for (int i = 0; i < ipv4.size(); i++)
        {
            nextHops.add(IpAddress.of(ipv4.nextHop(i)));
        }
        for (int i = 0; i < ipv6.size(); i++)
        {
            nextHops.add(nextHopOfIpv6(i));
        }
        return nextHops;
    }

    /** Returns the next hop of the IPv6 route at an index, 0 to size - 1. */
    public IpAddress nextHopOfIpv6(final int index)
    {
        final Ipv6Address nextHop = ipv6.nextHop(index);
        return new IpAddress(nextHop.high(), nextHop.low());
    }

    /**
     * Writes both families as lines {@code prefix next-hop}, for a router's {@code routes-file}.
     *
     * @param file to write, replaced where it exists.
     * @throws UserException naming the file, where it cannot be written.
     */
    public void write(final Path file)
    {
        try (BufferedWriter writer = Files.newBufferedWriter(file, StandardCharsets.US_ASCII))
        {
            for (int i = 0; i < ipv4.size(); i++)
            {
                writer.write(ipv4.format(i) + "\n");
            }
            for (int i = 0; i < ipv6.size(); i++)
            {
                writer.write(ipv6.format(i) + "\n");
            }
        }
        catch (final IOException ex)
        {
            throw new UserException(file + ": cannot be written: " + ex.getMessage(), ex);
        }
    }
}
