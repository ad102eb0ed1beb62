package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.fibnic.adjacency.AddressFilter;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Passes the unicast and broadcast addresses of this host to the workers' filter of source addresses and to every port:
 * a frame to one of them is for the host, whichever port receives it.
 */
final class LocalAddresses
{
    private static final int LOOPBACK = 127;

    private final List<? extends Port> ports;
    private final AddressFilter filter;
    private final Set<IpAddress> addresses = new HashSet<>();

    LocalAddresses(final List<? extends Port> ports, final AddressFilter filter)
    {
        this.ports = ports;
        this.filter = filter;
    }

    /** The best route of a single address has changed. */
    void onHostRoute(final IpAddress address, final NextHop best)
    {
        final boolean local = best != null && !isLoopback(address) &&
            (best.key().kind() == KernelRoute.Kind.LOCAL || best.key().kind() == KernelRoute.Kind.BROADCAST);
        final boolean changed = local ? addresses.add(address) : addresses.remove(address);
        if (changed)
        {
            changeFilter(address, local);
            for (final Port port : ports)
            {
                port.capability(SharedInterface.class).ifPresent(shared -> shared.localAddress(address, local));
            }
        }
    }

    /** Passes all addresses to a port that is new. */
    void announce(final Port port)
    {
        port.capability(SharedInterface.class).ifPresent(
            shared -> addresses.forEach(address -> shared.localAddress(address, true)));
    }

    private void changeFilter(final IpAddress address, final boolean local)
    {
        if (address.isIpv4() && local)
        {
            filter.add(address.ipv4());
        }
        else if (address.isIpv4())
        {
            filter.remove(address.ipv4());
        }
        else if (local)
        {
            filter.add(address.high(), address.low());
        }
        else
        {
            filter.remove(address.high(), address.low());
        }
    }

    /**
     * A frame to a loopback address is a martian, which the router drops (RFC 1812 section 5.3.7, RFC 4291 section
     * 2.5.3).
     */
    private static boolean isLoopback(final IpAddress address)
    {
        return address.isIpv4() ? address.ipv4() >>> 24 == LOOPBACK :
            Ipv6Address.isLoopback(address.high(), address.low());
    }
}
