package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;

import java.util.ArrayList;
import java.util.List;

/**
 * A next hop, shared by all routes through it; control thread. It has the same adjacency index while it is referenced,
 * so that a change of the neighbour is one store, however many routes there are.
 */
final class NextHop
{
    /**
     * Identity of a next hop. Link-local gateways with one address on two interfaces are two next hops.
     *
     * @param kind           what is done with frames.
     * @param interfaceIndex egress interface, or 0 where it follows from the gateway or there is none.
     * @param gateway        of either family, whatever that of the routes; {@link IpAddress#NONE} where the
     *                       destination itself is the neighbour.
     * @param multipath      the next hops that this one stands for; null for a single one.
     * @param options        of the routes. A neighbour is a next hop for each of them.
     */
    record Key(
        KernelRoute.Kind kind, int interfaceIndex, IpAddress gateway, KernelMultipath multipath, RouteOptions options)
    {
        /** A single next hop of routes without options. */
        Key(final KernelRoute.Kind kind, final int interfaceIndex, final IpAddress gateway)
        {
            this(kind, interfaceIndex, gateway, null, RouteOptions.NONE);
        }

        /** Several next hops. */
        static Key of(final KernelMultipath multipath, final RouteOptions options)
        {
            return new Key(KernelRoute.Kind.UNICAST, 0, IpAddress.NONE, multipath, options);
        }

        /** Returns the same next hop of routes with other options. */
        Key with(final RouteOptions others)
        {
            return new Key(kind, interfaceIndex, gateway, multipath, others);
        }

        /** Returns whether the next hop is a neighbour with an address of its own. */
        boolean isNeighbor()
        {
            return kind == KernelRoute.Kind.UNICAST && multipath == null && !gateway.isNone();
        }

        /** Returns whether this is the only next hop of a route of the kernel that is of a kind. */
        boolean isOf(final KernelRoute.Kind routeKind, final KernelRouteView route)
        {
            return multipath == null && route.multipath() == null && kind == routeKind &&
                interfaceIndex == route.interfaceIndex() &&
                gateway.high() == route.gatewayHigh() && gateway.low() == route.gatewayLow() &&
                options.equals(route.options());
        }

        /** A neighbour on an interface, or with interface 0 a gateway of the routes file, without options. */
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

    /**
     * When the kernel is asked for a neighbour next, on the control thread's clock in ms; shared by its next hops, so
     * that it is asked once for all.
     */
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

    IpAddress gateway()
    {
        return key.gateway();
    }

    /** Returns whether the destination itself is the neighbour. */
    boolean isConnected()
    {
        return key.kind() == KernelRoute.Kind.UNICAST && key.gateway().isNone() && key.multipath() == null;
    }

    /** Returns whether it has a gateway without an interface, as routes of the routes file. */
    boolean isRecursive()
    {
        return key.kind() == KernelRoute.Kind.UNICAST && !key.gateway().isNone() && key.interfaceIndex() == 0;
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

    /** Requests for its neighbour since it was last known. */
    int unanswered()
    {
        return nextRequest.unanswered;
    }

    void unanswered(final int requests)
    {
        nextRequest.unanswered = requests;
    }

    /** Makes its neighbour due for a request. */
    void requestNow()
    {
        nextRequest.timeMs = 0;
        nextRequest.unanswered = 0;
    }

    /** The members that it stands for; null for a single next hop, and where there was no adjacency for a group. */
    NextHopGroup group()
    {
        return group;
    }

    void group(final NextHopGroup members)
    {
        group = members;
    }

    /** The groups that this next hop is a member of. */
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

    /** Returns whether its neighbour did not answer, and has not answered since. */
    boolean isFailed()
    {
        return failed;
    }

    void failed(final boolean isFailed)
    {
        failed = isFailed;
    }
}
