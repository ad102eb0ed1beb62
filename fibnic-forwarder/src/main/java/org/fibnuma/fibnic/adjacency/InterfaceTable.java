package org.fibnuma.fibnic.adjacency;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv6Address;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;

/**
 * The router's interfaces by port index. One writer, the control thread; workers read without locks and see an
 * interface either before or after a change.
 */
public final class InterfaceTable
{
    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(RouterInterface[].class);

    private final RouterInterface[] entries;
    private final AddressFilter hostAddresses = new AddressFilter();

    /**
     * A table of interfaces without addresses: they receive nothing but broadcasts.
     *
     * @param portCount number of ports.
     */
    public InterfaceTable(final int portCount)
    {
        entries = new RouterInterface[portCount];
        Arrays.fill(entries, new RouterInterface(0, RouterInterface.MIN_MTU, List.of()));
    }

    /**
     * A table of interfaces.
     *
     * @param interfaces of the ports, by index.
     */
    public InterfaceTable(final List<RouterInterface> interfaces)
    {
        entries = interfaces.toArray(RouterInterface[]::new);
    }

    /** Returns the number of ports, 1 or more. */
    public int size()
    {
        return entries.length;
    }

    /** Returns the interface of a port, never null; any thread. */
    public RouterInterface get(final int port)
    {
        return (RouterInterface)ENTRY.getAcquire(entries, port);
    }

    /** Replaces the interface of a port; control thread. Release, so that a worker that sees it sees its fields. */
    public void set(final int port, final RouterInterface routerInterface)
    {
        ENTRY.setRelease(entries, port, routerInterface);
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
     * Returns the router's source address for messages that leave by a port (RFC 1812 section 4.3.2.4); any thread.
     *
     * @param port     index of the port.
     * @param neighbor IPv4 address on its link that the messages are sent to.
     * @return the port's address on the neighbour's network, else its primary one, else that of the first interface
     *         with one, else {@link RouterInterface#NO_ADDRESS}.
     */
    public int addressFor(final int port, final int neighbor)
    {
        int address = get(port).addressTowards(neighbor);
        for (int i = 0; address == RouterInterface.NO_ADDRESS && i < entries.length; i++)
        {
            address = get(i).address();
        }
        return address;
    }

    /**
     * Returns the router's source address for IPv6 messages that leave by a port (RFC 4443 section 2.2); any thread.
     * Allocates nothing.
     *
     * @param port index of the port.
     * @param high first half of the address that the messages are sent to.
     * @param low  second half of that address.
     * @return the port's address on that network, else its first one that is not link-local, else that of the first
     *         interface with one, else {@link IpAddress#NONE}. Towards a link-local address only an address of the
     *         port is returned.
     */
    public IpAddress ipv6AddressFor(final int port, final long high, final long low)
    {
        IpAddress address = get(port).ipv6AddressTowards(high, low);
        final int others = Ipv6Address.isLinkLocal(high) ? 0 : entries.length;
        for (int i = 0; address.isNone() && i < others; i++)
        {
            address = get(i).ipv6AddressTowards(high, low);
        }
        return address;
    }
}
