package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;

import java.util.ArrayList;
import java.util.List;

/**
 * A next hop, shared by all routes through it. Its adjacency index does not change while it is referenced: a change of
 * the neighbour is one store for all routes. Control thread.
 */
final class NextHop
{
    /**
     * Identity of a next hop. Link-local gateways with one address on two interfaces are two next hops.
     *
     * @param kind           what is done with frames.
     * @param interfaceIndex kernel's index of the egress interface; 0 where it follows from the gateway or there is
     *                       none.
     * @param gateway        of the family of the routes or the other one; {@link IpAddress#NONE} where the destination
     *                       itself is the neighbour.
     * @param multipath      the members of a group; null for a single next hop.
     * @param options        of the routes. A neighbour with several options is several next hops.
     */
    record Key(
        KernelRoute.Kind kind, int interfaceIndex, IpAddress gateway, KernelMultipath multipath, RouteOptions options)
    {
        Key(final KernelRoute.Kind kind, final int interfaceIndex, final IpAddress gateway)
        {
            this(kind, interfaceIndex, gateway, null, RouteOptions.NONE);
        }

        /** Returns the key of a group. */
        static Key of(final KernelMultipath multipath, final RouteOptions options)
        {
            return new Key(KernelRoute.Kind.UNICAST, 0, IpAddress.NONE, multipath, options);
        }

        Key with(final RouteOptions others)
        {
            return new Key(kind, interfaceIndex, gateway, multipath, others);
        }

        /** Returns whether the next hop is a single gateway. */
        boolean isNeighbor()
        {
            return kind == KernelRoute.Kind.UNICAST && multipath == null && !gateway.isNone();
        }

        /** Returns whether a route of a kind has this next hop only. */
        boolean isOf(final KernelRoute.Kind routeKind, final KernelRouteView route)
        {
            return multipath == null && route.multipath() == null && kind == routeKind &&
                interfaceIndex == route.interfaceIndex() &&
                gateway.high() == route.gatewayHigh() && gateway.low() == route.gatewayLow() &&
                options.equals(route.options());
        }

        /** Returns the key of a gateway without options, on an interface or, with interface 0, of the routes file. */
        static Key via(final int interfaceIndex, final IpAddress gateway)
        {
            return new Key(KernelRoute.Kind.UNICAST, interfaceIndex, gateway);
        }
    }

    private final int id;
    private final Key key;
    private int adjacency;
    private boolean ownsAdjacency;
    private int references;
    private int egressInterface;
    private final RequestTime nextRequest;
    private NextHopGroup group;
    private List<NextHop> groups = List.of();
    private boolean failed;

    /** Time of the next request for a neighbour, on the control thread's clock in ms; shared by all its next hops. */
    static final class RequestTime
    {
        private long timeMs;
        private int unanswered;
    }

    NextHop(
        final int id,
        final Key key,
        final int adjacency,
        final boolean ownsAdjacency,
        final RequestTime nextRequest)
    {
        this.id = id;
        this.key = key;
        this.adjacency = adjacency;
        this.ownsAdjacency = ownsAdjacency;
        this.egressInterface = key.interfaceIndex();
        this.nextRequest = nextRequest;
    }

    int id()
    {
        return id;
    }

    Key key()
    {
        return key;
    }

    /** Returns the index in the adjacency table. */
    int adjacency()
    {
        return adjacency;
    }

    /** Returns whether the adjacency is not shared by all next hops of its kind. */
    boolean ownsAdjacency()
    {
        return ownsAdjacency;
    }

    /** Replaces the shared adjacency by one of this next hop only. */
    void own(final int index)
    {
        adjacency = index;
        ownsAdjacency = true;
    }

    IpAddress gateway()
    {
        return key.gateway();
    }

    /** Returns whether the destination itself is the neighbour. */
    boolean isConnected()
    {
        return key.kind() == KernelRoute.Kind.UNICAST && key.gateway().isNone() && key.multipath() == null;
    }

    /** Returns whether this is a gateway of the routes file, which has no interface. */
    boolean isRecursive()
    {
        return key.kind() == KernelRoute.Kind.UNICAST && !key.gateway().isNone() && key.interfaceIndex() == 0;
    }

    /** Returns the kernel's index of the egress interface, or 0. */
    int egressInterface()
    {
        return egressInterface;
    }

    void egressInterface(final int interfaceIndex)
    {
        egressInterface = interfaceIndex;
    }

    void acquire()
    {
        references++;
    }

    /** Releases one reference; returns the number of the others. */
    int release()
    {
        return --references;
    }

    long nextRequestMs()
    {
        return nextRequest.timeMs;
    }

    void nextRequestMs(final long timeMs)
    {
        nextRequest.timeMs = timeMs;
    }

    RequestTime nextRequest()
    {
        return nextRequest;
    }

    /** Returns the number of requests for the neighbour since it was last resolved. */
    int unanswered()
    {
        return nextRequest.unanswered;
    }

    void unanswered(final int requests)
    {
        nextRequest.unanswered = requests;
    }

    /** Makes the neighbour due for a request. */
    void requestNow()
    {
        nextRequest.timeMs = 0;
        nextRequest.unanswered = 0;
    }

    /** Returns the members of a group; null for a single next hop, and for a group without an adjacency. */
    NextHopGroup group()
    {
        return group;
    }

    void group(final NextHopGroup members)
    {
        group = members;
    }

    /** Returns the groups that have this next hop as a member. */
    List<NextHop> groups()
    {
        return groups;
    }

    void addGroup(final NextHop member)
    {
        groups = groups.isEmpty() ? new ArrayList<>() : groups;
        groups.add(member);
    }

    void removeGroup(final NextHop member)
    {
        groups.remove(member);
    }

    /** Returns whether the neighbour did not answer the last time. */
    boolean isFailed()
    {
        return failed;
    }

    void failed(final boolean isFailed)
    {
        failed = isFailed;
    }
}
