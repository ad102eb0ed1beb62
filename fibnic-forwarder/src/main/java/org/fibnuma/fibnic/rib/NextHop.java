package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelRoute;

/**
 * A next hop, shared by all routes through it; control thread. It has the same adjacency index while it is referenced,
 * so that a change of the neighbour is one store, however many routes there are.
 */
final class NextHop
{
    /** Identity of a next hop. */
    record Key(KernelRoute.Kind kind, int interfaceIndex, int gateway)
    {
    }

    private final int id;
    private final Key key;
    private int adjacency;
    private boolean ownsAdjacency;
    private int references;
    private int egressInterface;
    private long nextRequestMs;

    NextHop(final int id, final Key key, final int adjacency, final boolean ownsAdjacency)
    {
        this.id = id;
        this.key = key;
        this.adjacency = adjacency;
        this.ownsAdjacency = ownsAdjacency;
        this.egressInterface = key.interfaceIndex();
    }

    int id()
    {
        return id;
    }

    Key key()
    {
        return key;
    }

    /** Index in the adjacency table. */
    int adjacency()
    {
        return adjacency;
    }

    /** Returns whether the adjacency is its own, not one shared by all next hops of its kind. */
    boolean ownsAdjacency()
    {
        return ownsAdjacency;
    }

    /** Replaces the shared adjacency by one of its own. */
    void own(final int index)
    {
        adjacency = index;
        ownsAdjacency = true;
    }

    boolean is(final KernelRoute.Kind kind, final int interfaceIndex, final int gateway)
    {
        return key.gateway == gateway && key.interfaceIndex == interfaceIndex && key.kind == kind;
    }

    int gateway()
    {
        return key.gateway();
    }

    /** Returns whether the destination itself is the neighbour. */
    boolean isConnected()
    {
        return key.kind() == KernelRoute.Kind.UNICAST && key.gateway() == 0;
    }

    /** Returns whether it has a gateway without an interface, as routes of the routes file. */
    boolean isRecursive()
    {
        return key.kind() == KernelRoute.Kind.UNICAST && key.gateway() != 0 && key.interfaceIndex() == 0;
    }

    /** The interface that frames leave by, or 0. */
    int egressInterface()
    {
        return egressInterface;
    }

    void egressInterface(final int interfaceIndex)
    {
        egressInterface = interfaceIndex;
    }

    int references()
    {
        return references;
    }

    void acquire()
    {
        references++;
    }

    /** Releases one reference; returns how many are left. */
    int release()
    {
        return --references;
    }

    /** Time of the next request for its neighbour, on the control thread's clock in ms. */
    long nextRequestMs()
    {
        return nextRequestMs;
    }

    void nextRequestMs(final long timeMs)
    {
        nextRequestMs = timeMs;
    }
}
