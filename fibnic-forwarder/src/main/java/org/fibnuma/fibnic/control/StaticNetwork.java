package org.fibnuma.fibnic.control;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.fibnic.config.InterfaceAddress;
import org.fibnuma.fibnic.config.ControlConfig;
import org.fibnuma.fibnic.config.PortConfig;
import org.fibnuma.fibnic.config.RouterConfig;
import org.fibnuma.fibnic.config.VlanConfig;

import java.util.ArrayList;
import java.util.List;

/**
 * The configuration as a kernel: reports the links, addresses, neighbours and routes of the file, and the routes that
 * follow from an address. Only the properties of a device to which a port attaches again change. Interface indexes are
 * port indexes + 1, then those of the VLAN interfaces.
 */
record StaticNetwork(RouterConfig config, List<? extends Port> ports) implements KernelNetwork
{
    /** Locally administered; the port index is added to the last byte. */
    private static final long DEFAULT_MAC = 0x0200_0000_0001L;
    private static final int NO_BROADCAST_LENGTH = 31;

    /** The interface index of a port or VLAN interface by its position in the configuration. */
    static int interfaceIndex(final int position)
    {
        return position + 1;
    }

    /** The PCP of frames that leave by a VLAN interface. */
    static int pcp(final RouterConfig config, final int interfaceIndex)
    {
        return config.vlans().get(interfaceIndex - interfaceIndex(config.ports().size())).pcp();
    }

    /** The link-layer address of a port: the configured one, else the device's, else a default. */
    static long macAddress(final PortConfig portConfig, final Port port, final int index)
    {
        final long mac = portConfig.macAddress() != 0 ? portConfig.macAddress() : port.macAddress();
        return mac != 0 ? mac : DEFAULT_MAC + index;
    }

    @Override
    public void dump(final KernelNetworkListener listener)
    {
        listener.onDumpStart();
        for (int port = 0; port < ports.size(); port++)
        {
            listener.onLink(link(port), true);
            for (final InterfaceAddress address : config.ports().get(port).addresses())
            {
                dumpAddress(interfaceIndex(port), address, listener);
            }
        }
        for (int port = 0; port < ports.size(); port++)
        {
            dumpVlans(port, listener);
        }
        for (final ControlConfig.Neighbor neighbor : config.control().neighbors())
        {
            listener.onNeighbor(
                new KernelNeighbor(
                    interfaceIndex(neighbor.port()), neighbor.address(), neighbor.macAddress(),
                    KernelNeighbor.State.PERMANENT),
                true);
        }
        for (final ControlConfig.Route route : config.control().routes())
        {
            listener.onRoute(kernelRoute(route), true);
        }
        listener.onDumpEnd();
    }

    @Override
    public int poll(final KernelNetworkListener listener)
    {
        return 0;
    }

    /** Does nothing: neighbours that are not in the file stay unresolved. */
    @Override
    public String resolve(final int interfaceIndex, final IpAddress address)
    {
        return null;
    }

    @Override
    public void close()
    {
    }

    private void dumpVlans(final int port, final KernelNetworkListener listener)
    {
        final List<VlanConfig> vlans = config.ports().get(port).vlans();
        final List<KernelLink> links = vlanLinks(port);
        for (int i = 0; i < links.size(); i++)
        {
            final KernelLink link = links.get(i);
            listener.onLink(link, true);
            vlans.get(i).addresses().forEach(address -> dumpAddress(link.index(), address, listener));
        }
    }

    /** The current links of the VLAN interfaces of a port, which have its MAC address and MTU by default. */
    List<KernelLink> vlanLinks(final int index)
    {
        final KernelLink port = link(index);
        final List<VlanConfig> vlans = config.ports().get(index).vlans();
        final int first = interfaceIndex(
            ports.size() + config.ports().subList(0, index).stream().mapToInt(each -> each.vlans().size()).sum());
        final List<KernelLink> links = new ArrayList<>();
        for (final VlanConfig vlan : vlans)
        {
            final int lower = vlan.outer() == VlanConfig.NO_OUTER ? port.index() : first + vlan.outer();
            links.add(new KernelLink(
                first + links.size(), vlan.name(), vlan.macAddress() != 0 ? vlan.macAddress() : port.macAddress(),
                vlan.mtu(port.mtu()), true, new KernelLink.Vlan(lower, vlan.etherType(), vlan.id(), false)));
        }
        return links;
    }

    /** The current link of a port, from the file and the device. */
    KernelLink link(final int index)
    {
        final PortConfig portConfig = config.ports().get(index);
        final Port port = ports.get(index);
        final int mtu = portConfig.mtu() != 0 ? portConfig.mtu() : port.mtu();
        return new KernelLink(
            interfaceIndex(index), portConfig.name(), macAddress(portConfig, port, index), mtu, true);
    }

    private static KernelRoute kernelRoute(final ControlConfig.Route route)
    {
        final List<KernelMultipath.Hop> hops = route.hops().stream().map(hop -> new KernelMultipath.Hop(
            KernelRoute.Kind.UNICAST, interfaceIndex(hop.port()), hop.gateway(), hop.weight())).toList();
        return new KernelRoute(
            route.prefix().isIpv6(), route.prefix().first(), route.prefix().length(), KernelRoute.TABLE_MAIN, 0,
            route.kind(), hops.isEmpty() ? IpAddress.NONE : hops.get(0).gateway(),
            hops.isEmpty() ? 0 : hops.get(0).interfaceIndex(),
            hops.size() > 1 ? new KernelMultipath(null, hops) : null);
    }

    private static void dumpAddress(
        final int interfaceIndex, final InterfaceAddress address, final KernelNetworkListener listener)
    {
        final IpPrefix network = address.network();
        listener.onAddress(
            new KernelAddress(interfaceIndex, address.address(), address.prefixLength()), true);
        if (Ipv6Address.isLinkLocal(address.address().high()))
        {
            // No frame is forwarded to it, and every link has the same prefix. Rtnetlink has no such routes either.
            return;
        }
        dumpRoute(
            IpPrefix.host(address.address()), KernelRoute.TABLE_LOCAL, KernelRoute.Kind.LOCAL, IpAddress.NONE,
            interfaceIndex, listener);
        if (!network.isIpv6() && network.length() < NO_BROADCAST_LENGTH)
        {
            dumpRoute(
                IpPrefix.host(network.last()), KernelRoute.TABLE_LOCAL, KernelRoute.Kind.BROADCAST,
                IpAddress.NONE, interfaceIndex, listener);
        }
        if (!network.isHost())
        {
            dumpRoute(
                network, KernelRoute.TABLE_MAIN, KernelRoute.Kind.UNICAST, IpAddress.NONE, interfaceIndex, listener);
        }
    }

    private static void dumpRoute(
        final IpPrefix prefix,
        final int table,
        final KernelRoute.Kind kind,
        final IpAddress gateway,
        final int interfaceIndex,
        final KernelNetworkListener listener)
    {
        listener.onRoute(
            new KernelRoute(
                prefix.isIpv6(), prefix.first(), prefix.length(), table, 0, kind, gateway, interfaceIndex),
            true);
    }
}
