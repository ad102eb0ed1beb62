package org.fibnuma.binding.rtnetlink;

import org.agrona.DirectBuffer;
import org.agrona.collections.Int2IntCounterMap;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The kernel's next-hop objects and groups by number, from RTM_NEWNEXTHOP and RTM_DELNEXTHOP. Resolves routes with the
 * number of an object and without a next hop (net.ipv4.nexthop_compat_mode 0).
 */
final class NextHops
{
    private static final int BYTE_MASK = 0xFF;
    /** Most members of groups within a group, four times zebra's most next hops of a route (MULTIPATH_NUM). */
    static final int MAX_NESTED_MEMBERS = 1024;
    /** Largest weight in a flattened group: a multiple of 1 to 12, so that usual shares are exact. */
    private static final int FLATTENED_WEIGHT = 55_440;
    private static final long MS_PER_CLOCK =
        TimeUnit.SECONDS.toMillis(1) / NextHopLayout.CLOCKS_PER_SECOND;

    private final Int2ObjectHashMap<NextHop> objects = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<Group> groups = new Int2ObjectHashMap<>();
    private final Int2IntCounterMap interfaces = new Int2IntCounterMap(0);
    private final IntHashSet usedIds = new IntHashSet();
    private final IntHashSet memberIds = new IntHashSet();
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight resilientAttributes = new NetlinkAttributeFlyweight();
    private boolean routesResolved;
    private int nestedMembers;
    private int id;
    private IpAddress gateway;
    private int interfaceIndex;
    private List<Member> members;
    private boolean resilient;
    private int buckets;
    private long idleMs;
    private long unbalancedMs;
    private KernelRoute.Kind kind;

    /** Removes all records. */
    void clear()
    {
        objects.clear();
        groups.clear();
        interfaces.clear();
        usedIds.clear();
        memberIds.clear();
        routesResolved = false;
    }

    /** Records that a route has an object. */
    void onUsed(final int nextHopId)
    {
        usedIds.add(nextHopId);
    }

    /**
     * Returns whether {@link #resolve} was called since the last {@link #clear()}. If so, a changed object changes
     * routes without a notification. If the kernel gives next hops in the routes, it notifies of each changed route.
     */
    boolean haveResolvedRoutes()
    {
        return routesResolved;
    }

    /** Stores the object of an RTM_NEWNEXTHOP. Returns false if the message is malformed. */
    boolean onNew(final NetlinkMessageFlyweight message)
    {
        if (!decode(message))
        {
            return false;
        }
        remove();
        if (!members.isEmpty())
        {
            members.forEach(member -> memberIds.add(member.nextHopId));
            groups.put(id, new Group(members, !resilient || buckets == 0 ? null :
                new KernelMultipath.Resilience(id, buckets, idleMs, unbalancedMs)));
        }
        else
        {
            final int flags = message.buffer().getInt(message.payloadOffset() + NextHopLayout.FLAGS_OFFSET);
            objects.put(id, new NextHop(
                kind, gateway, interfaceIndex, (flags & RouteLayout.RTNH_F_DEAD) != 0, null));
            interfaces.incrementAndGet(interfaceIndex);
        }
        return true;
    }

    /**
     * Removes the object of an RTM_DELNEXTHOP. Returns whether routes had it, or a group that contained it, since the
     * last {@link #clear()}. The kernel removes these routes without a notification.
     */
    boolean onDeleted(final NetlinkMessageFlyweight message)
    {
        if (!decode(message))
        {
            return false;
        }
        final boolean used = usedIds.contains(id) || isMemberOfUsedGroup();
        remove();
        return used;
    }

    private void remove()
    {
        final NextHop before = objects.remove(id);
        if (before != null)
        {
            interfaces.decrementAndGet(before.interfaceIndex());
        }
        groups.remove(id);
    }

    /**
     * Returns whether an object has an egress interface. When the interface goes down or loses its carrier, the kernel
     * removes the object and the IPv4 routes that have it without a notification (nh_netdev_event in
     * net/ipv4/nexthop.c).
     */
    boolean haveInterface(final int egressInterface)
    {
        return interfaces.get(egressInterface) > 0;
    }

    /** Returns whether a route has had an object since the last {@link #clear()}. */
    boolean isUsed(final int nextHopId)
    {
        return usedIds.contains(nextHopId);
    }

    /** Returns the numbers of the groups that contain an object or group, also within groups that they contain. */
    int[] groupsWith(final int nextHopId)
    {
        final IntHashSet found = new IntHashSet();
        if (memberIds.contains(nextHopId))
        {
            found.add(nextHopId);
            int before;
            do
            {
                before = found.size();
                groups.forEach((number, group) ->
                {
                    if (group.members.stream().anyMatch(member -> found.contains(member.nextHopId)))
                    {
                        found.add(number);
                    }
                });
            }
            while (found.size() > before);
            found.remove(nextHopId);
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Returns the next hops of a route with the weights of its group, of which the route has the low 8 bits only, and
     * with the properties of a resilient group.
     *
     * @param nextHopId number of the group; the next hops are returned unchanged if it is unknown.
     * @param inRoute   the next hops in the route.
     */
    KernelMultipath withGroup(final int nextHopId, final KernelMultipath inRoute)
    {
        final Group group = groups.get(nextHopId);
        if (group == null)
        {
            return inRoute;
        }
        final List<Member> left = new ArrayList<>(group.members);
        final List<KernelMultipath.Hop> hops = new ArrayList<>();
        for (final KernelMultipath.Hop hop : inRoute.hops())
        {
            final Member member = left.stream().filter(each -> isMember(each, hop)).findFirst().orElse(null);
            left.remove(member);
            hops.add(new KernelMultipath.Hop(
                hop.kind(), hop.interfaceIndex(), hop.gateway(), member == null ? hop.weight() : member.weight));
        }
        return new KernelMultipath(group.resilience, hops);
    }

    private boolean isMember(final Member member, final KernelMultipath.Hop hop)
    {
        final NextHop nextHop = object(member.nextHopId);
        return nextHop.interfaceIndex() == hop.interfaceIndex() && nextHop.gateway().equals(hop.gateway()) &&
            (member.weight - hop.weight() & BYTE_MASK) == 0;
    }

    /**
     * Returns an object's next hop, or those of a group that are in use; {@link NextHop#UNKNOWN} if there is none, and
     * for a group that {@link #isEndless}.
     */
    NextHop resolve(final int nextHopId)
    {
        routesResolved = true;
        final Group group = groups.get(nextHopId);
        return group == null ? object(nextHopId) : resolve(group);
    }

    /** Returns whether a group contains itself, or groups that have more than {@link #MAX_NESTED_MEMBERS} members. */
    boolean isEndless(final int nextHopId)
    {
        final Group group = groups.get(nextHopId);
        return group != null && inUse(group) == null;
    }

    /** Resolves a group. Only the kernel can use a member that is no object. */
    private NextHop resolve(final Group group)
    {
        final List<Member> used = inUse(group);
        if (used == null || used.isEmpty())
        {
            return used == null ? NextHop.UNKNOWN : object(group.members.get(0).nextHopId);
        }
        final NextHop first = object(used.get(0).nextHopId);
        if (used.size() == 1)
        {
            return first;
        }
        final List<KernelMultipath.Hop> hops = new ArrayList<>();
        for (final Member member : used)
        {
            final NextHop nextHop = object(member.nextHopId);
            hops.add(new KernelMultipath.Hop(
                nextHop.kind() == KernelRoute.Kind.UNICAST ? nextHop.kind() : KernelRoute.Kind.OTHER,
                nextHop.interfaceIndex(), nextHop.gateway(), member.weight));
        }
        return new NextHop(KernelRoute.Kind.UNICAST, first.gateway(), first.interfaceIndex(), false,
            new KernelMultipath(group.resilience, hops));
    }

    /** Returns the objects of a group that are not dead; null for a group that {@link #isEndless}. */
    private List<Member> inUse(final Group group)
    {
        nestedMembers = 0;
        return isNested(group) ? flattened(group) :
            group.members.stream().filter(member -> !object(member.nextHopId).dead()).toList();
    }

    private boolean isNested(final Group group)
    {
        return group.members.stream().anyMatch(member -> groups.containsKey(member.nextHopId));
    }

    /**
     * Returns the objects in use of a group and of its inner groups, which zebra sends and the kernel does not have.
     * The objects in use of an inner group divide the share of its weight by their weights.
     */
    private List<Member> flattened(final Group group)
    {
        final Map<Integer, Double> shares = new LinkedHashMap<>();
        for (final Member member : group.members)
        {
            final Group inner = groups.get(member.nextHopId);
            final List<Member> used = ++nestedMembers > MAX_NESTED_MEMBERS ? null :
                inner != null ? flattened(inner) :
                object(member.nextHopId).dead() ? List.of() : List.of(member);
            if (used == null)
            {
                return null;
            }
            final double sum = used.stream().mapToInt(Member::weight).sum();
            used.forEach(object ->
                shares.merge(object.nextHopId, member.weight * object.weight / sum, Double::sum));
        }
        final double largest = shares.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
        shares.replaceAll((number, share) -> Math.max(1, Math.rint(share / largest * FLATTENED_WEIGHT)));
        final int divisor = shares.values().stream().mapToInt(Double::intValue)
            .reduce(0, NextHops::greatestCommonDivisor);
        return shares.entrySet().stream()
            .map(share -> new Member(share.getKey(), share.getValue().intValue() / divisor)).toList();
    }

    private static int greatestCommonDivisor(final int left, final int right)
    {
        return right == 0 ? left : greatestCommonDivisor(right, left % right);
    }

    private boolean isMemberOfUsedGroup()
    {
        return groups.entrySet().stream().anyMatch(group ->
            usedIds.contains(group.getKey().intValue()) && group.getValue().contains(id));
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
        members = List.of();
        resilient = false;
        buckets = 0;
        idleMs = 0;
        unbalancedMs = 0;
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
            case NextHopLayout.NHA_GROUP -> members = membersOf(attributes);
            case NextHopLayout.NHA_GROUP_TYPE ->
                resilient = attributes.shortValue(0) == NextHopLayout.NEXTHOP_GRP_TYPE_RES;
            case NextHopLayout.NHA_RES_GROUP -> decodeResilience();
            case NextHopLayout.NHA_GATEWAY -> gateway = attributes.addressValue();
            default ->
            {
            }
        }
    }

    private void decodeResilience()
    {
        resilientAttributes.wrapNested(attributes);
        while (resilientAttributes.next())
        {
            switch (resilientAttributes.type())
            {
                case NextHopLayout.NHA_RES_GROUP_BUCKETS -> buckets = resilientAttributes.shortValue(0);
                case NextHopLayout.NHA_RES_GROUP_IDLE_TIMER -> idleMs = clocksToMs();
                case NextHopLayout.NHA_RES_GROUP_UNBALANCED_TIMER -> unbalancedMs = clocksToMs();
                default ->
                {
                }
            }
        }
    }

    private long clocksToMs()
    {
        return Integer.toUnsignedLong(resilientAttributes.intValue(0)) * MS_PER_CLOCK;
    }

    /** Returns the members in an attribute NHA_GROUP, without an incomplete one at its end. */
    private static List<Member> membersOf(final NetlinkAttributeFlyweight attribute)
    {
        final DirectBuffer buffer = attribute.buffer();
        final List<Member> members = new ArrayList<>();
        for (int i = 0; i < attribute.valueLength() / NextHopLayout.GROUP_ENTRY_LENGTH; i++)
        {
            final int entry = attribute.valueOffset() + i * NextHopLayout.GROUP_ENTRY_LENGTH;
            final int weight = buffer.getByte(entry + NextHopLayout.GROUP_WEIGHT_OFFSET) & BYTE_MASK |
                (buffer.getByte(entry + NextHopLayout.GROUP_WEIGHT_HIGH_OFFSET) & BYTE_MASK) << Byte.SIZE;
            members.add(new Member(buffer.getInt(entry + NextHopLayout.GROUP_ID_OFFSET), weight + 1));
        }
        return members;
    }

    /**
     * A member of a group.
     *
     * @param nextHopId number of an object, or of another group.
     * @param weight    1 to 65,536.
     */
    record Member(int nextHopId, int weight)
    {
    }

    private record Group(List<Member> members, KernelMultipath.Resilience resilience)
    {
        boolean contains(final int nextHopId)
        {
            return members.stream().anyMatch(member -> member.nextHopId == nextHopId);
        }
    }

    /**
     * A resolved next hop.
     *
     * @param kind           UNICAST, BLACKHOLE, or OTHER if only the kernel can use it.
     * @param gateway        IPv4 or IPv6, or NONE if the destination is on the link.
     * @param interfaceIndex egress interface, or 0.
     * @param dead           whether the kernel does not use it.
     * @param multipath      the next hops of a group in which several are in use; gateway and interface are those of
     *                       the first. Otherwise null.
     */
    record NextHop(
        KernelRoute.Kind kind, IpAddress gateway, int interfaceIndex, boolean dead, KernelMultipath multipath)
    {
        /** An unknown object, or one that only the kernel can use. */
        static final NextHop UNKNOWN = new NextHop(KernelRoute.Kind.OTHER, IpAddress.NONE, 0, false, null);
    }
}
