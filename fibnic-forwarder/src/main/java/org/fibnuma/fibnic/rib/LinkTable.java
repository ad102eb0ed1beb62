package org.fibnuma.fibnic.rib;

import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.KernelLink;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The host's interfaces, and which of them are ports and VLAN interfaces of this router. The interface of a port stays
 * the port's when it is renamed. After it was deleted, the next interface of the name that the port was given becomes
 * the port when the kernel reports it, unless that is another port's; it forwards frames once the port has attached to
 * it. Control thread.
 */
public final class LinkTable
{
    /** Returned by {@link #numberOf} for an interface of the kernel that is no interface of the router. */
    public static final int NO_NUMBER = -1;
    /** Where an interface of the kernel is no port. */
    static final int NO_PORT = -1;

    /** The interface of a port that has none. */
    private static final int NO_INTERFACE = 0;

    private final Int2IntHashMap portByInterface = new Int2IntHashMap(NO_PORT);
    private final Int2ObjectHashMap<KernelLink> links = new Int2ObjectHashMap<>();
    /** Of the interfaces whose IPv6 MTU is below that of the link. */
    private final Map<Integer, Integer> ipv6Mtus = new HashMap<>();
    private final IntHashSet seen = new IntHashSet();
    private final int[] interfaces;
    private final int[] carriers;
    private final Map<String, Integer> portByName = new HashMap<>();
    private final VlanLinks vlans = new VlanLinks(this);
    private Set<Integer> left = Set.of();

    /**
     * A table without links. Its ports never change their interfaces.
     *
     * @param interfaceIndexes of the ports, by port index.
     */
    public LinkTable(final int[] interfaceIndexes)
    {
        this(interfaceIndexes, List.of());
    }

    /**
     * A table without links.
     *
     * @param interfaceIndexes of the ports, by port index; 0 for an index that no port has yet.
     * @param names            names of the interfaces to follow, by port index; empty for a port that never changes its
     *                         interface.
     */
    public LinkTable(final int[] interfaceIndexes, final List<String> names)
    {
        this.interfaces = interfaceIndexes.clone();
        this.carriers = interfaceIndexes.clone();
        for (int port = 0; port < interfaces.length; port++)
        {
            if (interfaces[port] != NO_INTERFACE)
            {
                portByInterface.put(interfaces[port], port);
            }
        }
        for (int port = 0; port < names.size(); port++)
        {
            if (!names.get(port).isEmpty())
            {
                portByName.put(names.get(port), port);
            }
        }
    }

    /** Returns the most ports that there can be, 1 or more. */
    public int portCount()
    {
        return interfaces.length;
    }

    /** Returns the {@link InterfaceNumber} of a port or VLAN interface by its kernel index, or {@link #NO_NUMBER}. */
    public int numberOf(final int interfaceIndex)
    {
        final int port = portOf(interfaceIndex);
        return port == NO_PORT ? vlans.numberOf(interfaceIndex) : port;
    }

    /** Returns the index of the port that has an interface of the kernel, or {@link #NO_PORT}. */
    int portOf(final int interfaceIndex)
    {
        return portByInterface.get(interfaceIndex);
    }

    /** Returns the index, in the kernel, of an interface of the router, by its number; 0 for a VLAN that is gone. */
    public int interfaceOf(final int number)
    {
        return InterfaceNumber.vlanOf(number) == 0 ? interfaces[number] : vlans.interfaceOf(number);
    }

    /** Returns the VLAN interfaces. */
    public VlanLinks vlans()
    {
        return vlans;
    }

    /** Returns the links of the host, in no order. */
    Collection<KernelLink> all()
    {
        return links.values();
    }

    /** The port that an interface becomes by its name, or {@link #NO_PORT} where there is none or it is one already. */
    int portToBecome(final KernelLink link)
    {
        final int port = portByName.getOrDefault(link.name(), NO_PORT);
        final KernelLink own = port == NO_PORT ? null : links.get(interfaces[port]);
        // No two interfaces have one name: what this table has of the own one was lost or is about to go.
        final boolean keepsItsOwn = own != null && isCarried(port) && !own.name().equals(link.name());
        return port == NO_PORT || interfaces[port] == link.index() || keepsItsOwn || isOtherPort(port, link) ?
            NO_PORT : port;
    }

    /** The interface that a port waits for, after its own has gone; null if there is none. */
    KernelLink awaitedBy(final int interfaceIndex)
    {
        final int port = portOf(interfaceIndex);
        return port == NO_PORT ? null :
            links.values().stream().filter(link -> portToBecome(link) == port).findFirst().orElse(null);
    }

    /** Returns whether the interface of a name is the one that a port other than a given one receives and sends by. */
    public boolean isOtherPort(final int port, final String name)
    {
        return links.values().stream().anyMatch(link -> link.name().equals(name) && isOtherPort(port, link));
    }

    private boolean isOtherPort(final int port, final KernelLink link)
    {
        final int other = portOf(link.index());
        return other != NO_PORT && other != port && isCarried(other);
    }

    /** Makes another interface the one of a port; a port that only waited for it has none then. */
    void move(final int port, final int interfaceIndex)
    {
        final int waiting = portOf(interfaceIndex);
        if (waiting != NO_PORT)
        {
            interfaces[waiting] = NO_INTERFACE;
        }
        portByInterface.remove(interfaces[port]);
        interfaces[port] = interfaceIndex;
        portByInterface.put(interfaceIndex, port);
    }

    /**
     * Gives a port an interface of the kernel, by which it does not receive and send until {@link #carrier}. A port
     * that had this interface before has none then.
     *
     * @param port           index of the port.
     * @param interfaceIndex of the interface.
     * @param name           of the interface, which the port follows.
     */
    void assign(final int port, final int interfaceIndex, final String name)
    {
        release(port);
        final int before = portOf(interfaceIndex);
        if (before != NO_PORT)
        {
            release(before);
        }
        interfaces[port] = interfaceIndex;
        portByInterface.put(interfaceIndex, port);
        portByName.put(name, port);
    }

    /** Takes its interface from a port, which follows no name any more. */
    void release(final int port)
    {
        if (interfaces[port] != NO_INTERFACE)
        {
            portByInterface.remove(interfaces[port]);
        }
        interfaces[port] = NO_INTERFACE;
        carriers[port] = NO_INTERFACE;
        portByName.values().removeIf(named -> named == port);
    }

    /** Sets the interface that a port receives and sends by, 0 for none. */
    void carrier(final int port, final int interfaceIndex)
    {
        carriers[port] = interfaceIndex;
    }

    /**
     * Returns whether an interface of the router, by its number, receives and sends: false from the loss of its device
     * until it has attached to the next one.
     */
    public boolean isCarried(final int number)
    {
        final int port = InterfaceNumber.portOf(number);
        return interfaces[port] != NO_INTERFACE && carriers[port] == interfaces[port];
    }

    /**
     * Leaves the frames that would leave by interfaces to the kernel, and those of all other interfaces no more.
     *
     * @return the interfaces for which this is a change.
     */
    Set<Integer> leave(final Set<Integer> interfaceIndexes)
    {
        final Set<Integer> changed = new HashSet<>(left);
        changed.addAll(interfaceIndexes);
        changed.removeIf(index -> left.contains(index) && interfaceIndexes.contains(index));
        left = Set.copyOf(interfaceIndexes);
        return changed;
    }

    /** Returns whether the router sends frames by an interface, by its number; otherwise the kernel does. */
    boolean isSentBy(final int number)
    {
        return isCarried(number) && !left.contains(interfaceOf(number)) &&
            !left.contains(interfaces[InterfaceNumber.portOf(number)]);
    }

    /**
     * Returns the state of an interface of the router as reports show it: "up", "down", or "gone" while the kernel does
     * not have it or {@link #isCarried} is false.
     *
     * @param number of the interface in the router.
     */
    public String stateOf(final int number)
    {
        final KernelLink link = get(interfaceOf(number));
        return link == null || !isCarried(number) ? "gone" : link.up() ? "up" : "down";
    }

    /** Returns the numbers of the interfaces that the router sends by, by their index in the kernel. */
    public Map<Integer, Integer> carriedNumbers()
    {
        final Map<Integer, Integer> numbers = new HashMap<>();
        for (int port = 0; port < interfaces.length; port++)
        {
            if (isSentBy(port))
            {
                numbers.put(interfaces[port], port);
            }
        }
        for (final int interfaceIndex : vlans.interfaces())
        {
            if (isSentBy(vlans.numberOf(interfaceIndex)))
            {
                numbers.put(interfaceIndex, vlans.numberOf(interfaceIndex));
            }
        }
        return numbers;
    }

    /** Returns the current state of the link of an interface, or null where there is none. */
    public KernelLink get(final int interfaceIndex)
    {
        return links.get(interfaceIndex);
    }

    /** Stores a link; returns its previous state, or null. */
    public KernelLink put(final KernelLink link)
    {
        seen.add(link.index());
        final KernelLink before = links.put(link.index(), link);
        if (before != null && before.mtu() != link.mtu())
        {
            ipv6Mtus.remove(link.index());
        }
        return before;
    }

    /** Returns the longest IPv6 packet on the link of an interface in bytes; 0 without a link. */
    int ipv6Mtu(final int interfaceIndex)
    {
        final KernelLink link = links.get(interfaceIndex);
        return link == null ? 0 : Math.min(link.mtu(), ipv6Mtus.getOrDefault(interfaceIndex, link.mtu()));
    }

    /** Sets the longest IPv6 packet of an interface until the MTU of its link changes; returns whether it was other. */
    boolean ipv6Mtu(final int interfaceIndex, final int mtu)
    {
        final int before = ipv6Mtu(interfaceIndex);
        if (before == 0 || mtu >= links.get(interfaceIndex).mtu())
        {
            ipv6Mtus.remove(interfaceIndex);
        }
        else
        {
            ipv6Mtus.put(interfaceIndex, mtu);
        }
        return ipv6Mtu(interfaceIndex) != before;
    }

    /** Returns the interfaces whose IPv6 packets are shorter than the link allows, and their length in bytes. */
    public Map<Integer, Integer> ipv6Mtus()
    {
        return Map.copyOf(ipv6Mtus);
    }

    /** Removes a link; returns its last state, or null. */
    KernelLink remove(final int interfaceIndex)
    {
        ipv6Mtus.remove(interfaceIndex);
        return links.remove(interfaceIndex);
    }

    /** Makes all links stale that are not put again after this call. */
    void onDumpStart()
    {
        seen.clear();
    }

    /** The links that were not put since {@link #onDumpStart}. */
    List<KernelLink> stale()
    {
        final List<KernelLink> stale = new ArrayList<>(links.values());
        stale.removeIf(link -> seen.contains(link.index()));
        return stale;
    }
}
