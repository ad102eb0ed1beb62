package org.fibnuma.fibnic.config;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.nio.file.Path;
import java.util.List;

/**
 * Sources of the control plane's tables.
 *
 * @param mode                   netlink, fpm or static.
 * @param fpm                    settings of {@link ControlMode#FPM}, null with other modes.
 * @param routesFile             file with further routes, or null.
 * @param neighborRefreshSeconds interval of requests for a neighbour in use, so that it does not go stale.
 * @param firewall               what is done on a host with packet filters.
 * @param ignoreRules            whether the main table is used although rules or VRFs of the host select other tables.
 * @param routes                 of {@link ControlMode#STATIC}.
 * @param neighbors              of {@link ControlMode#STATIC}.
 */
public record ControlConfig(
    ControlMode mode,
    FpmConfig fpm,
    Path routesFile,
    int neighborRefreshSeconds,
    Firewall firewall,
    boolean ignoreRules,
    List<Route> routes,
    List<Neighbor> neighbors)
{
    /**
     * The kernel marks a reachable neighbour as stale after 15 to 45 s (RFC 4861 section 10, base_reachable_time),
     * because it does not see that the router uses it.
     */
    public static final int DEFAULT_NEIGHBOR_REFRESH_SECONDS = 30;
    /** By default a router starts on every host, and its filters stay in force. */
    public static final Firewall DEFAULT_FIREWALL = Firewall.FOLLOW;

    /**
     * A static route.
     *
     * @param prefix of its destinations.
     * @param kind   what is done with frames to them.
     * @param hops   next hops of a {@link KernelRoute.Kind#UNICAST} route, one or more, else none.
     */
    public record Route(IpPrefix prefix, KernelRoute.Kind kind, List<Hop> hops)
    {
    }

    /**
     * A next hop of a static route.
     *
     * @param gateway address of the neighbour.
     * @param port    index of the port or VLAN interface whose network contains the gateway. VLAN interfaces follow the
     *                ports, see {@link RouterConfig#vlans()}.
     * @param weight  share of the flows, relative to the other next hops.
     */
    public record Hop(IpAddress gateway, int port, int weight)
    {
    }

    /**
     * A static neighbour.
     *
     * @param port       index of the port or VLAN interface whose network contains the address, as in {@link Hop}.
     * @param address    of either family.
     * @param macAddress as in {@link org.fibnuma.core.wire.MacAddress}.
     */
    public record Neighbor(int port, IpAddress address, long macAddress)
    {
    }
}
