package org.fibnuma.fibnic.config;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.nio.file.Path;
import java.util.List;

/**
 * Sources of the control plane's tables.
 *
 * @param mode                   netlink or static.
 * @param routesFile             further routes, or null.
 * @param neighborRefreshSeconds interval of requests for a neighbour in use, so that it does not go stale.
 * @param bypassNetfilter        whether forwarded frames may bypass the host's packet filters.
 * @param ignoreRules            whether the main table is used although rules or VRFs of the host select other tables.
 * @param routes                 of {@link ControlMode#STATIC}.
 * @param neighbors              of {@link ControlMode#STATIC}.
 */
public record ControlConfig(
    ControlMode mode,
    Path routesFile,
    int neighborRefreshSeconds,
    boolean bypassNetfilter,
    boolean ignoreRules,
    List<Route> routes,
    List<Neighbor> neighbors)
{
    /**
     * The kernel marks a reachable neighbour as stale after 15 to 45 s (RFC 4861 section 10, base_reachable_time),
     * because it does not see that the router uses it.
     */
    public static final int DEFAULT_NEIGHBOR_REFRESH_SECONDS = 30;

    /**
     * A static route.
     *
     * @param prefix  of its destinations.
     * @param kind    what is done with frames to them.
     * @param gateway next hop of a {@link KernelRoute.Kind#UNICAST} route, else
     *                {@link IpAddress#NONE}.
     * @param port    index of the port whose network the gateway is in; unused without a gateway.
     */
    public record Route(IpPrefix prefix, KernelRoute.Kind kind, IpAddress gateway, int port)
    {
    }

    /**
     * A static neighbour.
     *
     * @param port       index of the port whose network it is in.
     * @param address    of either family.
     * @param macAddress as in {@link org.fibnuma.core.wire.MacAddress}.
     */
    public record Neighbor(int port, IpAddress address, long macAddress)
    {
    }
}
