package org.fibnuma.ipnuma.fate;

/** Reasons for dropping a received frame. */
public enum DropReason
{
    /** Too short for its headers. */
    TOO_SHORT("too-short"),
    /** The frame is for another MAC address. */
    OTHER_HOST("other-host"),
    /** Neither IPv4 nor ARP. */
    OTHER_PROTOCOL("other-protocol"),
    /** ARP, but not for IPv4 over Ethernet. */
    ARP_MALFORMED("arp-malformed"),
    /** Invalid version, header length or total length in the IPv4 header. */
    IPV4_MALFORMED("ipv4-malformed"),
    /** Wrong checksum of the IPv4 header. */
    IPV4_BAD_CHECKSUM("ipv4-bad-checksum"),
    /** A fragment; endpoints send with Don't Fragment. */
    IPV4_FRAGMENT("ipv4-fragment"),
    /** The packet is for another IPv4 address. */
    OTHER_ADDRESS("other-address"),
    /** IPv4, but not UDP. */
    NOT_UDP("not-udp"),
    /** Invalid length in the UDP header. */
    UDP_MALFORMED("udp-malformed"),
    /** Wrong UDP checksum. */
    UDP_BAD_CHECKSUM("udp-bad-checksum"),
    /** The source address is not that of a peer. */
    UNKNOWN_SOURCE("unknown-source"),
    /** The UDP port is not one that the peer's format uses. */
    OTHER_PORT("other-port");

    private final String label;

    DropReason(final String label)
    {
        this.label = label;
    }

    /** Returns the position in this enumeration. */
    public int id()
    {
        return ordinal();
    }

    /** Returns the label for output and JSON, lower case with hyphens. */
    public String label()
    {
        return label;
    }
}
