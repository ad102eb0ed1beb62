package org.fibnuma.fibnic.fate;

import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.Icmpv6HeaderFlyweight;

/** Reasons for which a frame is dropped, each with a counter and, if the sender is notified, an ICMP error. */
public enum DropReason
{
    /** Shorter than an Ethernet header. */
    ETHERNET_TOO_SHORT(0, "ethernet-too-short"),
    /** Unicast to another MAC address. */
    ETHERNET_OTHER_HOST(1, "ethernet-other-host"),
    /** Shorter than an IPv4 header, RFC 1812 section 5.2.2 (1). */
    IPV4_TOO_SHORT(2, "ipv4-too-short"),
    /** Version other than 4 although the EtherType is IPv4, RFC 1812 section 5.2.2 (3). */
    IPV4_BAD_VERSION(3, "ipv4-bad-version"),
    /** Header length below five words, RFC 1812 section 5.2.2 (4). */
    IPV4_BAD_HEADER_LENGTH(4, "ipv4-bad-header-length"),
    /** The IPv4 header is longer than the frame. */
    IPV4_HEADER_TRUNCATED(5, "ipv4-header-truncated"),
    /** Wrong header checksum, RFC 1812 section 5.2.2 (2). */
    IPV4_BAD_CHECKSUM(6, "ipv4-bad-checksum"),
    /** Total length below header length, RFC 1812 section 5.2.2 (5). */
    IPV4_BAD_TOTAL_LENGTH(7, "ipv4-bad-total-length"),
    /** Total length above the payload of the frame. */
    IPV4_TRUNCATED(8, "ipv4-truncated"),
    /** A source that no single host on another network can have, RFC 1812 section 5.3.7. */
    IPV4_MARTIAN_SOURCE(9, "ipv4-martian-source"),
    /** A destination that no host on another network can have, RFC 1812 section 5.3.7. */
    IPV4_MARTIAN_DESTINATION(10, "ipv4-martian-destination"),
    /** Unicast packet in a broadcast or multicast frame, RFC 1812 section 5.3.4. */
    IPV4_LINK_BROADCAST(11, "ipv4-link-broadcast"),
    /** TTL of 1 or 0 in a packet to be forwarded, RFC 1812 section 5.3.1. */
    IPV4_TTL_EXPIRED(
        12, "ipv4-ttl-expired", IcmpHeaderFlyweight.TYPE_TIME_EXCEEDED, IcmpHeaderFlyweight.CODE_TTL_EXCEEDED),
    /** No prefix matches. */
    IPV4_NO_ROUTE(
        13, "ipv4-no-route", IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_NET_UNREACHABLE),
    /** Longer than the MTU of the egress port with DF set, RFC 1191 section 4. */
    IPV4_TOO_BIG(
        14, "ipv4-too-big", IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_FRAGMENTATION_NEEDED),
    /** The route is a blackhole; no ICMP error is sent. */
    ROUTE_BLACKHOLE(15, "route-blackhole"),
    /** The route is unreachable. The ICMPv6 code is that of Linux. */
    ROUTE_UNREACHABLE(
        16, "route-unreachable", IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_HOST_UNREACHABLE,
        Icmpv6HeaderFlyweight.TYPE_UNREACHABLE, Icmpv6HeaderFlyweight.CODE_NO_ROUTE),
    /** The route is prohibit, RFC 1812 section 5.2.7.1. */
    ROUTE_PROHIBIT(
        17, "route-prohibit",
        IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_ADMINISTRATIVELY_PROHIBITED,
        Icmpv6HeaderFlyweight.TYPE_UNREACHABLE, Icmpv6HeaderFlyweight.CODE_ADMINISTRATIVELY_PROHIBITED),
    /** The MAC address of the neighbour was not resolved in time. */
    NEIGHBOR_UNRESOLVED(
        18, "neighbor-unresolved", IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_HOST_UNREACHABLE,
        Icmpv6HeaderFlyweight.TYPE_UNREACHABLE, Icmpv6HeaderFlyweight.CODE_ADDRESS_UNREACHABLE),
    /** The limit of held frames, for this neighbour or for all neighbours, is reached. */
    HOLD_FULL(19, "hold-full"),
    /** The egress port and the FIFO before it are full. */
    EGRESS_FULL(20, "egress-full"),
    /** The frame is for the kernel of this host, but no port leads to it. */
    PUNT_NO_PATH(21, "punt-no-path"),
    /** The frame is for the kernel of this host, but the port to it is full. */
    PUNT_FULL(22, "punt-full"),
    /** The frame has to be fragmented, but the pool has too few free chunks. */
    FRAGMENT_NO_BUFFER(23, "fragment-no-buffer"),
    /** In a storm of pauses: the peer has paused the priority for too long. */
    PFC_STORM(24, "pfc-storm"),
    /** The frame has a lossless priority, but the sender did not pause and the headroom is used up. */
    PFC_BEYOND_HEADROOM(25, "pfc-beyond-headroom"),
    /** The frame is for the kernel of this host, beyond the punt rate of the ingress port. */
    PUNT_RATE(26, "punt-rate"),
    /** An option that exceeds the header, has a bad pointer or occurs twice, RFC 791 section 3.1. */
    IPV4_BAD_OPTION(
        27, "ipv4-bad-option", IcmpHeaderFlyweight.TYPE_PARAMETER_PROBLEM, IcmpHeaderFlyweight.CODE_POINTER),
    /** Source route that is not followed, RFC 1812 section 5.3.13.4. */
    IPV4_SOURCE_ROUTE(
        28, "ipv4-source-route", IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_SOURCE_ROUTE_FAILED),
    /** Received frame with an address of this host as source, RFC 1812 section 5.3.7. */
    IPV4_OWN_SOURCE(29, "ipv4-own-source"),
    /** Broadcast address of a connected network as source, RFC 1812 section 4.2.2.11. */
    IPV4_BROADCAST_SOURCE(30, "ipv4-broadcast-source"),
    /** Destination {prefix, 0} of a connected network, its obsolete broadcast address, RFC 1812 section 4.2.3.1. */
    IPV4_OLD_BROADCAST(31, "ipv4-old-broadcast"),
    /** No route to the source, or not by the ingress port, RFC 1812 section 5.3.8, RFC 3704. */
    IPV4_REVERSE_PATH(32, "ipv4-reverse-path"),
    /** Shorter than an IPv6 header. */
    IPV6_TOO_SHORT(33, "ipv6-too-short"),
    /** Version other than 6 although the EtherType is IPv6. */
    IPV6_BAD_VERSION(34, "ipv6-bad-version"),
    /** Header and payload length above the payload of the frame. */
    IPV6_TRUNCATED(35, "ipv6-truncated"),
    /** Multicast, unspecified, loopback or IPv4-mapped source, RFC 4291 sections 2.5 and 2.7. */
    IPV6_MARTIAN_SOURCE(36, "ipv6-martian-source"),
    /** Unspecified, loopback or IPv4-mapped destination, RFC 4291 section 2.5. */
    IPV6_MARTIAN_DESTINATION(37, "ipv6-martian-destination"),
    /** Packet to another host in a broadcast or multicast frame. */
    IPV6_LINK_BROADCAST(38, "ipv6-link-broadcast"),
    /** Received frame with an address of this host as source. */
    IPV6_OWN_SOURCE(39, "ipv6-own-source"),
    /** Hop limit of 1 or 0 in a packet to be forwarded, RFC 4443 section 3.3. */
    IPV6_HOP_LIMIT(
        40, "ipv6-hop-limit", DropReason.SILENT, 0,
        Icmpv6HeaderFlyweight.TYPE_TIME_EXCEEDED, Icmpv6HeaderFlyweight.CODE_HOP_LIMIT_EXCEEDED),
    /** No prefix matches, RFC 4443 section 3.1. */
    IPV6_NO_ROUTE(
        41, "ipv6-no-route", DropReason.SILENT, 0,
        Icmpv6HeaderFlyweight.TYPE_UNREACHABLE, Icmpv6HeaderFlyweight.CODE_NO_ROUTE),
    /** Longer than the MTU of the egress port, RFC 4443 section 3.2. */
    IPV6_TOO_BIG(42, "ipv6-too-big", DropReason.SILENT, 0, Icmpv6HeaderFlyweight.TYPE_PACKET_TOO_BIG, 0),
    /** Link-local source in a packet to be forwarded, RFC 4291 section 2.5.6. */
    IPV6_BEYOND_SCOPE(
        43, "ipv6-beyond-scope", DropReason.SILENT, 0,
        Icmpv6HeaderFlyweight.TYPE_UNREACHABLE, Icmpv6HeaderFlyweight.CODE_BEYOND_SCOPE),
    /** Denied by an access list; no ICMP error is sent. */
    ACCESS_DENIED(44, "access-denied"),
    /** Denied by an access list with a message to the sender, RFC 1812 section 5.2.7.1, RFC 4443 section 3.1. */
    ACCESS_PROHIBITED(
        45, "access-prohibited",
        IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_ADMINISTRATIVELY_PROHIBITED,
        Icmpv6HeaderFlyweight.TYPE_UNREACHABLE, Icmpv6HeaderFlyweight.CODE_ADMINISTRATIVELY_PROHIBITED),
    /** VLAN identifier 4095, which no frame may have (IEEE 802.1Q table 9-2). */
    VLAN_RESERVED(46, "vlan-reserved"),
    /** VLAN tags that neither the router nor the kernel has on the port. */
    VLAN_UNKNOWN(47, "vlan-unknown");

    /** Value of {@link #icmpType()} and {@link #icmpv6Type()} for a reason without such an error. */
    public static final int SILENT = -1;

    private static final DropReason[] BY_ID = values();

    private final int id;
    private final String label;
    private final int icmpType;
    private final int icmpCode;
    private final int icmpv6Type;
    private final int icmpv6Code;

    DropReason(final int id, final String label)
    {
        this(id, label, SILENT, 0);
    }

    DropReason(final int id, final String label, final int icmpType, final int icmpCode)
    {
        this(id, label, icmpType, icmpCode, SILENT, 0);
    }

    DropReason(
        final int id,
        final String label,
        final int icmpType,
        final int icmpCode,
        final int icmpv6Type,
        final int icmpv6Code)
    {
        this.id = id;
        this.label = label;
        this.icmpType = icmpType;
        this.icmpCode = icmpCode;
        this.icmpv6Type = icmpv6Type;
        this.icmpv6Code = icmpv6Code;
    }

    /** Returns the reason with an {@link #id()}. */
    public static DropReason of(final int id)
    {
        return BY_ID[id];
    }

    /** Returns the number of reasons, one more than the highest id. */
    public static int count()
    {
        return BY_ID.length;
    }

    /**
     * Returns the id in a {@link org.fibnuma.core.frame.FrameBatch} and among the counters, from 0; the position in
     * this enum.
     */
    public int id()
    {
        return id;
    }

    /** Returns the name for output and JSON, in lower case with hyphens. */
    public String label()
    {
        return label;
    }

    /** Returns the type of the ICMP error to the sender of an IPv4 packet, or {@link #SILENT}. */
    public int icmpType()
    {
        return icmpType;
    }

    /** Returns the code of the ICMP error; undefined if {@link #icmpType()} is {@link #SILENT}. */
    public int icmpCode()
    {
        return icmpCode;
    }

    /** Returns the type of the ICMPv6 error to the sender of an IPv6 packet, or {@link #SILENT}. */
    public int icmpv6Type()
    {
        return icmpv6Type;
    }

    /** Returns the code of the ICMPv6 error; undefined if {@link #icmpv6Type()} is {@link #SILENT}. */
    public int icmpv6Code()
    {
        return icmpv6Code;
    }
}
