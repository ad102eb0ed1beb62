package org.fibnuma.fibnic.routes;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;

/** Adds the IPv4 routes of a file to a list. */
final class Ipv4RouteLines implements RouteLineConsumer
{
    private final RouteList routes = new RouteList();

    RouteList routes()
    {
        return routes;
    }

    @Override
    public void announce(final String prefix, final String nextHop)
    {
        if (isIpv6(prefix) || isIpv6(nextHop))
        {
            routes.countSkippedIpv6();
            return;
        }
        final Ipv4Prefix network = Ipv4Prefix.parse(prefix);
        routes.addAnnouncement(
            network.address(), network.length(),
            nextHop.isEmpty() ? RouteList.NO_NEXT_HOP : Ipv4Address.parse(nextHop));
    }

    @Override
    public void withdraw(final String prefix)
    {
        if (isIpv6(prefix))
        {
            routes.countSkippedIpv6();
            return;
        }
        final Ipv4Prefix network = Ipv4Prefix.parse(prefix);
        routes.addWithdrawal(network.address(), network.length());
    }

    @Override
    public void skipPeer()
    {
        routes.countSkippedPeer();
    }

    private static boolean isIpv6(final String text)
    {
        return text.indexOf(':') >= 0;
    }
}
