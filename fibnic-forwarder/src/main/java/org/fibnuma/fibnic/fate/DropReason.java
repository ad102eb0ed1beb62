package org.fibnuma.fibnic.fate;

import org.fibnuma.core.wire.IcmpHeaderFlyweight;

/** Why a frame was discarded: one name for each cause, its counter, and the ICMP error that tells the sender. */
public enum DropReason
{
    /** Shorter than an Ethernet header. */
    ETHERNET_TOO_SHORT(0, "ethernet-too-short"),
    /** To a station that is neither we nor a group. */
    ETHERNET_OTHER_HOST(1, "ethernet-other-host"),
    /** Shorter than an IPv4 header, RFC 1812 section 5.2.2 (1). */
    IPV4_TOO_SHORT(2, "ipv4-too-short"),
    /** Another version behind the EtherType of IPv4, RFC 1812 section 5.2.2 (3). */
    IPV4_BAD_VERSION(3, "ipv4-bad-version"),
    /** Header length below five words, RFC 1812 section 5.2.2 (4). */
    IPV4_BAD_HEADER_LENGTH(4, "ipv4-bad-header-length"),
    /** The header goes on behind the end of the frame. */
    IPV4_HEADER_TRUNCATED(5, "ipv4-header-truncated"),
    /** RFC 1812 section 5.2.2 (2). */
    IPV4_BAD_CHECKSUM(6, "ipv4-bad-checksum"),
    /** Total length below header length, RFC 1812 section 5.2.2 (5). */
    IPV4_BAD_TOTAL_LENGTH(7, "ipv4-bad-total-length"),
    /** Total length above what the frame carries. */
    IPV4_TRUNCATED(8, "ipv4-truncated"),
    /** A source that no single host on another network can have, RFC 1812 section 5.3.7. */
    IPV4_MARTIAN_SOURCE(9, "ipv4-martian-source"),
    /** A destination that no host on another network can have, RFC 1812 section 5.3.7. */
    IPV4_MARTIAN_DESTINATION(10, "ipv4-martian-destination"),
    /** To one host in a frame to many, RFC 1812 section 5.3.4. */
    IPV4_LINK_BROADCAST(11, "ipv4-link-broadcast"),
    /** RFC 1812 section 5.3.1. */
    IPV4_TTL_EXPIRED(
        12, "ipv4-ttl-expired", IcmpHeaderFlyweight.TYPE_TIME_EXCEEDED, IcmpHeaderFlyweight.CODE_TTL_EXCEEDED),
    /** No prefix matches. */
    IPV4_NO_ROUTE(
        13, "ipv4-no-route", IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_NET_UNREACHABLE),
    /** Longer than the egress link carries and not to be fragmented, RFC 1191 section 4. */
    IPV4_TOO_BIG(
        14, "ipv4-too-big", IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_FRAGMENTATION_NEEDED),
    /** The route says so, silently. */
    ROUTE_BLACKHOLE(15, "route-blackhole"),
    /** The route says so. */
    ROUTE_UNREACHABLE(
        16, "route-unreachable", IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_HOST_UNREACHABLE),
    /** The route says so, RFC 1812 section 5.2.7.1. */
    ROUTE_PROHIBIT(
        17, "route-prohibit",
        IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_ADMINISTRATIVELY_PROHIBITED),
    /** The neighbour's link-layer address did not come in time. */
    NEIGHBOR_UNRESOLVED(
        18, "neighbor-unresolved", IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_HOST_UNREACHABLE),
    /** As many frames wait for this neighbour, or for all of them, as may. */
    HOLD_FULL(19, "hold-full"),
    /** The egress port and the FIFO before it are full. */
    EGRESS_FULL(20, "egress-full"),
    /** For this host, but there is no port to its kernel. */
    PUNT_NO_PATH(21, "punt-no-path"),
    /** For this host, but the port to its kernel is full. */
    PUNT_FULL(22, "punt-full"),
    /** To be fragmented, but there is no free chunk for the fragments. */
    FRAGMENT_NO_BUFFER(23, "fragment-no-buffer"),
    /** The peer has stopped the priority for so long that its frames are given up. */
    PFC_STORM(24, "pfc-storm"),
    /** Of a lossless priority, but the sender goes on and the headroom is used up. */
    PFC_BEYOND_HEADROOM(25, "pfc-beyond-headroom"),
    /** For this host, but its port brings more of that than is let up to the kernel. */
    PUNT_RATE(26, "punt-rate"),
    /** An option runs over the header, has a bad pointer or is there twice, RFC 791 section 3.1. */
    IPV4_BAD_OPTION(
        27, "ipv4-bad-option", IcmpHeaderFlyweight.TYPE_PARAMETER_PROBLEM, IcmpHeaderFlyweight.CODE_POINTER),
    /** With a source route that is not followed, RFC 1812 section 5.3.13.4. */
    IPV4_SOURCE_ROUTE(
        28, "ipv4-source-route", IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_SOURCE_ROUTE_FAILED),
    /** From outside with one of this host's addresses as source, RFC 1812 section 5.3.7. */
    IPV4_OWN_SOURCE(29, "ipv4-own-source"),
    /** With the broadcast address of a connected network as source, RFC 1812 section 4.2.2.11. */
    IPV4_BROADCAST_SOURCE(30, "ipv4-broadcast-source"),
    /** To {prefix, 0} of a connected network, which was its broadcast address once, RFC 1812 section 4.2.3.1. */
    IPV4_OLD_BROADCAST(31, "ipv4-old-broadcast"),
    /** No route back to the source, or not by the port that it came in by, RFC 1812 section 5.3.8, RFC 3704. */
    IPV4_REVERSE_PATH(32, "ipv4-reverse-path");

    /** ICMP type of a reason that nobody is told about. */
    public static final int SILENT = -1;

    private static final DropReason[] BY_ID = values();

    private final int id;
    private final String label;
    private final int icmpType;
    private final int icmpCode;

    DropReason(final int id, final String label)
    {
        this(id, label, SILENT, 0);
    }

    DropReason(final int id, final String label, final int icmpType, final int icmpCode)
    {
        this.id = id;
        this.label = label;
        this.icmpType = icmpType;
        this.icmpCode = icmpCode;
    }

    /**
     * The reason of an id.
     *
     * @param id as {@link #id()} returns it.
     * @return the reason.
     */
    public static DropReason of(final int id)
    {
        return BY_ID[id];
    }

    /**
     * How many reasons there are.
     *
     * @return one more than the highest id.
     */
    public static int count()
    {
        return BY_ID.length;
    }

    /**
     * Its number in a {@link org.fibnuma.core.frame.FrameBatch} and among the counters.
     *
     * @return 0 to {@link #count()} - 1, the position in this enumeration.
     */
    public int id()
    {
        return id;
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

    /**
     * The ICMP error that tells the sender.
     *
     * @return its type, or {@link #SILENT}.
     */
    public int icmpType()
    {
        return icmpType;
    }

    /**
     * The code of that error.
     *
     * @return of no meaning where {@link #icmpType()} is {@link #SILENT}.
     */
    public int icmpCode()
    {
        return icmpCode;
    }
}
