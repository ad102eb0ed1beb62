package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.kernel.RouteOptions;

/** A mutable route, so that a list of routes needs no object for each. */
abstract class RouteFields implements KernelRouteView
{
    boolean ipv6;
    long prefixHigh;
    long prefixLow;
    int prefixLength;
    int table;
    int metric;
    KernelRoute.Kind kind;
    long gatewayHigh;
    long gatewayLow;
    int interfaceIndex;
    KernelMultipath multipath;
    RouteOptions options = RouteOptions.NONE;

    /** Copies the values of a route. */
    final void set(final KernelRouteView route)
    {
        ipv6 = route.isIpv6();
        prefixHigh = route.prefixHigh();
        prefixLow = route.prefixLow();
        prefixLength = route.prefixLength();
        table = route.table();
        metric = route.metric();
        kind = route.kind();
        gatewayHigh = route.gatewayHigh();
        gatewayLow = route.gatewayLow();
        interfaceIndex = route.interfaceIndex();
        multipath = route.multipath();
        options = route.options();
    }

    /** Returns whether a route has the same prefix, table and metric. */
    final boolean hasIdentityOf(final KernelRouteView route)
    {
        return prefixLow == route.prefixLow() && prefixHigh == route.prefixHigh() && ipv6 == route.isIpv6() &&
            prefixLength == route.prefixLength() && table == route.table() && metric == route.metric();
    }

    @Override
    public boolean isIpv6()
    {
        return ipv6;
    }

    @Override
    public long prefixHigh()
    {
        return prefixHigh;
    }

    @Override
    public long prefixLow()
    {
        return prefixLow;
    }

    @Override
    public int prefixLength()
    {
        return prefixLength;
    }

    @Override
    public int table()
    {
        return table;
    }

    @Override
    public int metric()
    {
        return metric;
    }

    @Override
    public KernelRoute.Kind kind()
    {
        return kind;
    }

    @Override
    public long gatewayHigh()
    {
        return gatewayHigh;
    }

    @Override
    public long gatewayLow()
    {
        return gatewayLow;
    }

    @Override
    public int interfaceIndex()
    {
        return interfaceIndex;
    }

    @Override
    public KernelMultipath multipath()
    {
        return multipath;
    }

    @Override
    public RouteOptions options()
    {
        return options;
    }
}
