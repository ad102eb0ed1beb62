package org.fibnuma.bench.control;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

/** A route of the main table with a gateway; one object serves all routes, as in the netlink decoder. */
final class ListedRoute implements KernelRouteView
{
    private IpPrefix prefix;
    private int interfaceIndex;
    private IpAddress gateway;

    ListedRoute set(final IpPrefix newPrefix, final int newInterface, final IpAddress newGateway)
    {
        prefix = newPrefix;
        interfaceIndex = newInterface;
        gateway = newGateway;
        return this;
    }

    @Override
    public boolean isIpv6()
    {
        return prefix.isIpv6();
    }

    @Override
    public long prefixHigh()
    {
        return prefix.high();
    }

    @Override
    public long prefixLow()
    {
        return prefix.low();
    }

    @Override
    public int prefixLength()
    {
        return prefix.length();
    }

    @Override
    public int table()
    {
        return KernelRoute.TABLE_MAIN;
    }

    @Override
    public int metric()
    {
        return 0;
    }

    @Override
    public KernelRoute.Kind kind()
    {
        return KernelRoute.Kind.UNICAST;
    }

    @Override
    public long gatewayHigh()
    {
        return gateway.high();
    }

    @Override
    public long gatewayLow()
    {
        return gateway.low();
    }

    @Override
    public int interfaceIndex()
    {
        return interfaceIndex;
    }
}
