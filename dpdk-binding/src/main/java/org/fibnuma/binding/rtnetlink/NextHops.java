package org.fibnuma.binding.rtnetlink;

import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;

import java.util.Arrays;

/**
 * The kernel's next-hop objects and groups by number, from RTM_NEWNEXTHOP and RTM_DELNEXTHOP. Resolves routes that name
 * an object where the kernel does not give the next hop in the route itself (net.ipv4.nexthop_compat_mode 0).
 */
final class NextHops
{
    private static final int[] NO_MEMBERS = {};

    private final Int2ObjectHashMap<NextHop> objects = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<int[]> groups = new Int2ObjectHashMap<>();
    private final IntHashSet usedIds = new IntHashSet();
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private boolean routesResolved;
    private int id;
    private IpAddress gateway;
    private int interfaceIndex;
    private int[] members;
    private KernelRoute.Kind kind;

    /** Removes all records. */
    void clear()
    {
        objects.clear();
        groups.clear();
        usedIds.clear();
        routesResolved = false;
    }

    /** Records that a route names an object. */
    void onUsed(final int nextHopId)
    {
        usedIds.add(nextHopId);
    }

    /**
     * Returns whether {@link #resolve} was called since the last {@link #clear()}. If so, a changed object changes
     * routes without a notification. Where the kernel gives next hops in the routes, it notifies of each changed route.
     */
    boolean haveResolvedRoutes()
    {
        return routesResolved;
    }

    /** Stores the object of an RTM_NEWNEXTHOP. Returns false where the message is malformed. */
    boolean onNew(final NetlinkMessageFlyweight message)
    {
        if (!decode(message))
        {
            return false;
        }
        objects.remove(id);
        groups.remove(id);
        if (members.length > 0)
        {
            groups.put(id, members);
        }
        else
        {
            final int flags = message.buffer().getInt(message.payloadOffset() + NextHopLayout.FLAGS_OFFSET);
            objects.put(id, new NextHop(kind, gateway, interfaceIndex, (flags & RouteLayout.RTNH_F_DEAD) != 0));
        }
        return true;
    }

    /**
     * Removes the object of an RTM_DELNEXTHOP. Returns whether routes named it, or a group that contained it, since the
     * last {@link #clear()}. The kernel removes these routes without a notification.
     */
    boolean onDeleted(final NetlinkMessageFlyweight message)
    {
        if (!decode(message))
        {
            return false;
        }
        final boolean used = usedIds.contains(id) || isMemberOfUsedGroup();
        objects.remove(id);
        groups.remove(id);
        return used;
    }

    /** Returns an object's next hop, or a group's first one in use; {@link NextHop#UNKNOWN} where there is none. */
    NextHop resolve(final int nextHopId)
    {
        routesResolved = true;
        final int[] group = groups.get(nextHopId);
        if (group == null)
        {
            return object(nextHopId);
        }
        for (final int member : group)
        {
            final NextHop nextHop = object(member);
            if (!nextHop.dead())
            {
                return nextHop;
            }
        }
        return object(group[0]);
    }

    private boolean isMemberOfUsedGroup()
    {
        return groups.entrySet().stream().anyMatch(group ->
            usedIds.contains(group.getKey().intValue()) && Arrays.stream(group.getValue()).anyMatch(i -> i == id));
    }

    private NextHop object(final int nextHopId)
    {
        final NextHop nextHop = objects.get(nextHopId);
        return nextHop == null ? NextHop.UNKNOWN : nextHop;
    }

    private boolean decode(final NetlinkMessageFlyweight message)
    {
        if (!message.wrapAttributes(attributes, NextHopLayout.LENGTH))
        {
            return false;
        }
        id = 0;
        gateway = IpAddress.NONE;
        interfaceIndex = 0;
        members = NO_MEMBERS;
        kind = KernelRoute.Kind.UNICAST;
        while (attributes.next())
        {
            decodeAttribute();
        }
        return id != 0;
    }

    private void decodeAttribute()
    {
        switch (attributes.type())
        {
            case NextHopLayout.NHA_ID -> id = attributes.intValue(0);
            case NextHopLayout.NHA_OIF -> interfaceIndex = attributes.intValue(0);
            case NextHopLayout.NHA_BLACKHOLE -> kind = KernelRoute.Kind.BLACKHOLE;
            case NextHopLayout.NHA_ENCAP_TYPE, NextHopLayout.NHA_FDB -> kind = KernelRoute.Kind.OTHER;
            case NextHopLayout.NHA_GROUP -> members = members();
            case NextHopLayout.NHA_GATEWAY -> gateway = attributes.addressValue();
            default ->
            {
            }
        }
    }

    private int[] members()
    {
        final DirectBuffer buffer = attributes.buffer();
        final int[] ids = new int[attributes.valueLength() / NextHopLayout.GROUP_ENTRY_LENGTH];
        for (int i = 0; i < ids.length; i++)
        {
            ids[i] = buffer.getInt(attributes.valueOffset() + i * NextHopLayout.GROUP_ENTRY_LENGTH +
                NextHopLayout.GROUP_ID_OFFSET);
        }
        return ids;
    }

    /**
     * A resolved next hop.
     *
     * @param kind           UNICAST, BLACKHOLE, or OTHER where only the kernel can use it.
     * @param gateway        IPv4 or IPv6, or NONE where the destination is on the link itself.
     * @param interfaceIndex outgoing interface, or 0.
     * @param dead           whether the kernel does not use it.
     */
    record NextHop(KernelRoute.Kind kind, IpAddress gateway, int interfaceIndex, boolean dead)
    {
        /** An unknown object, or one that no route can be made of; left to the kernel. */
        static final NextHop UNKNOWN = new NextHop(KernelRoute.Kind.OTHER, IpAddress.NONE, 0, false);
    }
}
