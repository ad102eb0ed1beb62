package org.fibnuma.fibnic.adjacency;

import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;

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
    private volatile SourceAddresses sources = SourceAddresses.NONE;
    private volatile InterfaceRules ownRules = InterfaceRules.NONE;
    private final AddressFilter hostAddresses = new AddressFilter();

    /** Creates a table of interfaces without addresses, which receive only broadcasts. */
    public InterfaceTable(final int portCount)
    {
        entries = new RouterInterface[portCount];
        Arrays.fill(entries, EMPTY);
        Arrays.fill(vlanEntries, EMPTY);
    }

    /** Creates a table of the interfaces of the ports, by port index. */
    public InterfaceTable(final List<RouterInterface> interfaces)
    {
        entries = interfaces.toArray(RouterInterface[]::new);
        Arrays.fill(vlanEntries, EMPTY);
        sources = SourceAddresses.ofInterfaces(interfaces);
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
     * Replaces an interface; control thread. Release, so that a worker that sees the interface sees its fields. The
     * interface of a VLAN that is gone stays, for frames that were rewritten before.
     */
    public void set(final int number, final RouterInterface routerInterface)
    {
        final int vlan = InterfaceNumber.vlanOf(number);
        if (vlan == 0)
        {
            ENTRY.setRelease(entries, number, routerInterface);
        }
        else
        {
            ENTRY.setRelease(vlanEntries, vlan, routerInterface);
        }
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

    /** Returns how the host's own packets are routed, also those of the router; any thread. */
    public InterfaceRules ownRules()
    {
        return ownRules;
    }

    /** Replaces the rules of {@link #ownRules()}; control thread. */
    public void ownRules(final InterfaceRules changed)
    {
        ownRules = changed;
    }

    /** Replaces the addresses that sources are selected from; control thread. */
    public void sources(final SourceAddresses changed)
    {
        sources = changed;
    }

    /**
     * Returns the host's IPv4 source address for its own messages by an adjacency; any thread. It is the preferred
     * source of the route, else an address of the egress interface, else one of any interface.
     *
     * @param adjacency with an egress interface.
     * @return {@link RouterInterface#NO_ADDRESS} if the host has no address.
     */
    public int sourceBy(final Adjacency adjacency)
    {
        final RouteOptions options = adjacency.options();
        if (options.source().isIpv4())
        {
            return options.source().ipv4();
        }
        // A route that stays on a link has no gateway.
        final int gateway = options.scope() < RouteOptions.SCOPE_LINK && adjacency.nextHop().isIpv4() ?
            adjacency.nextHop().ipv4() : 0;
        return sourceFor(adjacency.egressInterface(), gateway, options.scope());
    }

    /**
     * Returns an address of an interface as {@link RouterInterface#sourceFor} does, else one of any interface; any
     * thread.
     *
     * @return {@link RouterInterface#NO_ADDRESS} if the host has none.
     */
    public int sourceFor(final int number, final int gateway, final int scope)
    {
        final int address = get(number).sourceFor(gateway, scope);
        return address == RouterInterface.NO_ADDRESS ? sources.ipv4(scope) : address;
    }

    /**
     * Returns the host's IPv6 source address for its own messages (RFC 6724 section 5); any thread. Allocates nothing.
     *
     * @param number of the interface whose addresses are preferred.
     * @param high   first half of the address that the messages are sent to.
     * @param low    second half of that address.
     * @return {@link IpAddress#NONE} if the host has none. Towards a link-local address only an address of the
     *         interface is returned.
     */
    public IpAddress ipv6SourceFor(final int number, final long high, final long low)
    {
        return sources.ipv6(number, high, low);
    }
}
