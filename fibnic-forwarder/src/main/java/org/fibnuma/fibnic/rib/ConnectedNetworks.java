package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.wire.Ipv6Address;

/**
 * Passes on the kernel's tables for a router whose routes come from a routing daemon: links, addresses, neighbours and
 * the local table. Of the main table it passes on the routes without a gateway only, those of connected networks.
 *
 * @param listener gets the tables.
 */
public record ConnectedNetworks(KernelNetworkListener listener) implements KernelNetworkListener
{
    @Override
    public void onDumpStart()
    {
        listener.onDumpStart();
    }

    @Override
    public boolean onDumpSweep()
    {
        return listener.onDumpSweep();
    }

    @Override
    public void onDumpEnd()
    {
        listener.onDumpEnd();
    }

    @Override
    public void onLink(final KernelLink link, final boolean present)
    {
        listener.onLink(link, present);
    }

    @Override
    public void onAddress(final KernelAddress address, final boolean present)
    {
        listener.onAddress(address, present);
    }

    @Override
    public void onNeighbor(final KernelNeighbor neighbor, final boolean present)
    {
        listener.onNeighbor(neighbor, present);
    }

    @Override
    public void onRoute(final KernelRouteView route, final boolean present)
    {
        // A route that has got a gateway replaces a route of the same identity, which may have had none.
        listener.onRoute(route, present && isNeeded(route));
    }

    private static boolean isNeeded(final KernelRouteView route)
    {
        return route.table() != KernelRoute.TABLE_MAIN ||
            route.kind() == KernelRoute.Kind.UNICAST && route.interfaceIndex() != 0 && route.multipath() == null &&
            Ipv6Address.isUnspecified(route.gatewayHigh(), route.gatewayLow());
    }
}
