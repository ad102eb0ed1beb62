package org.fibnuma.fibnic.control;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.fibnic.config.InterfaceAddress;
import org.fibnuma.fibnic.config.ControlConfig;
import org.fibnuma.fibnic.config.PortConfig;
import org.fibnuma.fibnic.config.RouterConfig;

import java.util.List;

/**
 * The configuration as a kernel: reports the links, addresses, neighbours and routes of the file, and the routes that
 * follow from an address. Never changes, except for properties of a device to which a port attaches again. Interface
 * indexes are port indexes + 1.
 */
final class StaticNetwork implements KernelNetwork
{
    /** Locally administered; the port index is added to the last byte. */
    private static final long DEFAULT_MAC = 0x0200_0000_0001L;
    private static final int NO_BROADCAST_LENGTH = 31;
    private static final int HOST_LENGTH = 32;

    private final RouterConfig config;
    private final List<? extends Port> ports;

    StaticNetwork(final RouterConfig config, final List<? extends Port> ports)
    {
        this.config = config;
        this.ports = ports;
    }

    /** The interface index of a port. */
    static int interfaceIndex(final int port)
    {
        return port + 1;
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
        for (final ControlConfig.Neighbor neighbor : config.control().neighbors())
        {
            listener.onNeighbor(
                new KernelNeighbor(
                    interfaceIndex(neighbor.port()), IpAddress.of(neighbor.address()), neighbor.macAddress(),
                    KernelNeighbor.State.PERMANENT),
                true);
        }
        for (final ControlConfig.Route route : config.control().routes())
        {
            dumpRoute(
                route.prefix(), KernelRoute.TABLE_MAIN, route.kind(), route.gateway(),
                route.gateway() == 0 ? 0 : interfaceIndex(route.port()), listener);
        }
        listener.onDumpEnd();
    }

    @Override
    public int poll(final KernelNetworkListener listener)
    {
        return 0;
    }

    /** Does nothing: neighbours that are not in the file stay unknown. */
    @Override
    public void resolve(final int interfaceIndex, final IpAddress address)
    {
    }

    @Override
    public void close()
    {
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

    private static void dumpAddress(
        final int interfaceIndex, final InterfaceAddress address, final KernelNetworkListener listener)
    {
        final Ipv4Prefix network = address.network();
        listener.onAddress(
            new KernelAddress(interfaceIndex, IpAddress.of(address.address()), address.prefixLength()), true);
        dumpRoute(
            new Ipv4Prefix(address.address(), HOST_LENGTH), KernelRoute.TABLE_LOCAL, KernelRoute.Kind.LOCAL, 0,
            interfaceIndex, listener);
        if (network.length() < NO_BROADCAST_LENGTH)
        {
            dumpRoute(
                new Ipv4Prefix(network.last(), HOST_LENGTH), KernelRoute.TABLE_LOCAL, KernelRoute.Kind.BROADCAST,
                0, interfaceIndex, listener);
        }
        if (network.length() < HOST_LENGTH)
        {
            dumpRoute(
                network, KernelRoute.TABLE_MAIN, KernelRoute.Kind.UNICAST, 0, interfaceIndex, listener);
        }
    }

    private static void dumpRoute(
        final Ipv4Prefix prefix,
        final int table,
        final KernelRoute.Kind kind,
        final int gateway,
        final int interfaceIndex,
        final KernelNetworkListener listener)
    {
        listener.onRoute(
            new KernelRoute(prefix.address(), prefix.length(), table, 0, kind, gateway, interfaceIndex), true);
    }
}
