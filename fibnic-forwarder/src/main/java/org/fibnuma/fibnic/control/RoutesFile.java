package org.fibnuma.fibnic.control;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.fibnic.routes.RouteTableReader;

import java.nio.file.Path;
import java.util.function.BiConsumer;

/**
 * The routes file, with routes in addition to those of the kernel or the configuration. Each use reads it again.
 *
 * @param file     to read; null for no routes.
 * @param withIpv6 false to skip IPv6 routes, and IPv4 routes by IPv6 next hops (RFC 8950).
 */
record RoutesFile(Path file, boolean withIpv6)
{
    /**
     * Passes all routes with their gateways to a consumer. If the file has a prefix twice, the last one counts.
     *
     * @throws UserException with one line for the user where the file is not a table of routes.
     */
    void forEach(final BiConsumer<IpPrefix, IpAddress> consumer)
    {
        if (file == null)
        {
            return;
        }
        try
        {
            RouteTableReader.forEach(file, (prefix, gateway) ->
            {
                if (withIpv6 || !prefix.isIpv6() && (gateway.isNone() || gateway.isIpv4()))
                {
                    requireUsable(prefix, gateway);
                    consumer.accept(prefix, gateway);
                }
            });
        }
        catch (final UserException ex)
        {
            throw new UserException("routes-file " + ex.getMessage(), ex);
        }
    }

    private void requireUsable(final IpPrefix prefix, final IpAddress gateway)
    {
        if (gateway.isNone())
        {
            throw new UserException(file + ": " + prefix + " has no next hop; write one after each prefix");
        }
        if (Ipv6Address.isLinkLocal(gateway.high()))
        {
            throw new UserException(file + ": " + prefix + " has the link-local next hop " + gateway +
                ", which belongs to no interface; write a global one");
        }
        if (prefix.isIpv6() && gateway.isIpv4())
        {
            throw new UserException(
                file + ": " + prefix + " has the IPv4 next hop " + gateway + "; write an IPv6 one");
        }
    }
}
