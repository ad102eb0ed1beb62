package org.fibnuma.fibnic.config;

import java.nio.file.Path;
import java.util.List;

/**
 * Where the control plane gets its tables.
 *
 * @param mode                   kernel or file.
 * @param routesFile             further routes, or null.
 * @param neighborRefreshSeconds how often a neighbour in use is asked for again, so that it does not go stale.
 * @param bypassNetfilter        whether frames may go past the host's packet filters.
 * @param ignoreRules            whether the main table counts where the host chooses other tables by rules or VRFs.
 * @param routes                 of {@link ControlMode#STATIC}.
 * @param neighbors              of {@link ControlMode#STATIC}.
 */
public record ControlConfig(
    ControlMode mode,
    Path routesFile,
    int neighborRefreshSeconds,
    boolean bypassNetfilter,
    boolean ignoreRules,
    List<RouteConfig> routes,
    List<NeighborConfig> neighbors)
{
    /**
     * The kernel lets a reachable neighbour go stale after 15 to 45 s (RFC 4861 section 10, base_reachable_time);
     * it does not see that the router uses it, so it is asked about as often.
     */
    public static final int DEFAULT_NEIGHBOR_REFRESH_SECONDS = 30;
}
