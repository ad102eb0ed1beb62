package org.fibnuma.fibnic.routes;

import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;

/** Adds the IPv6 routes of a file to a list. */
final class Ipv6RouteLines implements RouteLineConsumer
{
    private final Ipv6RouteList routes = new Ipv6RouteList();

    Ipv6RouteList routes()
    {
        return routes;
    }

    @Override
    public void announce(final String prefix, final String nextHop)
    {
        if (isIpv4(prefix) || !nextHop.isEmpty() && isIpv4(nextHop))
        {
            routes.countSkippedIpv4();
            return;
        }
        final Ipv6Prefix network = Ipv6Prefix.parse(prefix);
        routes.addAnnouncement(
            network, nextHop.isEmpty() ? Ipv6RouteList.NO_NEXT_HOP : Ipv6Address.parse(nextHop));
    }

    @Override
    public void withdraw(final String prefix)
    {
        if (isIpv4(prefix))
        {
            routes.countSkippedIpv4();
            return;
        }
        routes.addWithdrawal(Ipv6Prefix.parse(prefix));
    }

    @Override
    public void skipPeer()
    {
        routes.countSkippedPeer();
    }

    private static boolean isIpv4(final String text)
    {
        return text.indexOf(':') < 0;
    }
}
