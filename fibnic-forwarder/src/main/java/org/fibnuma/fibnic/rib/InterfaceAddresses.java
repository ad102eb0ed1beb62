package org.fibnuma.fibnic.rib;

import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.VlanTag;
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
    private final List<? extends Port> ports;
    private final LinkTable links;
    private final InterfaceTable interfaces;
    private final Set<KernelAddress> addresses = new LinkedHashSet<>();
    private final Set<KernelAddress> seen = new HashSet<>();
    private final BitSet sendRedirects = new BitSet();

    InterfaceAddresses(
        final LinkTable links, final InterfaceTable interfaces, final List<? extends Port> ports)
    {
        this.ports = ports;
        this.links = links;
        this.interfaces = interfaces;
    }

    /** The addresses of an interface of the router, in the order in which the kernel reported them. */
    List<KernelAddress> of(final int number)
    {
        final int interfaceIndex = links.interfaceOf(number);
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

    /** Whether redirects are sent to the networks of an interface. */
    void sendRedirects(final int port, final boolean send)
    {
        if (sendRedirects.get(port) != send)
        {
            sendRedirects.set(port, send);
            publish(links.interfaceOf(port));
        }
    }

    /** Publishes a VLAN interface that begins; frames are left to the kernel until {@link #publish}. */
    void begin(final int number, final long tags, final InterfacePolicy policy)
    {
        sendRedirects.clear(number);
        interfaces.set(number,
            new RouterInterface(0, RouterInterface.MIN_MTU, List.of()).with(policy).withTags(tags));
    }

    /** Sets the policy of the host for a VLAN interface. */
    void policy(final int number, final InterfacePolicy policy)
    {
        interfaces.set(number, interfaces.get(number).with(policy));
        takeVlan(number);
    }

    /** Tells a port that divides frames between the router and the kernel which frames of a VLAN it takes. */
    private void takeVlan(final int number)
    {
        final RouterInterface vlan = interfaces.get(number);
        ports.get(InterfaceNumber.portOf(number)).capability(SharedInterface.class).ifPresent(
            shared -> shared.takeVlan(
                VlanTag.identity(vlan.tags()), vlan.mac(), vlan.policy().ipv4Forwarding(),
                vlan.policy().ipv6Forwarding()));
    }

    /** Leaves the frames of a VLAN interface that has ended to the kernel. */
    void leaveVlan(final int number)
    {
        ports.get(InterfaceNumber.portOf(number)).capability(SharedInterface.class).ifPresent(
            shared -> shared.leaveVlan(VlanTag.identity(interfaces.get(number).tags())));
    }

    /** Publishes the state of an interface to the workers if it is one of the router. */
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
                sendRedirects.get(port)).with(interfaces.get(port).policy()).withTags(interfaces.get(port).tags()));
            if (InterfaceNumber.vlanOf(port) != 0)
            {
                takeVlan(port);
            }
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
