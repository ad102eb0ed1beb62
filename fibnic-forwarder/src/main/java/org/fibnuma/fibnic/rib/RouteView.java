package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelRoute;

/**
 * A route for {@code show routes}.
 *
 * @param key            of the prefix, see {@link RouteKey}.
 * @param source         of the route.
 * @param metric         of the kernel, unsigned.
 * @param kind           what is done with frames.
 * @param gateway        IPv4 address of the next hop, or 0.
 * @param interfaceIndex egress interface, or 0 where there is none or it is not resolved.
 */
public record RouteView(
    long key, RouteSource source, int metric, KernelRoute.Kind kind, int gateway, int interfaceIndex)
{
}
