package org.fibnuma.bench.pipeline;

/** Frames that {@link TestTraffic} sends: ordinary ones and exceptions. */
public enum TestFrameKind
{
    /** UDP over IPv4 to the next destination. */
    ORDINARY,
    /** TTL 1. */
    EXPIRED,
    /** To {@link LoadedRouter#UNRESOLVED_HOST}. */
    UNRESOLVED,
    /** With four bytes of options in the IPv4 header. */
    OPTIONS,
    /** A fragment other than the first. */
    FRAGMENT,
    /** With the EtherType of ARP. */
    ARP,
    /** With the EtherType of IPv6. */
    IPV6
}
