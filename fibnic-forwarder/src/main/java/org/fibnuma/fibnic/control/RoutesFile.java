package org.fibnuma.fibnic.control;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableReader;

import java.nio.file.Path;
import java.util.function.BiFunction;

/** The routes of a router in addition to the kernel's or its static ones, read from the file each time. */
final class RoutesFile
{
    private final Path file;
    private final boolean withIpv6;

    /** Reads IPv4 routes, and IPv6 ones too or not, from a file; null stands for no routes. */
    RoutesFile(final Path file, final boolean withIpv6)
    {
        this.file = file;
        this.withIpv6 = withIpv6;
    }

    /**
     * Reads all routes. If the file has a prefix twice, the last one counts.
     *
     * @throws UserException with one line for the user where the file is not a table of routes.
     */
    void forEach(final Consumer consumer)
    {
        if (file == null)
        {
            return;
        }
        final RouteList routes = read(RouteTableReader::read);
        for (int i = 0; i < routes.size(); i++)
        {
            final IpPrefix prefix = IpPrefix.of(routes.prefix(i), routes.length(i));
            requireNextHop(prefix, routes.nextHop(i) != RouteList.NO_NEXT_HOP);
            consumer.onRoute(prefix, IpAddress.of(routes.nextHop(i)));
        }
        if (withIpv6)
        {
            forEachIpv6(consumer);
        }
    }

    private void forEachIpv6(final Consumer consumer)
    {
        final Ipv6RouteList routes = read(RouteTableReader::readIpv6);
        for (int i = 0; i < routes.size(); i++)
        {
            final Ipv6Prefix network = routes.prefix(i);
            final IpPrefix prefix = IpPrefix.of(network.high(), network.low(), network.length());
            final Ipv6Address nextHop = routes.nextHop(i);
            requireNextHop(prefix, !nextHop.equals(Ipv6RouteList.NO_NEXT_HOP));
            if (nextHop.isLinkLocal())
            {
                throw new UserException("routes-file " + file + ": " + prefix + " has the link-local next hop " +
                    nextHop + ", which belongs to no interface; write a global one");
            }
            consumer.onRoute(prefix, new IpAddress(nextHop.high(), nextHop.low()));
        }
    }

    private void requireNextHop(final IpPrefix prefix, final boolean hasNextHop)
    {
        if (!hasNextHop)
        {
            throw new UserException(
                "routes-file " + file + ": " + prefix + " has no next hop; write one after each prefix");
        }
    }

    private <T> T read(final BiFunction<RouteTableReader, Path, T> reading)
    {
        try
        {
            return reading.apply(RouteTableReader.ofAllPeers(), file);
        }
        catch (final UserException ex)
        {
            throw new UserException("routes-file " + ex.getMessage(), ex);
        }
    }

    /** Receives the routes. */
    @FunctionalInterface
    interface Consumer
    {
        void onRoute(IpPrefix prefix, IpAddress gateway);
    }
}
