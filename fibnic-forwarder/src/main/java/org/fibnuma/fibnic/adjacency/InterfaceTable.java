package org.fibnuma.fibnic.adjacency;

import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv6Address;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;

/**
 * The router's interfaces by their numbers, see {@link InterfaceNumber}. One writer, the control thread; workers read
 * without locks and see an interface either before or after a change.
 */
public final class InterfaceTable
{
    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(RouterInterface[].class);

    private static final RouterInterface EMPTY = new RouterInterface(0, RouterInterface.MIN_MTU, List.of());

    private final RouterInterface[] entries;
    private final RouterInterface[] vlanEntries = new RouterInterface[InterfaceNumber.MAX_VLANS + 1];
    private volatile VlanTable vlans = VlanTable.NONE;
    /** Highest position of a VLAN interface that was set; control thread writes. */
    private volatile int lastVlan;
    private final AddressFilter hostAddresses = new AddressFilter();

    /**
     * A table of interfaces without addresses: they receive nothing but broadcasts.
     *
     * @param portCount number of ports.
     */
    public InterfaceTable(final int portCount)
    {
        entries = new RouterInterface[portCount];
        Arrays.fill(entries, EMPTY);
        Arrays.fill(vlanEntries, EMPTY);
    }

    /**
     * A table of interfaces.
     *
     * @param interfaces of the ports, by index.
     */
    public InterfaceTable(final List<RouterInterface> interfaces)
    {
        entries = interfaces.toArray(RouterInterface[]::new);
        Arrays.fill(vlanEntries, EMPTY);
    }

    /** Returns the number of ports, 1 or more. */
    public int size()
    {
        return entries.length;
    }

    /** Returns the interface of a number, never null; any thread. */
    public RouterInterface get(final int number)
    {
        final int vlan = InterfaceNumber.vlanOf(number);
        return vlan == 0 ?
            (RouterInterface)ENTRY.getAcquire(entries, number) : (RouterInterface)ENTRY.getAcquire(vlanEntries, vlan);
    }

    /**
     * Replaces an interface; control thread. Release, so that a worker that sees it sees its fields. The interface of a
     * VLAN that is gone stays, for frames that were rewritten before.
     */
    public void set(final int number, final RouterInterface routerInterface)
    {
        final int vlan = InterfaceNumber.vlanOf(number);
        if (vlan == 0)
        {
            ENTRY.setRelease(entries, number, routerInterface);
            return;
        }
        ENTRY.setRelease(vlanEntries, vlan, routerInterface);
        lastVlan = Math.max(lastVlan, vlan);
    }

    /** Returns the VLANs whose frames belong to interfaces, immutable; any thread. */
    public VlanTable vlans()
    {
        return vlans;
    }

    /** Replaces the VLANs whose frames belong to interfaces; control thread, after {@link #set} for each of them. */
    public void vlans(final VlanTable changed)
    {
        vlans = changed;
    }

    /**
     * Returns the filter of all unicast and broadcast addresses of this host, of both families, which no received frame
     * may have as its source. The control thread writes it.
     */
    public AddressFilter hostAddresses()
    {
        return hostAddresses;
    }

    /**
     * Returns the router's source address for messages that leave by an interface (RFC 1812 section 4.3.2.4); any
     * thread.
     *
     * @param number   of the interface.
     * @param neighbor IPv4 address on its link that the messages are sent to.
     * @return the interface's address on the neighbour's network, else its primary one, else that of the first
     *         interface with one, else {@link RouterInterface#NO_ADDRESS}.
     */
    public int addressFor(final int number, final int neighbor)
    {
        int address = get(number).addressTowards(neighbor);
        for (int i = 0; address == RouterInterface.NO_ADDRESS && i < entries.length; i++)
        {
            address = get(i).address();
        }
        for (int vlan = 1; address == RouterInterface.NO_ADDRESS && vlan <= lastVlan; vlan++)
        {
            address = get(InterfaceNumber.ofVlan(0, vlan)).address();
        }
        return address;
    }

    /**
     * Returns the router's source address for IPv6 messages that leave by an interface (RFC 4443 section 2.2); any
     * thread. Allocates nothing.
     *
     * @param number of the interface.
     * @param high   first half of the address that the messages are sent to.
     * @param low    second half of that address.
     * @return the interface's address on that network, else its first one that is not link-local, else that of the
     *         first interface with one, else {@link IpAddress#NONE}. Towards a link-local address only an address of
     *         the interface is returned.
     */
    public IpAddress ipv6AddressFor(final int number, final long high, final long low)
    {
        IpAddress address = get(number).ipv6AddressTowards(high, low);
        final int others = Ipv6Address.isLinkLocal(high) ? 0 : entries.length;
        for (int i = 0; address.isNone() && i < others; i++)
        {
            address = get(i).ipv6AddressTowards(high, low);
        }
        for (int vlan = 1; address.isNone() && others > 0 && vlan <= lastVlan; vlan++)
        {
            address = get(InterfaceNumber.ofVlan(0, vlan)).ipv6AddressTowards(high, low);
        }
        return address;
    }
}
