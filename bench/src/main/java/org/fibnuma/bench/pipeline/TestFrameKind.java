package org.fibnuma.bench.pipeline;

/** What {@link TestTraffic} sends: ordinary frames, and those that a router cannot simply forward. */
public enum TestFrameKind
{
    /** UDP over IPv4 to the next destination. */
    ORDINARY,
    /** Its time to live has run out. */
    EXPIRED,
    /** To {@link LoadedRouter#UNRESOLVED_HOST}. */
    UNRESOLVED,
    /** With four bytes of options in its IPv4 header. */
    OPTIONS,
    /** A fragment other than the first. */
    FRAGMENT,
    /** With the EtherType of ARP. */
    ARP,
    /** With the EtherType of IPv6. */
    IPV6
}
