package org.fibnuma.ipnuma.fate;

/** Why a received frame was dropped. */
public enum DropReason
{
    /** No room for the headers that it should have. */
    TOO_SHORT("too-short"),
    /** To another station. */
    OTHER_STATION("other-station"),
    /** Neither IPv4 nor ARP. */
    OTHER_PROTOCOL("other-protocol"),
    /** ARP, but not about IPv4 over Ethernet. */
    ARP_MALFORMED("arp-malformed"),
    /** Version, header length or total length of the IPv4 header cannot be. */
    IPV4_MALFORMED("ipv4-malformed"),
    /** The IPv4 header is not what was sent. */
    IPV4_BAD_CHECKSUM("ipv4-bad-checksum"),
    /** A piece of a packet: ours carry Don't Fragment. */
    IPV4_FRAGMENT("ipv4-fragment"),
    /** To another address. */
    OTHER_ADDRESS("other-address"),
    /** IPv4, but not UDP. */
    NOT_UDP("not-udp"),
    /** The length of the UDP header cannot be. */
    UDP_MALFORMED("udp-malformed"),
    /** There is a UDP checksum, and the datagram is not what was sent. */
    UDP_BAD_CHECKSUM("udp-bad-checksum"),
    /** From an address that is no peer's. */
    STRANGER("stranger"),
    /** To a port that the peer's format does not use. */
    OTHER_PORT("other-port");

    private final String label;

    DropReason(final String label)
    {
        this.label = label;
    }

    /**
     * Its number among the reasons.
     *
     * @return the position in this enumeration.
     */
    public int id()
    {
        return ordinal();
    }

    /**
     * Its name for people and JSON.
     *
     * @return lower case with hyphens.
     */
    public String label()
    {
        return label;
    }
}
