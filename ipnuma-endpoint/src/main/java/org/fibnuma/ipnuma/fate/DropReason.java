package org.fibnuma.ipnuma.fate;

/**
 * Reasons for dropping a received frame, each with its meaning and what an operator does about it. The live page and
 * {@code fibnuma ipnuma counters} have their texts from here.
 */
public enum DropReason
{
    TOO_SHORT("too-short",
        "The frame is shorter than its headers.",
        DropReason.FIND_SENDER),
    OTHER_HOST("other-host",
        "The frame is to another MAC address.",
        "A few are normal: a switch floods frames until it has learned an address. If they go on, compare the " +
        "MAC address of the endpoint's device with the neighbour entry of the sender."),
    OTHER_PROTOCOL("other-protocol",
        "The frame has neither IPv4 nor ARP.",
        "Normal if hosts of the network use IPv6 or LLDP."),
    ARP_MALFORMED("arp-malformed",
        "The ARP packet is not for IPv4 over Ethernet.",
        DropReason.FIND_SENDER),
    IPV4_MALFORMED("ipv4-malformed",
        "The version, the header length or the total length of the IPv4 header is invalid.",
        DropReason.FIND_SENDER),
    IPV4_BAD_CHECKSUM("ipv4-bad-checksum",
        "The IPv4 header checksum is wrong.",
        DropReason.FIND_SENDER),
    IPV4_FRAGMENT("ipv4-fragment",
        "The packet is a fragment. Endpoints send with Don't Fragment.",
        "If a peer sent it, a router on the way ignores Don't Fragment. Otherwise it is not for the endpoint."),
    OTHER_ADDRESS("other-address",
        "The packet is to another IPv4 address.",
        "Broadcasts are normal. If packets of a peer are dropped, compare its address of this endpoint with " +
        "the address in [endpoint] here."),
    NOT_UDP("not-udp",
        "The packet is IPv4, but not UDP.",
        "An endpoint answers no ping and has no TCP. Use the address of the kernel's interface for these."),
    UDP_MALFORMED("udp-malformed",
        "The length in the UDP header is invalid.",
        DropReason.FIND_SENDER),
    UDP_BAD_CHECKSUM("udp-bad-checksum",
        "The UDP checksum is wrong.",
        "If the sender is on this host, its interface may leave checksums to the device: \"ethtool -K DEVICE " +
        "tx off\" there. Otherwise a device on the way damages packets."),
    UNKNOWN_SOURCE("unknown-source",
        "The source address is not that of a peer.",
        "Add a [[peer]] with this address, or correct the address that the sender has."),
    OTHER_PORT("other-port",
        "The UDP destination port is not one that the peer's format uses.",
        "Give the peer the same format in the configurations of both endpoints.");

    private static final String FIND_SENDER =
        "A sender or a device on the way makes damaged frames. Find its MAC address with tcpdump(8) at the peer or " +
        "at the switch.";

    private final String label;
    private final String meaning;
    private final String remedy;

    DropReason(final String label, final String meaning, final String remedy)
    {
        this.label = label;
        this.meaning = meaning;
        this.remedy = remedy;
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

    /** Returns what is wrong with the frame, as sentences. */
    public String meaning()
    {
        return meaning;
    }

    /** Returns what an operator does, as sentences. */
    public String remedy()
    {
        return remedy;
    }
}
