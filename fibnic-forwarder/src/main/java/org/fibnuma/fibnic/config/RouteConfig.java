package org.fibnuma.fibnic.config;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.Ipv4Prefix;

/**
 * A static route.
 *
 * @param prefix  of its destinations.
 * @param kind    what is done with frames to them.
 * @param gateway next hop of a {@link KernelRoute.Kind#UNICAST} route, else 0.
 * @param port    index of the port whose network the gateway is in; of no meaning without a gateway.
 */
public record RouteConfig(Ipv4Prefix prefix, KernelRoute.Kind kind, int gateway, int port)
{
}
