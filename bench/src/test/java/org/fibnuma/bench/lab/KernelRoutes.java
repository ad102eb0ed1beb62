package org.fibnuma.bench.lab;

import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.rtnetlink.KernelRouteWriter;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.fibnic.routes.RouteList;

import java.util.function.IntUnaryOperator;

/** Writes generated routes into the kernel of a host. */
public final class KernelRoutes
{
    private KernelRoutes()
    {
    }

    /** Adds or replaces the first routes of a list in the main table; a function gives the gateway of each index. */
    public static void put(final Host host, final RouteList routes, final int count, final IntUnaryOperator gateway)
    {
        NetworkNamespace.call(host.namespaceFile(), () ->
        {
            try (KernelRouteWriter writer = new KernelRouteWriter())
            {
                for (int i = 0; i < count; i++)
                {
                    writer.put(new KernelRoute(routes.prefix(i), routes.length(i), KernelRoute.TABLE_MAIN, 0,
                        KernelRoute.Kind.UNICAST, gateway.applyAsInt(i), 0));
                }
                writer.flush();
            }
            return null;
        });
    }
}
