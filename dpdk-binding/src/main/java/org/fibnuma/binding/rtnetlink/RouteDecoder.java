package org.fibnuma.binding.rtnetlink;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv6Address;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

import static org.fibnuma.binding.libc.SysSocket.AF_INET;
import static org.fibnuma.binding.libc.SysSocket.AF_INET6;
import static org.fibnuma.binding.rtnetlink.RouteLayout.HOP_LENGTH;
import static org.fibnuma.binding.rtnetlink.RouteLayout.RTNH_F_DEAD;

/**
 * Decodes RTM_NEWROUTE and RTM_DELROUTE of all tables. The decoder is itself the route that was decoded
 * last: decoding does not allocate.
 * <p>
 * A route has one next hop, or a {@link KernelMultipath} if the kernel uses several. Gateway and interface are then
 * those of the first next hop of an IPv4 route. For an IPv6 route they are those of the next hop with the lowest
 * interface index and gateway, because the order of next hops differs between notifications and lists.
 * <p>
 * A next hop with a feature that only the kernel has (an encapsulation, an unknown next-hop object) is
 * {@link KernelRoute.Kind#OTHER}; so is the route if it is the only one. All IPv6 routes to one prefix from source
 * prefixes are one route of type {@link KernelRoute.Kind#SOURCE_SPECIFIC}, preferred to the others of its prefix. All
 * IPv4 routes of one table to one prefix for single values of the TOS are one route of type
 * {@link KernelRoute.Kind#TOS_SPECIFIC}.
 * <p>
 * Copies for one destination (RTM_F_CLONED) are ignored. So are the IPv6 link-local and multicast prefixes of each
 * interface: a router does not forward to them (RFC 4291 section 2.5.6).
 */
final class RouteDecoder extends RouteFields
{
    /** The kernel has no IPv6 route with this metric in the main table, because it stores 1024 for 0. */
    private static final int SOURCE_SPECIFIC_METRIC = 0;
    /** In the local table the routes of the kernel's own addresses have metric 0. */
    private static final int LOCAL_SOURCE_SPECIFIC_METRIC = 1;

    private final NextHops nextHops;
    private final InterfaceStates interfaces;
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight hopAttributes = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight metrics = new NetlinkAttributeFlyweight();
    private int nextHopId;
    private long sourceHigh;
    private long sourceLow;
    private int mtu;
    private boolean mtuLocked;
    private int preference;
    private boolean kernelOnly;
    private boolean spelledOut;
    private boolean severalHops;
    private final List<KernelMultipath.Hop> hops = new ArrayList<>();
    private boolean dead;
    private boolean own;

    /** Creates a decoder with the objects that routes may name; it records the dependencies of routes. */
    RouteDecoder(final NextHops nextHops, final InterfaceStates interfaces)
    {
        this.nextHops = nextHops;
        this.interfaces = interfaces;
    }

    /**
     * Decodes one message of type RTM_NEWROUTE or RTM_DELROUTE. Returns this decoder, which is the route until the next
     * message is decoded; null if the route is not handled or the message is malformed.
     */
    KernelRouteView decode(final NetlinkMessageFlyweight message)
    {
        if (!message.wrapAttributes(attributes, RouteLayout.LENGTH))
        {
            return null;
        }
        final DirectBuffer buffer = message.buffer();
        final int body = message.payloadOffset();
        prefixLength = buffer.getByte(body + RouteLayout.PREFIX_LENGTH_OFFSET) & 0xFF;
        final int family = buffer.getByte(body + RouteLayout.FAMILY_OFFSET);
        if (!AddressFamily.isIp(family) || prefixLength > AddressFamily.bits(family) ||
            family == AF_INET && hasSource(buffer, body) || family == AF_INET6 && hasTos(buffer, body) ||
            (buffer.getInt(body + RouteLayout.FLAGS_OFFSET) & RouteLayout.RTM_F_CLONED) != 0)
        {
            return null;
        }
        ipv6 = family == AF_INET6;
        reset(buffer, body);
        while (attributes.next())
        {
            decodeAttribute();
        }
        if (isOfOneLink())
        {
            return null;
        }
        kind = resolve(kind(buffer.getByte(body + RouteLayout.TYPE_OFFSET)));
        kind = kernelOnly ? KernelRoute.Kind.OTHER : kind;
        if (hasSource(buffer, body))
        {
            kind = KernelRoute.Kind.SOURCE_SPECIFIC;
            metric = table == KernelRoute.TABLE_LOCAL ? LOCAL_SOURCE_SPECIFIC_METRIC : SOURCE_SPECIFIC_METRIC;
            clearGateway();
        }
        if (ipv6 && !hasInterface(kind))
        {
            // IPv6 routes of these types name the loopback interface.
            interfaceIndex = 0;
        }
        own = buffer.getByte(body + RouteLayout.PROTOCOL_OFFSET) == RouteLayout.RTPROT_KERNEL &&
            isConnected(buffer.getByte(body + RouteLayout.SCOPE_OFFSET) & 0xFF) && !hasTos(buffer, body);
        recordDependencies();
        if (hasTos(buffer, body))
        {
            kind = KernelRoute.Kind.TOS_SPECIFIC;
            metric = 0;
            interfaceIndex = 0;
            clearGateway();
        }
        multipath = kind == KernelRoute.Kind.UNICAST ? multipath : null;
        decodeOptions(buffer.getByte(body + RouteLayout.SCOPE_OFFSET) & 0xFF);
        return this;
    }

    /** Returns whether a message of type RTM_NEWROUTE or RTM_DELROUTE is about an IPv6 route of any table. */
    static boolean isIpv6(final NetlinkMessageFlyweight message)
    {
        return message.payloadLength() >= RouteLayout.LENGTH &&
            message.buffer().getByte(message.payloadOffset() + RouteLayout.FAMILY_OFFSET) == AF_INET6;
    }

    /** Returns whether the kernel does not use the last route because all its interfaces are down. */
    boolean isDead()
    {
        return dead;
    }

    /**
     * Returns the preference of the last route among those with the same prefix, table and metric (RFC 4191 section
     * 2.1): 1 high, 0 medium, -1 low. Routes from other sources than router advertisements are medium.
     */
    int preference()
    {
        return preference;
    }

    /** Returns the number of the object with the next hop of the last route, or 0. */
    int resolvedNextHopId()
    {
        return spelledOut || kind == KernelRoute.Kind.SOURCE_SPECIFIC ? 0 : nextHopId;
    }

    /** Returns whether the last route has several next hops that are given in the route itself. */
    boolean isMultipath()
    {
        return severalHops;
    }

    /**
     * Returns whether the last route is like those that the kernel makes for the addresses of an interface (fib_magic
     * in net/ipv4/fib_frontend.c, addrconf_prefix_route in net/ipv6/addrconf.c): of protocol kernel, to a network on
     * the link or an address of it, without a next-hop object. {@link OwnRoutes} follows these.
     */
    boolean isOwn()
    {
        return own;
    }

    /** Returns whether the last route has at most one next hop, given in the route itself. */
    boolean isPlain()
    {
        return !severalHops && nextHopId == 0;
    }

    private static boolean hasSource(final DirectBuffer buffer, final int body)
    {
        return buffer.getByte(body + RouteLayout.SOURCE_LENGTH_OFFSET) != 0;
    }

    private static boolean hasTos(final DirectBuffer buffer, final int body)
    {
        return buffer.getByte(body + RouteLayout.TOS_OFFSET) != 0;
    }

    /** Returns whether the last route is one for all routes of its kind to its prefix. */
    boolean standsForSeveral()
    {
        return kind == KernelRoute.Kind.SOURCE_SPECIFIC || kind == KernelRoute.Kind.TOS_SPECIFIC;
    }

    private void reset(final DirectBuffer buffer, final int body)
    {
        table = buffer.getByte(body + RouteLayout.TABLE_OFFSET) & 0xFF;
        dead = (buffer.getInt(body + RouteLayout.FLAGS_OFFSET) & RTNH_F_DEAD) != 0;
        prefixHigh = 0;
        prefixLow = ipv6 ? 0 : IpAddress.mappedLow(0);
        metric = ipv6 ? RouteLayout.IPV6_DEFAULT_METRIC : 0;
        nextHopId = 0;
        sourceHigh = 0;
        sourceLow = 0;
        mtu = 0;
        mtuLocked = false;
        preference = 0;
        severalHops = false;
        multipath = null;
        clearGateway();
        interfaceIndex = 0;
        kernelOnly = false;
        spelledOut = false;
    }

    private void clearGateway()
    {
        gatewayHigh = 0;
        gatewayLow = 0;
    }

    /** Returns whether the prefix is in {@code fe80::/10} or {@code ff00::/8}. */
    private boolean isOfOneLink()
    {
        return Ipv6Address.isLinkLocal(prefixHigh) || Ipv6Address.isMulticast(prefixHigh);
    }

    private void decodeAttribute()
    {
        switch (attributes.type())
        {
            case RouteLayout.RTA_DST ->
            {
                if (attributes.valueLength() * Byte.SIZE == AddressFamily.bits(ipv6 ? AF_INET6 : AF_INET))
                {
                    prefixHigh = attributes.addressHigh();
                    prefixLow = attributes.addressLow();
                }
            }
            case RouteLayout.RTA_TABLE -> table = attributes.intValue(table);
            case RouteLayout.RTA_PRIORITY -> metric = attributes.intValue(0);
            case RouteLayout.RTA_NH_ID -> nextHopId = attributes.intValue(0);
            case RouteLayout.RTA_PREF -> decodePreference();
            case RouteLayout.RTA_PREFSRC ->
            {
                sourceHigh = attributes.addressHigh();
                sourceLow = attributes.addressLow();
            }
            case RouteLayout.RTA_METRICS -> decodeMetrics();
            case RouteLayout.RTA_MULTIPATH -> decodeHops();
            case RouteLayout.RTA_OIF ->
            {
                interfaceIndex = attributes.intValue(0);
                spelledOut = true;
            }
            default -> decodeHopAttribute(attributes);
        }
    }

    private void decodeMetrics()
    {
        metrics.wrapNested(attributes);
        while (metrics.next())
        {
            switch (metrics.type())
            {
                case RouteLayout.RTAX_MTU -> mtu = metrics.intValue(0);
                case RouteLayout.RTAX_LOCK -> mtuLocked = (metrics.intValue(0) & 1 << RouteLayout.RTAX_MTU) != 0;
                default ->
                {
                }
            }
        }
    }

    /** Uses the object of the previous route if it is equal, because most routes of a daemon have the same options. */
    private void decodeOptions(final int scope)
    {
        final int usedScope = ipv6 ? 0 : scope;
        if (kind != KernelRoute.Kind.UNICAST || mtu == 0 && usedScope == 0 && (sourceHigh | sourceLow) == 0)
        {
            options = RouteOptions.NONE;
        }
        else if (options.mtu() != mtu || options.mtuLocked() != mtuLocked || options.scope() != usedScope ||
            options.source().high() != sourceHigh || options.source().low() != sourceLow)
        {
            options = new RouteOptions(mtu, mtuLocked, new IpAddress(sourceHigh, sourceLow), usedScope);
        }
    }

    private void decodePreference()
    {
        final int value = attributes.valueLength() == Byte.BYTES ?
            attributes.buffer().getByte(attributes.valueOffset()) & 0xFF : RouteLayout.ICMPV6_ROUTER_PREF_MEDIUM;
        preference = value == RouteLayout.ICMPV6_ROUTER_PREF_HIGH ? 1 :
            value == RouteLayout.ICMPV6_ROUTER_PREF_LOW ? -1 : 0;
    }

    private void decodeHopAttribute(final NetlinkAttributeFlyweight attribute)
    {
        switch (attribute.type())
        {
            case RouteLayout.RTA_GATEWAY ->
            {
                gatewayHigh = attribute.addressHigh();
                gatewayLow = attribute.addressLow();
            }
            case RouteLayout.RTA_VIA -> decodeVia(attribute);
            case RouteLayout.RTA_ENCAP_TYPE -> kernelOnly = true;
            default ->
            {
            }
        }
    }

    /** Decodes the gateway of another family than the route's (RFC 8950). */
    private void decodeVia(final NetlinkAttributeFlyweight attribute)
    {
        final DirectBuffer buffer = attribute.buffer();
        final int via = attribute.valueOffset();
        if (attribute.valueLength() == RouteLayout.VIA_ADDRESS_OFFSET + Ipv6Address.LENGTH &&
            buffer.getShort(via + RouteLayout.VIA_FAMILY_OFFSET) == AF_INET6)
        {
            gatewayHigh = buffer.getLong(via + RouteLayout.VIA_ADDRESS_OFFSET, ByteOrder.BIG_ENDIAN);
            gatewayLow = buffer.getLong(via + RouteLayout.VIA_ADDRESS_OFFSET + Long.BYTES, ByteOrder.BIG_ENDIAN);
        }
        else
        {
            kernelOnly = true;
        }
    }

    /**
     * Decodes the next hops. They include one whose interface is down, so that the route does not change when the
     * interface is up again.
     */
    private void decodeHops()
    {
        final DirectBuffer buffer = attributes.buffer();
        final int limit = attributes.valueOffset() + attributes.valueLength();
        int offset = attributes.valueOffset();
        KernelMultipath.Hop chosen = null;
        boolean found = false;
        severalHops = true;
        hops.clear();
        while (limit - offset >= HOP_LENGTH)
        {
            final int length = buffer.getShort(offset + RouteLayout.HOP_LENGTH_OFFSET) & 0xFFFF;
            if (length < HOP_LENGTH || length > limit - offset)
            {
                break;
            }
            final KernelMultipath.Hop hop = decodeHop(buffer, offset, length);
            interfaces.addMultipathInterface(hop.interfaceIndex());
            final boolean used = (buffer.getByte(offset + RouteLayout.HOP_FLAGS_OFFSET) & RTNH_F_DEAD) == 0;
            if (used || interfaces.isDown(hop.interfaceIndex()))
            {
                hops.add(hop);
            }
            if (chosen == null || used && (!found || ipv6 && hop.compareTo(chosen) < 0))
            {
                chosen = hop;
            }
            found |= used;
            offset += NetlinkLayout.align(length);
        }
        multipath = found && hops.size() > 1 ? new KernelMultipath(null, hops) : null;
        kernelOnly = multipath == null && chosen != null && chosen.kind() == KernelRoute.Kind.OTHER;
        spelledOut = chosen != null;
        interfaceIndex = chosen == null ? 0 : chosen.interfaceIndex();
        gatewayHigh = chosen == null ? 0 : chosen.gateway().high();
        gatewayLow = chosen == null ? 0 : chosen.gateway().low();
        dead = !found;
    }

    private KernelMultipath.Hop decodeHop(final DirectBuffer buffer, final int offset, final int length)
    {
        clearGateway();
        kernelOnly = false;
        hopAttributes.wrap(buffer, offset + HOP_LENGTH, length - HOP_LENGTH);
        while (hopAttributes.next())
        {
            decodeHopAttribute(hopAttributes);
        }
        return new KernelMultipath.Hop(
            kernelOnly ? KernelRoute.Kind.OTHER : KernelRoute.Kind.UNICAST,
            buffer.getInt(offset + RouteLayout.HOP_INDEX_OFFSET),
            new IpAddress(gatewayHigh, gatewayLow),
            (buffer.getByte(offset + RouteLayout.HOP_WEIGHT_OFFSET) & 0xFF) + 1);
    }

    private KernelRoute.Kind resolve(final KernelRoute.Kind kind)
    {
        if (nextHopId == 0)
        {
            return kind;
        }
        nextHops.onUsed(nextHopId);
        if (spelledOut || kind == KernelRoute.Kind.BLACKHOLE)
        {
            multipath = multipath == null ? null : nextHops.withGroup(nextHopId, multipath);
            return kind;
        }
        final NextHops.NextHop nextHop = nextHops.resolve(nextHopId);
        gatewayHigh = nextHop.gateway().high();
        gatewayLow = nextHop.gateway().low();
        interfaceIndex = nextHop.interfaceIndex();
        dead = nextHop.dead();
        multipath = nextHop.multipath();
        return nextHop.kind();
    }

    private boolean isConnected(final int scope)
    {
        final int expectedScope =
            ipv6 ? scope : kind == KernelRoute.Kind.LOCAL ? RouteLayout.RT_SCOPE_HOST : RouteLayout.RT_SCOPE_LINK;
        return (hasInterface(kind) || kind == KernelRoute.Kind.BROADCAST) && scope == expectedScope && isPlain() &&
            interfaceIndex != 0 && Ipv6Address.isUnspecified(gatewayHigh, gatewayLow);
    }

    /** Records the dependencies of a route. */
    private void recordDependencies()
    {
        if (!own && ipv6)
        {
            interfaces.addIpv6Interface(interfaceIndex);
        }
        else if (!own)
        {
            interfaces.addInterface(interfaceIndex);
            if (sourceLow != 0)
            {
                interfaces.addSource((int)sourceLow);
            }
        }
        if (dead && !ipv6)
        {
            interfaces.addDead();
        }
    }

    private static boolean hasInterface(final KernelRoute.Kind kind)
    {
        return kind == KernelRoute.Kind.UNICAST || kind == KernelRoute.Kind.LOCAL;
    }

    private KernelRoute.Kind kind(final int type)
    {
        return switch (type)
        {
            case RouteLayout.RTN_UNICAST -> KernelRoute.Kind.UNICAST;
            case RouteLayout.RTN_LOCAL -> KernelRoute.Kind.LOCAL;
            case RouteLayout.RTN_ANYCAST -> ipv6 ? KernelRoute.Kind.LOCAL : KernelRoute.Kind.OTHER;
            case RouteLayout.RTN_BROADCAST -> KernelRoute.Kind.BROADCAST;
            case RouteLayout.RTN_BLACKHOLE -> KernelRoute.Kind.BLACKHOLE;
            case RouteLayout.RTN_UNREACHABLE -> KernelRoute.Kind.UNREACHABLE;
            case RouteLayout.RTN_PROHIBIT -> KernelRoute.Kind.PROHIBIT;
            default -> KernelRoute.Kind.OTHER;
        };
    }
}
