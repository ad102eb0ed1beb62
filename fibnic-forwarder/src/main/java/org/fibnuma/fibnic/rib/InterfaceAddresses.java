package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Updates the {@link InterfaceTable} of the workers from links and addresses. */
final class InterfaceAddresses
{
    private final LinkTable links;
    private final InterfaceTable interfaces;
    private final Set<KernelAddress> addresses = new LinkedHashSet<>();
    private final Set<KernelAddress> seen = new HashSet<>();
    private final BitSet sendRedirects = new BitSet();

    InterfaceAddresses(final LinkTable links, final InterfaceTable interfaces)
    {
        this.links = links;
        this.interfaces = interfaces;
    }

    /** The addresses of a port, in the order in which the kernel reported them. */
    List<KernelAddress> of(final int port)
    {
        final int interfaceIndex = links.interfaceOf(port);
        return addresses.stream().filter(address -> address.interfaceIndex() == interfaceIndex).toList();
    }

    void put(final KernelAddress address)
    {
        seen.add(address);
        if (addresses.add(address))
        {
            publish(address.interfaceIndex());
        }
    }

    void remove(final KernelAddress address)
    {
        if (addresses.remove(address))
        {
            publish(address.interfaceIndex());
        }
    }

    /** Returns whether an address is {prefix, 0} of an IPv4 network of a port; IPv6 has no broadcast addresses. */
    boolean isOldBroadcast(final int port, final IpAddress address)
    {
        return address.isIpv4() && interfaces.get(port).isOldBroadcast(address.ipv4());
    }

    /** Whether redirects are sent to the networks of a port. */
    void sendRedirects(final int port, final boolean send)
    {
        if (sendRedirects.get(port) != send)
        {
            sendRedirects.set(port, send);
            publish(links.interfaceOf(port));
        }
    }

    /** Publishes the state of an interface to the workers if it is a port. */
    void publish(final int interfaceIndex)
    {
        final int port = links.portOf(interfaceIndex);
        if (port != LinkTable.NO_PORT)
        {
            final KernelLink link = links.get(interfaceIndex);
            interfaces.set(port, RouterInterface.of(
                link == null ? 0 : link.macAddress(),
                link == null ? RouterInterface.MIN_MTU : Math.max(RouterInterface.MIN_MTU, link.mtu()),
                of(port),
                sendRedirects.get(port)).with(interfaces.get(port).policy()));
        }
    }

    void onDumpStart()
    {
        seen.clear();
    }

    List<KernelAddress> stale()
    {
        final List<KernelAddress> stale = new ArrayList<>(addresses);
        stale.removeAll(seen);
        return stale;
    }
}
