package org.fibnuma.binding.fpm;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.kernel.RouteFeedListener;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes down what a feed reports, a line for each call. */
final class RecordedFeed implements RouteFeedListener
{
    private final List<String> lines = new ArrayList<>();

    List<String> lines()
    {
        return lines;
    }

    @Override
    public void onConnect(final String peer)
    {
        lines.add("connect");
    }

    @Override
    public void onRefuse(final String peer)
    {
        lines.add("refuse");
    }

    @Override
    public void onDisconnect(final String reason)
    {
        lines.add("end: " + reason);
    }

    @Override
    public void onSkip(final String reason)
    {
        lines.add("skip: " + reason);
    }

    @Override
    public void onRoute(final KernelRouteView route, final int nextHopId, final boolean present)
    {
        final KernelRoute copy = route.copy();
        final String prefix = copy.network() + "/" + copy.prefixLength();
        lines.add(!present ? "-" + prefix : "+" + prefix + nextHop(copy) + (nextHopId == 0 ? "" : " by " + nextHopId));
    }

    @Override
    public void onNextHop(final int nextHopId, final KernelRouteView nextHop)
    {
        lines.add("object " + nextHopId + nextHop(nextHop.copy()));
    }

    private static String nextHop(final KernelRoute route)
    {
        return route.kind() != KernelRoute.Kind.UNICAST ? " " + route.kind().name().toLowerCase(Locale.ROOT) :
            " via " + route.gateway() + " on " + route.interfaceIndex();
    }
}
