package org.fibnuma.fibnic.rib;

import org.agrona.collections.Int2ObjectHashMap;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.adjacency.VlanTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The interfaces of the kernel above ports that are VLAN interfaces of the router: those with one VLAN tag or two on a
 * port, and macvlan interfaces on a port or on one of these. The kernel forwards for interfaces with more tags, with
 * VID 0, above a macvlan interface, with a master such as a bridge, and for those beyond
 * {@link InterfaceNumber#MAX_VLANS}. Control thread.
 */
public final class VlanLinks
{
    private static final Logger LOGGER = LoggerFactory.getLogger(VlanLinks.class);

    /** Deepest stack of VLAN interfaces in Linux (net/8021q/vlan.c: the nesting of lower devices). */
    private static final int MAX_DEPTH = 8;
    /** VLAN tags of a port, and of an interface that cannot be one of the router. */
    private static final long NO_TAGS = 0;
    /** Identity of an interface that cannot be one of the router. */
    private static final long NO_IDENTITY = 0;

    private final LinkTable links;
    private final Int2ObjectHashMap<Place> places = new Int2ObjectHashMap<>();
    private final int[] interfaces = new int[InterfaceNumber.MAX_VLANS + 1];
    private final BitSet taken = new BitSet();
    private int last;
    private long changes;
    private boolean exhaustionReported;

    VlanLinks(final LinkTable links)
    {
        this.links = links;
    }

    /**
     * A VLAN or macvlan interface on a port.
     *
     * @param number   of the router's interface; {@link LinkTable#NO_NUMBER} if the kernel forwards for it.
     * @param port     index of the port.
     * @param tags     identity of its VLAN tags, see {@link VlanTag}; {@link #NO_TAGS} if it has more than two.
     * @param identity the same, or that of {@link InterfaceNumber#macvlanIdentity}; {@link #NO_IDENTITY} where the
     *                 router cannot tell its frames from others.
     */
    private record Place(int number, int port, long tags, long identity)
    {
    }

    /** Returns the number of the VLAN interface of a kernel index, or {@link LinkTable#NO_NUMBER}. */
    int numberOf(final int interfaceIndex)
    {
        final Place place = places.get(interfaceIndex);
        return place == null ? LinkTable.NO_NUMBER : place.number;
    }

    /** Returns the kernel index of a VLAN interface, or 0. */
    int interfaceOf(final int number)
    {
        return interfaces[InterfaceNumber.vlanOf(number)];
    }

    /**
     * Returns the identity of an interface of {@link #interfaces()} as {@link VlanTable} and
     * {@link org.fibnuma.core.port.SharedInterface#takeVlan} know it.
     */
    long identityOf(final int interfaceIndex)
    {
        return places.get(interfaceIndex).identity;
    }

    /** Returns whether an interface of {@link #interfaces()} is a macvlan interface. */
    public boolean isMacvlan(final int interfaceIndex)
    {
        return InterfaceNumber.isMacvlanIdentity(places.get(interfaceIndex).identity);
    }

    /** Returns the identity of the VLAN tags of an interface of {@link #interfaces()}, see {@link VlanTag}. */
    public long tagsOf(final int interfaceIndex)
    {
        return places.get(interfaceIndex).tags;
    }

    /** Returns the kernel indexes of the VLAN interfaces, in ascending order. */
    public List<Integer> interfaces()
    {
        final List<Integer> indexes = new ArrayList<>();
        places.forEach((interfaceIndex, place) ->
        {
            if (place.number != LinkTable.NO_NUMBER)
            {
                indexes.add(interfaceIndex);
            }
        });
        indexes.sort(null);
        return indexes;
    }

    /** Returns how often an interface has become or ceased to be a VLAN interface of the router; never decreases. */
    public long changes()
    {
        return changes;
    }

    /**
     * Finds the VLAN interfaces again after a change of a link, which may be below them.
     *
     * @param interfaceIndex of the link.
     * @return kernel indexes of interfaces that have become VLAN interfaces of the router, have ceased to be, or both.
     */
    List<Integer> update(final int interfaceIndex)
    {
        final TreeSet<Integer> concerned = new TreeSet<>();
        if (places.containsKey(interfaceIndex))
        {
            concerned.add(interfaceIndex);
        }
        for (final KernelLink link : links.all())
        {
            if (link.vlan() != null && (link.index() == interfaceIndex || isOn(link, interfaceIndex)))
            {
                concerned.add(link.index());
            }
        }
        final List<Integer> changed = new ArrayList<>();
        // The identity of a macvlan interface depends on the number of the interface below it.
        for (final boolean macvlans : new boolean[]{false, true})
        {
            concerned.stream().filter(index -> isMacvlanLink(index) == macvlans && place(index)).forEach(changed::add);
        }
        changes += changed.size();
        return changed;
    }

    private boolean isMacvlanLink(final int interfaceIndex)
    {
        final KernelLink link = links.get(interfaceIndex);
        return link != null && link.vlan() != null && link.vlan().isMacvlan();
    }

    /** Finds the place of an interface; returns whether it has changed. */
    private boolean place(final int interfaceIndex)
    {
        final Place before = places.get(interfaceIndex);
        final KernelLink link = links.get(interfaceIndex);
        final int port = link == null || link.vlan() == null ? LinkTable.NO_PORT : portBelow(link);
        final long tags = port == LinkTable.NO_PORT ? NO_TAGS : tags(link);
        final long identity = port == LinkTable.NO_PORT ? NO_IDENTITY : identity(link, tags);
        final boolean isKernels = identity == NO_IDENTITY || isEnslaved(link);
        if (before != null && port == before.port && tags == before.tags && identity == before.identity &&
            isKernels == (before.number == LinkTable.NO_NUMBER))
        {
            return false;
        }
        if (before != null)
        {
            places.remove(interfaceIndex);
            if (before.number != LinkTable.NO_NUMBER)
            {
                interfaces[InterfaceNumber.vlanOf(before.number)] = 0;
                taken.clear(InterfaceNumber.vlanOf(before.number));
            }
        }
        if (port != LinkTable.NO_PORT)
        {
            final int number = isKernels ? LinkTable.NO_NUMBER : take(link, port);
            places.put(interfaceIndex, new Place(number, port, tags, identity));
        }
        return true;
    }

    /** Returns the number that is free for the longest time, so that no worker uses it for its last interface. */
    private int take(final KernelLink link, final int port)
    {
        int vlan = taken.nextClearBit(last + 1);
        vlan = vlan > InterfaceNumber.MAX_VLANS ? taken.nextClearBit(1) : vlan;
        if (vlan > InterfaceNumber.MAX_VLANS)
        {
            if (!exhaustionReported)
            {
                exhaustionReported = true;
                LOGGER.warn("more than {} VLAN interfaces: the kernel forwards for {} and further ones",
                    InterfaceNumber.MAX_VLANS, link.name());
            }
            return LinkTable.NO_NUMBER;
        }
        last = vlan;
        taken.set(vlan);
        interfaces[vlan] = link.index();
        return InterfaceNumber.ofVlan(port, vlan);
    }

    private boolean isOn(final KernelLink link, final int interfaceIndex)
    {
        KernelLink each = link;
        // The kernel has no longer chain: the limit ends a loop.
        for (int depth = 0; each != null && each.vlan() != null && depth < MAX_DEPTH; depth++)
        {
            if (each.vlan().lower() == interfaceIndex)
            {
                return true;
            }
            each = links.get(each.vlan().lower());
        }
        return false;
    }

    private int portBelow(final KernelLink link)
    {
        KernelLink each = link;
        int lower = link.index();
        for (int depth = 0; each != null && each.vlan() != null && depth < MAX_DEPTH; depth++)
        {
            lower = each.vlan().lower();
            each = links.get(lower);
        }
        return each != null && each.vlan() != null ? LinkTable.NO_PORT : links.portOf(lower);
    }

    /** Returns the identity of the frames of an interface with some tags. */
    private long identity(final KernelLink link, final long tags)
    {
        if (!link.vlan().isMacvlan())
        {
            return tags;
        }
        final int lower = links.numberOf(link.vlan().lower());
        return lower == LinkTable.NO_NUMBER || link.macAddress() == 0 || isMacvlanLink(link.vlan().lower()) ?
            NO_IDENTITY : InterfaceNumber.macvlanIdentity(lower, link.macAddress());
    }

    private long tags(final KernelLink link)
    {
        final KernelLink lower = links.get(link.vlan().lower());
        if (link.vlan().isMacvlan())
        {
            return lower == null || lower.vlan() == null ? NO_TAGS : tags(lower);
        }
        if (lower == null || lower.vlan() == null)
        {
            return tag(link);
        }
        final KernelLink lowest = links.get(lower.vlan().lower());
        final boolean isThird = lowest != null && lowest.vlan() != null;
        return isThird || tag(lower) == NO_TAGS || tag(link) == NO_TAGS ?
            NO_TAGS : VlanTag.stacked(tag(lower), tag(link));
    }

    private static long tag(final KernelLink link)
    {
        final KernelLink.Vlan vlan = link.vlan();
        return vlan.isMacvlan() || vlan.vid() < 1 || vlan.vid() > VlanTag.MAX_VID || !VlanTag.isTag(vlan.etherType()) ?
            NO_TAGS : VlanTag.of(vlan.etherType(), 0, vlan.vid());
    }

    private boolean isEnslaved(final KernelLink link)
    {
        final KernelLink lower = links.get(link.vlan().lower());
        return link.vlan().enslaved() || lower != null && lower.vlan() != null && lower.vlan().enslaved();
    }

    /** Returns the VLAN and macvlan interfaces of all ports for the workers. */
    VlanTable table()
    {
        final Map<Integer, Map<Long, Integer>> byPort = new HashMap<>();
        for (final Place place : places.values())
        {
            if (place.identity != NO_IDENTITY)
            {
                byPort.computeIfAbsent(place.port, port -> new HashMap<>()).put(
                    place.identity, place.number == LinkTable.NO_NUMBER ? VlanTable.KERNEL : place.number);
            }
        }
        return new VlanTable(byPort);
    }
}
