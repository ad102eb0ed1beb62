package org.fibnuma.binding.rtnetlink;

import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.core.wire.Ipv6Address;

/** The two address families of IP, by their numbers in rtnetlink messages. */
final class AddressFamily
{
    private static final int IPV4_BITS = 32;

    private AddressFamily()
    {
    }

    /** Returns whether a family is AF_INET or AF_INET6. */
    static boolean isIp(final int family)
    {
        return family == SysSocket.AF_INET || family == SysSocket.AF_INET6;
    }

    /** Returns the length of an address of AF_INET or AF_INET6 in bits. */
    static int bits(final int family)
    {
        return family == SysSocket.AF_INET6 ? Ipv6Address.BITS : IPV4_BITS;
    }
}
