package org.fibnuma.binding.rtnetlink;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;

import static org.fibnuma.binding.rtnetlink.RouteLayout.HOP_LENGTH;
import static org.fibnuma.binding.rtnetlink.RouteLayout.RTNH_F_DEAD;

/**
 * Decodes RTM_NEWROUTE and RTM_DELROUTE of the main and local tables.
 * <p>
 * Of several next hops, the first that the kernel uses is taken. A next hop with a feature that only the kernel has (an
 * IPv6 gateway, an encapsulation, an unknown next-hop object) makes the route {@link KernelRoute.Kind#OTHER}. Routes
 * for a single type of service are ignored, since the forwarder does not distinguish types of service.
 * <p>
 * The decoder is itself the route that was decoded last: decoding allocates nothing.
 */
final class RouteDecoder extends RouteFields
{
    private static final int MAX_PREFIX_LENGTH = 32;

    private final NextHops nextHops;
    private final InterfaceStates interfaces;
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight hopAttributes = new NetlinkAttributeFlyweight();
    private int nextHopId;
    private int source;
    private boolean kernelOnly;
    private boolean spelledOut;
    private boolean multipath;
    private boolean dead;

    /**
     * Creates a decoder.
     *
     * @param nextHops   objects that routes may name.
     * @param interfaces receives what routes depend on.
     */
    RouteDecoder(final NextHops nextHops, final InterfaceStates interfaces)
    {
        this.nextHops = nextHops;
        this.interfaces = interfaces;
    }

    /**
     * Decodes one message of type RTM_NEWROUTE or RTM_DELROUTE.
     *
     * @return this decoder, which is the route until the next message is decoded; null where the route is not handled
     *         or the message is malformed.
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
        if (buffer.getByte(body + RouteLayout.FAMILY_OFFSET) != SysSocket.AF_INET ||
            buffer.getByte(body + RouteLayout.TOS_OFFSET) != 0 || prefixLength > MAX_PREFIX_LENGTH)
        {
            return null;
        }
        reset(buffer, body);
        while (attributes.next())
        {
            decodeAttribute();
        }
        if (table != KernelRoute.TABLE_MAIN && table != KernelRoute.TABLE_LOCAL)
        {
            return null;
        }
        kind = resolve(kind(buffer.getByte(body + RouteLayout.TYPE_OFFSET)));
        kind = kernelOnly ? KernelRoute.Kind.OTHER : kind;
        recordDependencies(buffer.getByte(body + RouteLayout.PROTOCOL_OFFSET) == RouteLayout.RTPROT_KERNEL);
        return this;
    }

    /** Returns whether the kernel does not use the last route because all its interfaces are down. */
    boolean isDead()
    {
        return dead;
    }

    /** Returns whether the last route has at most one next hop, given in the route itself. */
    boolean isPlain()
    {
        return !multipath && nextHopId == 0;
    }

    private void reset(final DirectBuffer buffer, final int body)
    {
        table = buffer.getByte(body + RouteLayout.TABLE_OFFSET) & 0xFF;
        dead = (buffer.getInt(body + RouteLayout.FLAGS_OFFSET) & RTNH_F_DEAD) != 0;
        prefix = 0;
        metric = 0;
        nextHopId = 0;
        source = 0;
        multipath = false;
        gateway = 0;
        interfaceIndex = 0;
        kernelOnly = false;
        spelledOut = false;
    }

    private void decodeAttribute()
    {
        switch (attributes.type())
        {
            case RouteLayout.RTA_DST -> prefix = attributes.ipv4Value(0);
            case RouteLayout.RTA_TABLE -> table = attributes.intValue(table);
            case RouteLayout.RTA_PRIORITY -> metric = attributes.intValue(0);
            case RouteLayout.RTA_NH_ID -> nextHopId = attributes.intValue(0);
            case RouteLayout.RTA_PREFSRC -> source = attributes.ipv4Value(0);
            case RouteLayout.RTA_MULTIPATH -> decodeHops();
            case RouteLayout.RTA_OIF ->
            {
                interfaceIndex = attributes.intValue(0);
                spelledOut = true;
            }
            default -> decodeHopAttribute(attributes);
        }
    }

    private void decodeHopAttribute(final NetlinkAttributeFlyweight attribute)
    {
        switch (attribute.type())
        {
            case RouteLayout.RTA_GATEWAY -> gateway = attribute.ipv4Value(0);
            case RouteLayout.RTA_VIA, RouteLayout.RTA_ENCAP_TYPE -> kernelOnly = true;
            default ->
            {
            }
        }
    }

    private void decodeHops()
    {
        final DirectBuffer buffer = attributes.buffer();
        final int limit = attributes.valueOffset() + attributes.valueLength();
        int offset = attributes.valueOffset();
        boolean found = false;
        multipath = true;
        while (limit - offset >= HOP_LENGTH)
        {
            final int length = buffer.getShort(offset + RouteLayout.HOP_LENGTH_OFFSET) & 0xFFFF;
            if (length < HOP_LENGTH || length > limit - offset)
            {
                break;
            }
            interfaces.addMultipathInterface(buffer.getInt(offset + RouteLayout.HOP_INDEX_OFFSET));
            final boolean used = (buffer.getByte(offset + RouteLayout.HOP_FLAGS_OFFSET) & RTNH_F_DEAD) == 0;
            if (!found && (used || !spelledOut))
            {
                decodeHop(buffer, offset, length);
            }
            found |= used;
            offset += NetlinkLayout.align(length);
        }
        dead = !found;
    }

    private void decodeHop(final DirectBuffer buffer, final int offset, final int length)
    {
        spelledOut = true;
        gateway = 0;
        kernelOnly = false;
        interfaceIndex = buffer.getInt(offset + RouteLayout.HOP_INDEX_OFFSET);
        hopAttributes.wrap(buffer, offset + HOP_LENGTH, length - HOP_LENGTH);
        while (hopAttributes.next())
        {
            decodeHopAttribute(hopAttributes);
        }
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
            return kind;
        }
        final NextHops.NextHop nextHop = nextHops.resolve(nextHopId);
        gateway = nextHop.gateway();
        interfaceIndex = nextHop.interfaceIndex();
        dead = nextHop.dead();
        return nextHop.kind();
    }

    /**
     * Records what the route depends on. The kernel notifies when it removes routes that it made for its own addresses.
     */
    private void recordDependencies(final boolean madeByKernel)
    {
        if (!madeByKernel || gateway != 0 || multipath)
        {
            interfaces.addInterface(interfaceIndex);
            if (source != 0)
            {
                interfaces.addSource(source);
            }
        }
        if (dead)
        {
            interfaces.addDead();
        }
    }

    private static KernelRoute.Kind kind(final int type)
    {
        return switch (type)
        {
            case RouteLayout.RTN_UNICAST -> KernelRoute.Kind.UNICAST;
            case RouteLayout.RTN_LOCAL -> KernelRoute.Kind.LOCAL;
            case RouteLayout.RTN_BROADCAST -> KernelRoute.Kind.BROADCAST;
            case RouteLayout.RTN_BLACKHOLE -> KernelRoute.Kind.BLACKHOLE;
            case RouteLayout.RTN_UNREACHABLE -> KernelRoute.Kind.UNREACHABLE;
            case RouteLayout.RTN_PROHIBIT -> KernelRoute.Kind.PROHIBIT;
            default -> KernelRoute.Kind.OTHER;
        };
    }
}
