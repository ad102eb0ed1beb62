package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.EnumSet;
import java.util.Set;

/** How the router uses the routes of the kernel: the source, kind and next hop of each in a RIB. Control thread. */
final class RouteTranslation
{
    private static final Logger LOGGER = LoggerFactory.getLogger(RouteTranslation.class);

    private final Set<KernelRoute.Kind> reported = EnumSet.noneOf(KernelRoute.Kind.class);
    private boolean forwardsIpv6;

    /** Uses IPv6 next hops; by default routes by them are left to the kernel. */
    void forwardIpv6()
    {
        forwardsIpv6 = true;
    }

    boolean forwardsIpv6()
    {
        return forwardsIpv6;
    }

    /** Returns the source of a route in the RIB of its table. */
    static RouteSource sourceOf(final KernelRouteView route)
    {
        final boolean isTosSpecific = route.kind() == KernelRoute.Kind.TOS_SPECIFIC;
        return route.table() == KernelRoute.TABLE_LOCAL ?
            isTosSpecific ? RouteSource.LOCAL_TOS : RouteSource.LOCAL :
            isTosSpecific ? RouteSource.MAIN_TOS : RouteSource.MAIN;
    }

    /** Logs the first route of each kind that the router leaves to the kernel because it looks up destinations only. */
    void report(final KernelRouteView route)
    {
        final String routes = switch (route.kind())
        {
            case SOURCE_SPECIFIC -> "IPv6 routes for some sources only";
            case TOS_SPECIFIC -> "IPv4 routes for one TOS only";
            default -> null;
        };
        if (routes != null && reported.add(route.kind()))
        {
            LOGGER.warn("the kernel has {}, the first to {}: it forwards all packets to their destinations, because " +
                "the router looks up destinations only; see `show routes`", routes, prefixOf(route));
        }
    }

    static IpPrefix prefixOf(final KernelRouteView route)
    {
        return route.isIpv6() ? IpPrefix.of(route.prefixHigh(), route.prefixLow(), route.prefixLength()) :
            IpPrefix.of(route.prefix(), route.prefixLength());
    }

    NextHop.Key nextHopOf(final KernelRouteView route)
    {
        if (route.multipath() != null && route.table() != KernelRoute.TABLE_LOCAL)
        {
            return NextHop.Key.of(new KernelMultipath(
                route.multipath().resilience(), route.multipath().hops().stream().map(this::usable).toList()),
                route.options());
        }
        final boolean hasGateway = (route.gatewayHigh() | route.gatewayLow()) != 0 && !isByIgnoredIpv6(route);
        return new NextHop.Key(
            kindOf(route),
            route.interfaceIndex(),
            hasGateway ? new IpAddress(route.gatewayHigh(), route.gatewayLow()) : IpAddress.NONE,
            null,
            route.options());
    }

    /**
     * Returns a next hop as the router uses it. A next hop of several that has no gateway is left to the kernel: each
     * host of a connected network is on one of the links.
     */
    private KernelMultipath.Hop usable(final KernelMultipath.Hop hop)
    {
        final boolean isUnusable = hop.interfaceIndex() == 0 || hop.gateway().isNone() ||
            !forwardsIpv6 && !hop.gateway().isIpv4();
        return hop.kind() == KernelRoute.Kind.UNICAST && isUnusable ?
            new KernelMultipath.Hop(
                KernelRoute.Kind.OTHER, hop.interfaceIndex(), hop.gateway(), hop.weight()) : hop;
    }

    /**
     * Returns the kind of a route as the router uses it. A route of the local table is for the host: the router cannot
     * tell other ones in it from those of the main table, which may come behind further tables.
     */
    KernelRoute.Kind kindOf(final KernelRouteView route)
    {
        final boolean isUnusable = route.kind() == KernelRoute.Kind.UNICAST && route.interfaceIndex() == 0;
        final boolean isForwardedByLocal = route.table() == KernelRoute.TABLE_LOCAL &&
            route.kind() != KernelRoute.Kind.LOCAL && route.kind() != KernelRoute.Kind.BROADCAST &&
            route.kind() != KernelRoute.Kind.TOS_SPECIFIC && route.kind() != KernelRoute.Kind.SOURCE_SPECIFIC;
        return isUnusable || isForwardedByLocal || isByIgnoredIpv6(route) ? KernelRoute.Kind.OTHER : route.kind();
    }

    private boolean isByIgnoredIpv6(final KernelRouteView route)
    {
        return !forwardsIpv6 && route.hasIpv6Gateway();
    }
}
