package org.fibnuma.bench.pipeline;

/** Frames that {@link TestTraffic} sends: ordinary ones and exceptions. */
public enum TestFrameKind
{
    /** UDP over IPv4 to the next destination. */
    ORDINARY,
    /** TTL 1. */
    EXPIRED,
    /** The frame is sent to {@link LoadedRouter#UNRESOLVED_HOST}. */
    UNRESOLVED,
    /** The IPv4 header has four bytes of options. */
    OPTIONS,
    /** A fragment other than the first. */
    FRAGMENT,
    /** The EtherType is ARP. */
    ARP,
    /** The EtherType is IPv6. */
    IPV6
}
