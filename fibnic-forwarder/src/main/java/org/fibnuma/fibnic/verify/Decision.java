package org.fibnuma.fibnic.verify;

import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;

/** Expected treatment of frames to some addresses. All routes with the same next hop have one decision. */
final class Decision
{
    /** Interface of a route that has only a gateway, like those of the routes file. */
    static final int ANY_INTERFACE = -1;
    /** Interface of a route that has several next hops. */
    static final int SEVERAL_INTERFACES = -2;

    private final KernelRoute.Kind kind;
    private final int interfaceIndex;
    private final IpAddress gateway;
    private final KernelMultipath multipath;
    private final RouteOptions options;
    private Adjacency adjacency;

    Decision(
        final KernelRoute.Kind kind,
        final int interfaceIndex,
        final IpAddress gateway,
        final KernelMultipath multipath,
        final RouteOptions options)
    {
        this.kind = kind;
        this.interfaceIndex = interfaceIndex;
        this.gateway = gateway;
        this.multipath = multipath;
        this.options = options;
    }

    KernelRoute.Kind kind()
    {
        return kind;
    }

    int interfaceIndex()
    {
        return interfaceIndex;
    }

    IpAddress gateway()
    {
        return gateway;
    }

    /** Returns the next hops of a route that has several, or null. */
    KernelMultipath multipath()
    {
        return multipath;
    }

    RouteOptions options()
    {
        return options;
    }

    boolean isConnectedTo(final int otherInterface)
    {
        return multipath == null && kind == KernelRoute.Kind.UNICAST && gateway.isNone() &&
            interfaceIndex == otherInterface;
    }

    /** Returns the expected adjacency; null until it is set. */
    Adjacency adjacency()
    {
        return adjacency;
    }

    void adjacency(final Adjacency resolved)
    {
        adjacency = resolved;
    }
}
