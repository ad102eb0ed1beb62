package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelRoute;

/**
 * A route as people see it.
 *
 * @param key             its prefix, see {@link RouteKey}.
 * @param source          where it comes from.
 * @param metric          the kernel's, unsigned.
 * @param kind            what it does.
 * @param gateway         its next hop, or 0.
 * @param interfaceIndex  that it leaves by, or 0 where it leaves by none or by none yet.
 */
public record RouteView(
    long key, RouteSource source, int metric, KernelRoute.Kind kind, int gateway, int interfaceIndex)
{
}
