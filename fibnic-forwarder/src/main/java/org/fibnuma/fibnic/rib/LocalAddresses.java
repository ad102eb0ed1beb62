package org.fibnuma.fibnic.rib;

import org.agrona.collections.IntHashSet;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.AddressFilter;

import java.util.List;

/**
 * Passes the unicast and broadcast addresses of this host to every port, because a frame to one of them is for the host
 * whatever port receives it, and to the workers' filter of source addresses.
 */
final class LocalAddresses
{
    private static final int LOOPBACK = 127;

    private final List<? extends Port> ports;
    private final AddressFilter filter;
    private final IntHashSet addresses = new IntHashSet();

    LocalAddresses(final List<? extends Port> ports, final AddressFilter filter)
    {
        this.ports = ports;
        this.filter = filter;
    }

    /** The best route of a single address changed. */
    void onHostRoute(final int address, final NextHop best)
    {
        // A frame to a loopback address is a martian, which the router drops and counts: RFC 1812 section 5.3.7.
        final boolean local = best != null && address >>> 24 != LOOPBACK &&
            (best.key().kind() == KernelRoute.Kind.LOCAL || best.key().kind() == KernelRoute.Kind.BROADCAST);
        final boolean changed = local ? addresses.add(address) : addresses.remove(address);
        if (changed)
        {
            if (local)
            {
                filter.add(address);
            }
            else
            {
                filter.remove(address);
            }
            for (final Port port : ports)
            {
                port.capability(SharedInterface.class)
                    .ifPresent(shared -> shared.localAddress(IpAddress.of(address), local));
            }
        }
    }
}
