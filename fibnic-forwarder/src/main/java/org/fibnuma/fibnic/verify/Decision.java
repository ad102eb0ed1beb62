package org.fibnuma.fibnic.verify;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.fibnic.adjacency.Adjacency;

/** What should be done with frames to some addresses; one for all routes that lead the same way. */
final class Decision
{
    /** Stands for the interface of a route that names only a gateway: those of the file. */
    static final int ANY_INTERFACE = -1;

    private final KernelRoute.Kind kind;
    private final int interfaceIndex;
    private final int gateway;
    private Adjacency adjacency;

    Decision(final KernelRoute.Kind kind, final int interfaceIndex, final int gateway)
    {
        this.kind = kind;
        this.interfaceIndex = interfaceIndex;
        this.gateway = gateway;
    }

    KernelRoute.Kind kind()
    {
        return kind;
    }

    int interfaceIndex()
    {
        return interfaceIndex;
    }

    int gateway()
    {
        return gateway;
    }

    boolean isConnectedTo(final int otherInterface)
    {
        return kind == KernelRoute.Kind.UNICAST && gateway == 0 && interfaceIndex == otherInterface;
    }

    /** What the adjacency table should hold, once everything is resolved. */
    Adjacency adjacency()
    {
        return adjacency;
    }

    void adjacency(final Adjacency resolved)
    {
        adjacency = resolved;
    }
}
