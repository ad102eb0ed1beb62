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
 * The host's interfaces, and which of them are ports and VLAN interfaces of this router. A port keeps its interface
 * when that is renamed. When it is deleted, the port takes the next interface that the kernel reports with the
 * configured name, unless that is another port's. It forwards frames when it has attached to this interface. Control
 * thread.
 */
public final class LinkTable
{
    /** Returned by {@link #numberOf} for an interface of the kernel that is no interface of the router. */
    public static final int NO_NUMBER = -1;
    /** Returned by {@link #portOf} for an interface of the kernel that is no port. */
    static final int NO_PORT = -1;

    /** Index of the interface of a port that has none. */
    private static final int NO_INTERFACE = 0;

    private final Int2IntHashMap portByInterface = new Int2IntHashMap(NO_PORT);
    private final Int2ObjectHashMap<KernelLink> links = new Int2ObjectHashMap<>();
    /** In bytes, by the index of each interface whose IPv6 MTU is below the MTU of its link. */
    private final Map<Integer, Integer> ipv6Mtus = new HashMap<>();
    private final IntHashSet seen = new IntHashSet();
    private final int[] interfaces;
    private final int[] carriers;
    private final Map<String, Integer> portByName = new HashMap<>();
    private final VlanLinks vlans = new VlanLinks(this);
    private Set<Integer> left = Set.of();

    /** Creates a table without links. Its ports, given by interface index, never change their interfaces. */
    public LinkTable(final int[] interfaceIndexes)
    {
        this(interfaceIndexes, List.of());
    }

    /**
     * Creates a table without links.
     *
     * @param interfaceIndexes by port index; 0 for an index without a port.
     * @param names            of the interfaces to follow, by port index; empty for a port that never changes its
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

    /** Returns the largest number of ports, 1 or more. */
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

    /** Returns the kernel's index of an interface of the router, by its number; 0 if it has been removed. */
    public int interfaceOf(final int number)
    {
        return InterfaceNumber.vlanOf(number) == 0 ? interfaces[number] : vlans.interfaceOf(number);
    }

    /** Returns the VLAN and macvlan interfaces. */
    public VlanLinks vlans()
    {
        return vlans;
    }

    /** Returns the links of the host, in no order. */
    Collection<KernelLink> all()
    {
        return links.values();
    }

    /** Returns the port that an interface becomes by its name; {@link #NO_PORT} if none, or if it is the port's now. */
    int portToBecome(final KernelLink link)
    {
        final int port = portByName.getOrDefault(link.name(), NO_PORT);
        final KernelLink own = port == NO_PORT ? null : links.get(interfaces[port]);
        // Two interfaces never have the same name: an event about the port's own interface was lost or is to come.
        final boolean keepsItsOwn = own != null && isCarried(port) && !own.name().equals(link.name());
        return port == NO_PORT || interfaces[port] == link.index() || keepsItsOwn || isOtherPort(port, link) ?
            NO_PORT : port;
    }

    /** Returns the interface that a port takes after its own interface was deleted, or null. */
    KernelLink awaitedBy(final int interfaceIndex)
    {
        final int port = portOf(interfaceIndex);
        return port == NO_PORT ? null :
            links.values().stream().filter(link -> portToBecome(link) == port).findFirst().orElse(null);
    }

    /** Returns whether another port than the given one receives and sends by the interface of a name. */
    public boolean isOtherPort(final int port, final String name)
    {
        return links.values().stream().anyMatch(link -> link.name().equals(name) && isOtherPort(port, link));
    }

    private boolean isOtherPort(final int port, final KernelLink link)
    {
        final int other = portOf(link.index());
        return other != NO_PORT && other != port && isCarried(other);
    }

    /** Gives a port another interface, and takes it from a port that has not attached to it. */
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
     * Gives a port an interface of the kernel, and takes it from a port that has it. The port does not receive and send
     * by the interface until {@link #carrier}, and follows its name.
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

    /** Takes its interface from a port, which stops to follow a name. */
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
     * until its port has attached to the next one.
     */
    public boolean isCarried(final int number)
    {
        final int port = InterfaceNumber.portOf(number);
        return interfaces[port] != NO_INTERFACE && carriers[port] == interfaces[port];
    }

    /**
     * Leaves frames whose egress is one of these interfaces to the kernel, instead of those of the last call.
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

    /**
     * Returns whether the router, not the kernel, sends frames by an interface, by its number. The kernel sends by a
     * macvlan interface in bridge mode, because it alone knows those of other network namespaces.
     */
    boolean isSentBy(final int number)
    {
        final KernelLink link = links.get(interfaceOf(number));
        final boolean staysInHost = link != null && link.vlan() != null &&
            link.vlan().macvlan() == KernelLink.Macvlan.BRIDGE;
        return isCarried(number) && !staysInHost && !left.contains(interfaceOf(number)) &&
            !left.contains(interfaces[InterfaceNumber.portOf(number)]);
    }

    /**
     * Returns the state of an interface of the router, by its number, for reports: "up", "down", or "gone" while the
     * kernel does not have it or {@link #isCarried} is false.
     */
    public String stateOf(final int number)
    {
        final KernelLink link = get(interfaceOf(number));
        return link == null || !isCarried(number) ? "gone" : link.up() ? "up" : "down";
    }

    /** Returns the kernel's index of each interface of the router. */
    List<Integer> interfaces()
    {
        final List<Integer> all = new ArrayList<>(vlans.interfaces());
        for (final int port : interfaces)
        {
            if (port != NO_INTERFACE)
            {
                all.add(port);
            }
        }
        return all;
    }

    /** Returns the number of each interface by which the router sends frames, by the kernel's index of it. */
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

    /** Returns the IPv6 MTU of an interface in bytes; 0 without a link. */
    int ipv6Mtu(final int interfaceIndex)
    {
        final KernelLink link = links.get(interfaceIndex);
        return link == null ? 0 : Math.min(link.mtu(), ipv6Mtus.getOrDefault(interfaceIndex, link.mtu()));
    }

    /** Sets the IPv6 MTU of an interface in bytes until the MTU of its link changes; returns whether it has changed. */
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

    /** Returns the IPv6 MTU in bytes of the interfaces where it is below the MTU of the link. */
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

    /** Makes all links stale until they are put again. */
    void onDumpStart()
    {
        seen.clear();
    }

    /** Returns the links that were not put since {@link #onDumpStart}. */
    List<KernelLink> stale()
    {
        final List<KernelLink> stale = new ArrayList<>(links.values());
        stale.removeIf(link -> seen.contains(link.index()));
        return stale;
    }
}
