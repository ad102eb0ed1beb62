package org.fibnuma.bench.pipeline;

/** Frames that {@link TestTraffic} sends: ordinary ones and exceptions. */
public enum TestFrameKind
{
    /** UDP over IPv4 to the next destination. */
    ORDINARY,
    /** The TTL is 1, so that the frame expires. */
    EXPIRED,
    /** The frame is sent to {@link LoadedRouter#UNRESOLVED_HOST}. */
    UNRESOLVED,
    /** The IPv4 header has four bytes of options. */
    OPTIONS,
    /** The packet is a fragment other than the first. */
    FRAGMENT,
    /** The EtherType is ARP. */
    ARP,
    /** The EtherType is IPv6. */
    IPV6
}
