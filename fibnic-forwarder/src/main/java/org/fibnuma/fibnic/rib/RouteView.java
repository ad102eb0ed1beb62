package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

/**
 * A route, for {@code show routes}.
 *
 * @param prefix         of its destinations.
 * @param source         of the route.
 * @param metric         of the kernel, unsigned.
 * @param kind           what is done with frames.
 * @param gateway        next hop, or {@link IpAddress#NONE}.
 * @param interfaceIndex kernel's index of the egress interface, or 0 if there is none or it is not resolved.
 * @param multipath      the next hops of a route that has several, which has no gateway and interface; null for others.
 * @param options        MTU, source and scope of the route.
 */
public record RouteView(
    IpPrefix prefix,
    RouteSource source,
    int metric,
    KernelRoute.Kind kind,
    IpAddress gateway,
    int interfaceIndex,
    KernelMultipath multipath,
    RouteOptions options)
{
}
