package org.fibnuma.bench.pipeline;

import java.util.Locale;

/** Frames that {@link TestTraffic} sends: ordinary ones of both families, and exceptions. */
public enum TestFrameKind
{
    /** UDP over IPv4 to the next destination. */
    IPV4(false),
    /** UDP over IPv6 to the next destination. */
    IPV6(true),
    /** IPv4 to {@link LoadedRouter#UNRESOLVED_HOST}. */
    UNRESOLVED(false),
    /** IPv6 to {@link LoadedRouter#UNRESOLVED_IPV6_HOST}. */
    UNRESOLVED6(true),
    /** The IPv4 header has four bytes of options. */
    OPTIONS(false),
    /** The IPv4 packet is a fragment other than the first. */
    FRAGMENT(false),
    /** The TTL is 1, so that the IPv4 packet expires. */
    EXPIRED(false),
    /** The hop limit is 1, so that the IPv6 packet expires. */
    EXPIRED6(true),
    /** An ARP request to all hosts. */
    ARP(false),
    /** A neighbour solicitation (RFC 4861 section 4.3) to the solicited-node multicast address. */
    ND(true);

    private final boolean isIpv6;

    TestFrameKind(final boolean isIpv6)
    {
        this.isIpv6 = isIpv6;
    }

    /** Returns whether the EtherType is IPv6. */
    boolean isIpv6()
    {
        return isIpv6;
    }

    /** Returns whether the frame is forwarded without an exception. */
    boolean isOrdinary()
    {
        return this == IPV4 || this == IPV6;
    }

    /** Returns the name in options and output, in lower case. */
    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
