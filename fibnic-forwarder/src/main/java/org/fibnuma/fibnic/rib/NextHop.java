package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelRoute;

/**
 * Where routes lead, shared by all routes that lead there; control thread. It keeps its adjacency index for as long
 * as something refers to it, so that a neighbour's change is one store however many routes there are.
 */
final class NextHop
{
    /** What makes two next hops the same. */
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

    /** Whether the adjacency is its own rather than one for all of its kind. */
    boolean ownsAdjacency()
    {
        return ownsAdjacency;
    }

    /** Gives it an adjacency of its own in place of the one for all of its kind. */
    void own(final int index)
    {
        adjacency = index;
        ownsAdjacency = true;
    }

    /** Whether it has these properties. */
    boolean is(final KernelRoute.Kind kind, final int interfaceIndex, final int gateway)
    {
        return key.gateway == gateway && key.interfaceIndex == interfaceIndex && key.kind == kind;
    }

    int gateway()
    {
        return key.gateway();
    }

    /** Whether the destination itself is the neighbour. */
    boolean isConnected()
    {
        return key.kind() == KernelRoute.Kind.UNICAST && key.gateway() == 0;
    }

    /** Whether it names a gateway only, so that the interface has to be found: routes of the file. */
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

    /** Gives one reference back; yields how many are left. */
    int release()
    {
        return --references;
    }

    /** When its neighbour is to be asked for next, on the control thread's clock in ms. */
    long nextRequestMs()
    {
        return nextRequestMs;
    }

    void nextRequestMs(final long timeMs)
    {
        nextRequestMs = timeMs;
    }
}
