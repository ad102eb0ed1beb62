package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;

/** A mutable route, reused for the next one, so that a list of routes needs no object for each. */
abstract class RouteFields implements KernelRouteView
{
    int prefix;
    int prefixLength;
    int table;
    int metric;
    KernelRoute.Kind kind;
    int gateway;
    int interfaceIndex;

    /** Copies the values of a route. */
    final void set(final KernelRouteView route)
    {
        prefix = route.prefix();
        prefixLength = route.prefixLength();
        table = route.table();
        metric = route.metric();
        kind = route.kind();
        gateway = route.gateway();
        interfaceIndex = route.interfaceIndex();
    }

    @Override
    public int prefix()
    {
        return prefix;
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
    public int gateway()
    {
        return gateway;
    }

    @Override
    public int interfaceIndex()
    {
        return interfaceIndex;
    }
}
