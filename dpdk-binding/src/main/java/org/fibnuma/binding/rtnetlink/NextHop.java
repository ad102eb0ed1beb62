package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.kernel.KernelRoute;

/**
 * Where a next-hop object leads.
 *
 * @param kind           UNICAST, BLACKHOLE, or OTHER where only the kernel can go this way.
 * @param gateway        IPv4, or 0 where the destination is on the link itself.
 * @param interfaceIndex that it leaves by, or 0.
 * @param dead           the kernel does not use it.
 */
record NextHop(KernelRoute.Kind kind, int gateway, int interfaceIndex, boolean dead)
{
    /** Left to the kernel: unknown, or nothing that a route can be made of. */
    static final NextHop UNKNOWN = new NextHop(KernelRoute.Kind.OTHER, 0, 0, false);
}
