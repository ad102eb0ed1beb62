package org.fibnuma.fibnic.routes;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.util.function.BiConsumer;

/** Passes the routes of a file to a consumer, of both families, with next hops of either family. */
final class RouteLines implements RouteLineConsumer
{
    private final BiConsumer<IpPrefix, IpAddress> consumer;

    RouteLines(final BiConsumer<IpPrefix, IpAddress> consumer)
    {
        this.consumer = consumer;
    }

    @Override
    public void announce(final String prefix, final String nextHop)
    {
        consumer.accept(IpPrefix.parse(prefix), nextHop.isEmpty() ? IpAddress.NONE : IpAddress.parse(nextHop));
    }

    @Override
    public void withdraw(final String prefix)
    {
        consumer.accept(IpPrefix.parse(prefix), IpAddress.NONE);
    }

    @Override
    public void skipPeer()
    {
        // All peers are read.
    }
}
