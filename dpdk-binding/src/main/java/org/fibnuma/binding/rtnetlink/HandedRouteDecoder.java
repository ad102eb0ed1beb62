package org.fibnuma.binding.rtnetlink;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.kernel.RouteFeedListener;
import org.fibnuma.core.wire.IpAddress;

import static org.fibnuma.binding.libc.SysSocket.AF_INET;
import static org.fibnuma.binding.libc.SysSocket.AF_INET6;

/**
 * Decodes the netlink messages of a routing daemon about routes of the main table and next-hop objects. Messages of
 * other types and families (links, MPLS) and routes of other tables are ignored.
 * <p>
 * These messages are from another process, so each is validated. A malformed one is reported by
 * {@link RouteFeedListener#onSkip} and has no other effect: the next-hop object that it would have replaced stays. The
 * daemon has one route for a prefix and may write any metric, so that all routes have {@link #METRIC}.
 */
public final class HandedRouteDecoder
{
    /** Metric of all routes of zebra (NL_DEFAULT_ROUTE_METRIC, zebra/rt_netlink.h). */
    public static final int METRIC = 20;

    private static final int ATTRIBUTE_INT = Integer.BYTES;

    private final NextHops nextHops = new NextHops();
    private final InterfaceStates interfaces = new InterfaceStates();
    private final RouteDecoder decoder = new RouteDecoder(nextHops, interfaces);
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight hopAttributes = new NetlinkAttributeFlyweight();
    private final Route removed = new Route();
    private boolean isRemovalPending;

    /** Removes all next-hop objects, before the messages of a new connection. */
    public void clear()
    {
        nextHops.clear();
        interfaces.clear();
    }

    /**
     * Decodes messages that the daemon sent together. The removal of a route that one of them adds again is not
     * delivered: the new route replaces the old one.
     *
     * @param buffer   that contains the messages.
     * @param offset   of the first byte.
     * @param length   of all messages in bytes.
     * @param listener receives routes, changed next-hop objects and skipped messages.
     * @return null, or in one line why the end of a message is unknown; messages before it were delivered.
     */
    public String decode(
        final DirectBuffer buffer, final int offset, final int length, final RouteFeedListener listener)
    {
        isRemovalPending = false;
        message.wrap(buffer, offset, length);
        while (message.next())
        {
            final String problem = switch (message.type())
            {
                case RouteLayout.RTM_NEWROUTE, RouteLayout.RTM_DELROUTE -> onRoute(listener);
                case NextHopLayout.RTM_NEWNEXTHOP, NextHopLayout.RTM_DELNEXTHOP -> onNextHop(listener);
                default -> null;
            };
            if (problem != null)
            {
                listener.onSkip(problem);
            }
        }
        deliverRemoval(listener);
        return message.isMalformed() ?
            "a netlink message is longer than its frame or shorter than its header" : null;
    }

    private String onRoute(final RouteFeedListener listener)
    {
        final String problem = problemOfRoute();
        if (problem != null)
        {
            return problem;
        }
        final boolean present = message.type() == RouteLayout.RTM_NEWROUTE;
        final KernelRouteView route = decoder.decode(message);
        if (route == null || route.table() != KernelRoute.TABLE_MAIN)
        {
            return null;
        }
        if (!decoder.standsForSeveral())
        {
            decoder.metric = METRIC;
        }
        if (isRemovalPending && !(present && removed.hasIdentityOf(route)))
        {
            deliverRemoval(listener);
        }
        isRemovalPending = !present;
        if (present)
        {
            listener.onRoute(route, decoder.resolvedNextHopId(), true);
        }
        else
        {
            removed.set(route);
        }
        return null;
    }

    private void deliverRemoval(final RouteFeedListener listener)
    {
        if (isRemovalPending)
        {
            isRemovalPending = false;
            listener.onRoute(removed, 0, false);
        }
    }

    private String onNextHop(final RouteFeedListener listener)
    {
        final String problem = problemOfNextHop();
        if (problem != null)
        {
            return problem;
        }
        if (message.type() == NextHopLayout.RTM_DELNEXTHOP)
        {
            nextHops.onDeleted(message);
            return null;
        }
        final int id = idOfNextHop();
        final NextHops.NextHop before = nextHops.resolve(id);
        nextHops.onNew(message);
        if (!nextHops.resolve(id).equals(before))
        {
            deliverNextHop(id, listener);
            for (final int group : nextHops.groupsWith(id))
            {
                deliverNextHop(group, listener);
            }
        }
        return nextHops.isEndless(id) ? "the next-hop group " + id + " contains itself or more than " +
            NextHops.MAX_NESTED_MEMBERS + " members of groups; the kernel forwards by it" : null;
    }

    /** Reports a next-hop object. Routes with a new object may have arrived before it. */
    private void deliverNextHop(final int id, final RouteFeedListener listener)
    {
        if (nextHops.isUsed(id))
        {
            final NextHops.NextHop nextHop = nextHops.resolve(id);
            listener.onNextHop(id, new KernelRoute(
                false, IpAddress.NONE, 0, KernelRoute.TABLE_MAIN, METRIC, nextHop.kind(), nextHop.gateway(),
                nextHop.interfaceIndex(), nextHop.multipath()));
        }
    }

    private int idOfNextHop()
    {
        message.wrapAttributes(attributes, NextHopLayout.LENGTH);
        int id = 0;
        while (attributes.next())
        {
            id = attributes.type() == NextHopLayout.NHA_ID ? attributes.intValue(0) : id;
        }
        return id;
    }

    private String problemOfRoute()
    {
        if (!message.wrapAttributes(attributes, RouteLayout.LENGTH))
        {
            return "a route message is shorter than its header";
        }
        final int body = message.payloadOffset();
        final int family = message.buffer().getByte(body + RouteLayout.FAMILY_OFFSET);
        if (!AddressFamily.isIp(family))
        {
            return null;
        }
        final int prefixLength = message.buffer().getByte(body + RouteLayout.PREFIX_LENGTH_OFFSET) & 0xFF;
        final int bits = AddressFamily.bits(family);
        if (prefixLength > bits)
        {
            return "a prefix of the address family " + family + " has " + prefixLength + " bits";
        }
        boolean hasDestination = prefixLength == 0;
        String problem = null;
        while (problem == null && attributes.next())
        {
            hasDestination |= attributes.type() == RouteLayout.RTA_DST;
            problem = problemOfRouteAttribute(bits);
        }
        return problem != null ? problem :
            attributes.isMalformed() ? "an attribute of a route is longer than its message or shorter than its header" :
            hasDestination ? null : "a route has no destination";
    }

    private String problemOfRouteAttribute(final int bits)
    {
        final int length = attributes.valueLength();
        final boolean fits = switch (attributes.type())
        {
            case RouteLayout.RTA_DST -> length * Byte.SIZE == bits;
            case RouteLayout.RTA_GATEWAY -> isAddressLength(length);
            case RouteLayout.RTA_OIF, RouteLayout.RTA_TABLE, RouteLayout.RTA_PRIORITY, RouteLayout.RTA_NH_ID ->
                length == ATTRIBUTE_INT;
            case RouteLayout.RTA_MULTIPATH -> areHops();
            default -> true;
        };
        return fits ? null : "attribute " + attributes.type() + " of a route has a wrong value of " + length + " bytes";
    }

    private boolean areHops()
    {
        final DirectBuffer buffer = attributes.buffer();
        final int limit = attributes.valueOffset() + attributes.valueLength();
        int offset = attributes.valueOffset();
        while (offset < limit)
        {
            final int remaining = limit - offset;
            final int length = remaining < RouteLayout.HOP_LENGTH ? 0 :
                buffer.getShort(offset + RouteLayout.HOP_LENGTH_OFFSET) & 0xFFFF;
            if (length < RouteLayout.HOP_LENGTH || length > remaining)
            {
                return false;
            }
            hopAttributes.wrap(buffer, offset + RouteLayout.HOP_LENGTH, length - RouteLayout.HOP_LENGTH);
            while (hopAttributes.next())
            {
                if (hopAttributes.type() == RouteLayout.RTA_GATEWAY && !isAddressLength(hopAttributes.valueLength()))
                {
                    return false;
                }
            }
            if (hopAttributes.isMalformed())
            {
                return false;
            }
            offset += NetlinkLayout.align(length);
        }
        return attributes.valueLength() > 0;
    }

    private String problemOfNextHop()
    {
        if (!message.wrapAttributes(attributes, NextHopLayout.LENGTH))
        {
            return "a next-hop message is shorter than its header";
        }
        boolean hasId = false;
        while (attributes.next())
        {
            final int length = attributes.valueLength();
            final boolean fits = switch (attributes.type())
            {
                case NextHopLayout.NHA_ID, NextHopLayout.NHA_OIF -> length == ATTRIBUTE_INT;
                case NextHopLayout.NHA_GATEWAY -> isAddressLength(length);
                case NextHopLayout.NHA_GROUP -> length > 0 && length % NextHopLayout.GROUP_ENTRY_LENGTH == 0;
                case NextHopLayout.NHA_GROUP_TYPE -> length == Short.BYTES;
                case NextHopLayout.NHA_RES_GROUP -> isResilience();
                default -> true;
            };
            if (!fits)
            {
                return "attribute " + attributes.type() + " of a next hop has a wrong value of " + length + " bytes";
            }
            hasId |= attributes.type() == NextHopLayout.NHA_ID && attributes.intValue(0) != 0;
        }
        return attributes.isMalformed() ?
            "an attribute of a next hop is longer than its message or shorter than its header" :
            hasId ? null : "a next hop has no number";
    }

    private boolean isResilience()
    {
        hopAttributes.wrapNested(attributes);
        boolean fits = true;
        while (hopAttributes.next())
        {
            fits &= switch (hopAttributes.type())
            {
                case NextHopLayout.NHA_RES_GROUP_BUCKETS ->
                    hopAttributes.valueLength() == Short.BYTES && hopAttributes.shortValue(0) > 0;
                case NextHopLayout.NHA_RES_GROUP_IDLE_TIMER, NextHopLayout.NHA_RES_GROUP_UNBALANCED_TIMER ->
                    hopAttributes.valueLength() == ATTRIBUTE_INT;
                default -> true;
            };
        }
        return fits && !hopAttributes.isMalformed();
    }

    private static boolean isAddressLength(final int length)
    {
        return length * Byte.SIZE == AddressFamily.bits(AF_INET) || length * Byte.SIZE == AddressFamily.bits(AF_INET6);
    }

    /** A removal that waits for the next message. */
    private static final class Route extends RouteFields
    {
    }
}
