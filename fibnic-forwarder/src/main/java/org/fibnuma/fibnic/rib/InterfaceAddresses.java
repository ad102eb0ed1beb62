package org.fibnuma.fibnic.rib;

import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.Transit;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.InterfaceRules;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.adjacency.SourceAddresses;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/** Updates the {@link InterfaceTable} of the workers from links and addresses. */
final class InterfaceAddresses
{
    private final List<? extends Port> ports;
    private final LinkTable links;
    private final InterfaceTable interfaces;
    /** In the order in which the kernel selects among those of an interface. */
    private final List<KernelAddress> addresses = new ArrayList<>();
    private final Map<KernelAddress, KernelAddress> known = new HashMap<>();
    private final Set<KernelAddress> seen = new HashSet<>();
    private final BitSet sendRedirects = new BitSet();
    /** By which ports know VLAN and macvlan interfaces, by number. */
    private final Map<Integer, Long> identities = new HashMap<>();
    private IntFunction<InterfaceRules> rules = interfaceIndex -> InterfaceRules.NONE;
    private boolean isDumping;

    InterfaceAddresses(
        final LinkTable links, final InterfaceTable interfaces, final List<? extends Port> ports)
    {
        this.ports = ports;
        this.links = links;
        this.interfaces = interfaces;
    }

    /** Returns the addresses of an interface of the router, in the kernel's order. */
    List<KernelAddress> of(final int number)
    {
        final int interfaceIndex = links.interfaceOf(number);
        return addresses.stream().filter(address -> address.interfaceIndex() == interfaceIndex).toList();
    }

    void put(final KernelAddress address)
    {
        seen.add(address);
        final KernelAddress before = known.put(address, address);
        if (before == null)
        {
            addresses.add(placeOf(address), address);
        }
        else if (before.isUsedLike(address))
        {
            return;
        }
        else
        {
            final int place = addresses.indexOf(address);
            addresses.remove(place);
            addresses.add(address.address().isIpv4() ? placeOf(address) : place, address);
        }
        publish(address.interfaceIndex());
        publishSources();
    }

    /**
     * Returns the position of an address. A dump has the kernel's order. A new IPv6 address comes first; a new primary
     * IPv4 address comes behind those whose scope is at least its own (ipv6_link_dev_addr, net/ipv6/addrconf.c, and
     * __inet_insert_ifa, net/ipv4/devinet.c, Linux 6.1).
     */
    private int placeOf(final KernelAddress address)
    {
        if (isDumping || address.secondary() && address.address().isIpv4())
        {
            return addresses.size();
        }
        int place = 0;
        for (int i = 0; address.address().isIpv4() && i < addresses.size(); i++)
        {
            final KernelAddress each = addresses.get(i);
            place = each.address().isIpv4() && each.interfaceIndex() == address.interfaceIndex() &&
                !each.secondary() && each.scope() >= address.scope() ? i + 1 : place;
        }
        return place;
    }

    void remove(final KernelAddress address)
    {
        if (known.remove(address) != null)
        {
            addresses.remove(address);
            publish(address.interfaceIndex());
            publishSources();
        }
    }

    /** Publishes the addresses from which the workers select the sources of their messages. */
    void publishSources()
    {
        if (!isDumping)
        {
            interfaces.sources(new SourceAddresses(
                addresses.stream().sorted(Comparator.comparingInt(KernelAddress::interfaceIndex)).toList(),
                links::numberOf));
        }
    }

    /** Returns whether an address is {prefix, 0} of an IPv4 network of an interface. IPv6 has no broadcast. */
    boolean isOldBroadcast(final int number, final IpAddress address)
    {
        return address.isIpv4() && interfaces.get(number).isOldBroadcast(address.ipv4());
    }

    /** Sets the rules by which packets are routed, by the kernel's index of their ingress interface. */
    void rules(final IntFunction<InterfaceRules> ofInterface)
    {
        rules = ofInterface;
    }

    /** Sets whether redirects are sent to the networks of an interface. */
    void sendRedirects(final int number, final boolean send)
    {
        if (sendRedirects.get(number) != send)
        {
            sendRedirects.set(number, send);
            publish(links.interfaceOf(number));
        }
    }

    /**
     * Publishes a VLAN or macvlan interface that begins; frames are left to the kernel until {@link #publish}.
     *
     * @param identity see {@link SharedInterface#takeVlan}.
     * @param tags     of frames that leave by it, with PCP.
     */
    void begin(final int number, final long identity, final long tags, final InterfacePolicy policy)
    {
        identities.put(number, identity);
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

    /**
     * Makes a port that shares its interface with the kernel take the frames of a VLAN that the router forwards: none
     * while the VLAN is down, when the kernel decides.
     */
    private void takeVlan(final int number)
    {
        final RouterInterface vlan = interfaces.get(number);
        final KernelLink link = links.get(links.interfaceOf(number));
        final boolean isUp = link != null && link.up();
        ports.get(InterfaceNumber.portOf(number)).capability(SharedInterface.class).ifPresent(
            shared -> shared.takeVlan(
                number, identities.get(number), vlan.mac(), isUp ? vlan.policy().ipv4() : Transit.KERNEL,
                isUp ? vlan.policy().ipv6() : Transit.KERNEL));
    }

    /** Leaves the frames of a VLAN interface that has ended to the kernel. */
    void leaveVlan(final int number)
    {
        ports.get(InterfaceNumber.portOf(number)).capability(SharedInterface.class).ifPresent(
            shared -> shared.leaveVlan(identities.get(number)));
    }

    /** Publishes the state of an interface to the workers if it is one of the router. */
    void publish(final int interfaceIndex)
    {
        final int number = links.numberOf(interfaceIndex);
        if (number != LinkTable.NO_NUMBER)
        {
            final KernelLink link = links.get(interfaceIndex);
            interfaces.set(number, RouterInterface.of(
                link == null ? 0 : link.macAddress(),
                link == null ? RouterInterface.MIN_MTU : Math.max(RouterInterface.MIN_MTU, link.mtu()),
                of(number),
                sendRedirects.get(number))
                .with(interfaces.get(number).policy()).withTags(interfaces.get(number).tags())
                .with(rules.apply(interfaceIndex)));
            if (InterfaceNumber.vlanOf(number) != 0)
            {
                takeVlan(number);
            }
        }
    }

    void onDumpStart()
    {
        seen.clear();
        isDumping = true;
    }

    void onDumpEnd()
    {
        isDumping = false;
        publishSources();
    }

    List<KernelAddress> stale()
    {
        final List<KernelAddress> stale = new ArrayList<>(addresses);
        stale.removeAll(seen);
        return stale;
    }
}
