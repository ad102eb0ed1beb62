package org.fibnuma.fibnic.fate;

import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.Icmpv6HeaderFlyweight;

/**
 * Reasons for which a frame is dropped, each with a counter, its meaning, what an operator does about it and, if the
 * sender is notified, an ICMP error. The texts are also those of {@code show drops}, its manual page, the live web page
 * and docs/drops.md.
 */
public enum DropReason
{
    ETHERNET_TOO_SHORT(0, "ethernet-too-short",
        "The frame is shorter than an Ethernet header.",
        DropReason.FIND_SENDER),
    ETHERNET_OTHER_HOST(1, "ethernet-other-host",
        "The frame is unicast to a MAC address that the port does not have.",
        "A few after a change of a MAC address are normal. If they go on, compare the MAC address in \"fibnuma show " +
        "ports PORT\" with the neighbour entry of the sender; a switch may flood frames."),
    /** RFC 1812 section 5.2.2 (1). */
    IPV4_TOO_SHORT(2, "ipv4-too-short",
        "The frame is shorter than an IPv4 header.",
        DropReason.FIND_SENDER),
    /** RFC 1812 section 5.2.2 (3). */
    IPV4_BAD_VERSION(3, "ipv4-bad-version",
        "The EtherType is IPv4, but the version in the header is not 4.",
        DropReason.FIND_SENDER),
    /** RFC 1812 section 5.2.2 (4). */
    IPV4_BAD_HEADER_LENGTH(4, "ipv4-bad-header-length",
        "The IPv4 header length is below 20 bytes.",
        DropReason.FIND_SENDER),
    IPV4_HEADER_TRUNCATED(5, "ipv4-header-truncated",
        "The IPv4 header is longer than the frame.",
        DropReason.FIND_SENDER),
    /** RFC 1812 section 5.2.2 (2). */
    IPV4_BAD_CHECKSUM(6, "ipv4-bad-checksum",
        "The IPv4 header checksum is wrong.",
        DropReason.FIND_SENDER),
    /** RFC 1812 section 5.2.2 (5). */
    IPV4_BAD_TOTAL_LENGTH(7, "ipv4-bad-total-length",
        "The IPv4 total length is below the header length.",
        DropReason.FIND_SENDER),
    IPV4_TRUNCATED(8, "ipv4-truncated",
        "The IPv4 total length exceeds the payload of the frame.",
        DropReason.FIND_SENDER),
    /** RFC 1812 section 5.3.7. */
    IPV4_MARTIAN_SOURCE(9, "ipv4-martian-source",
        "The IPv4 source cannot be a single host of another network, such as 127.0.0.1 or a multicast address.",
        "Find the sender with " + DropReason.CAPTURE + " and correct its address. Sources in 0/8 and " +
        "240/4 pass with \"martians\" in [router] set to kernel."),
    /** RFC 1812 section 5.3.7. */
    IPV4_MARTIAN_DESTINATION(10, "ipv4-martian-destination",
        "The IPv4 destination cannot be a host of another network, such as 127.0.0.1.",
        "Find the sender with " + DropReason.CAPTURE +
        ". Destinations in 0/8 and 240/4 pass with \"martians\" in [router] set to kernel."),
    /** RFC 1812 section 5.3.4. */
    IPV4_LINK_BROADCAST(11, "ipv4-link-broadcast",
        "The packet is to a single IPv4 host, but its frame is to a broadcast or multicast MAC address.",
        DropReason.FIND_CLUSTER),
    /** RFC 1812 section 5.3.1. */
    IPV4_TTL_EXPIRED(12, "ipv4-ttl-expired",
        "The TTL of a packet that had to be forwarded was 1 or 0.",
        DropReason.FIND_LOOP,
        IcmpHeaderFlyweight.TYPE_TIME_EXCEEDED, IcmpHeaderFlyweight.CODE_TTL_EXCEEDED),
    IPV4_NO_ROUTE(13, "ipv4-no-route",
        "No route covers the IPv4 destination.",
        "Look up the destination with \"fibnuma lookup ADDRESS\" and \"ip route get ADDRESS\". Add the missing " +
        "route, or check the routing daemon that should have sent it.",
        IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_NET_UNREACHABLE),
    /** RFC 1191 section 4. */
    IPV4_TOO_BIG(14, "ipv4-too-big",
        "The packet is longer than the MTU of its route or egress port, and its DF bit forbids fragments.",
        "The sender gets the MTU by ICMP. If the drops go on, check that no firewall discards ICMP type 3 code 4, " +
        "and compare the MTU in \"fibnuma lookup ADDRESS\" with that of the sender.",
        IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_FRAGMENTATION_NEEDED),
    ROUTE_BLACKHOLE(15, "route-blackhole",
        "The route to the destination is of type blackhole; the sender gets no message.",
        DropReason.REMOVE_ROUTE),
    /** The ICMPv6 code is that of Linux. */
    ROUTE_UNREACHABLE(16, "route-unreachable",
        "The route to the destination is of type unreachable.",
        DropReason.REMOVE_ROUTE,
        IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_HOST_UNREACHABLE,
        Icmpv6HeaderFlyweight.TYPE_UNREACHABLE, Icmpv6HeaderFlyweight.CODE_NO_ROUTE),
    /** RFC 1812 section 5.2.7.1. */
    ROUTE_PROHIBIT(17, "route-prohibit",
        "The route to the destination is of type prohibit.",
        DropReason.REMOVE_ROUTE,
        IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_ADMINISTRATIVELY_PROHIBITED,
        Icmpv6HeaderFlyweight.TYPE_UNREACHABLE, Icmpv6HeaderFlyweight.CODE_ADMINISTRATIVELY_PROHIBITED),
    NEIGHBOR_UNRESOLVED(18, "neighbor-unresolved",
        "The MAC address of the next hop was not resolved in time.",
        "Look for the next hop in \"fibnuma show neighbors\". Check that it is up, that its address is in a network " +
        "of the port, and that the link of the port is up.",
        IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_HOST_UNREACHABLE,
        Icmpv6HeaderFlyweight.TYPE_UNREACHABLE, Icmpv6HeaderFlyweight.CODE_ADDRESS_UNREACHABLE),
    HOLD_FULL(19, "hold-full",
        "Too many frames waited for next hops whose MAC address was not known yet.",
        "Look for next hops in state resolving or failed in \"fibnuma show neighbors\"; a scan of unused addresses " +
        "makes many. If they are wanted, raise \"hold-frames\" and \"hold-frames-per-neighbor\" in [router]."),
    EGRESS_FULL(20, "egress-full",
        "The egress port and the FIFO before it were full, or the port was replaced while frames waited for it.",
        "Compare the rates of the ports with their speed in \"fibnuma show ports\": more arrives for a port than it " +
        "can send. For short bursts raise \"egress-fifo-depth\" in [router]."),
    PUNT_NO_PATH(21, "punt-no-path",
        "The frame is for the kernel of this host, but no path leads from its port to the kernel.",
        "Set \"exception\" of the port in the configuration; \"fibnuma show ports PORT\" prints the one in use."),
    PUNT_FULL(22, "punt-full",
        "The frame is for the kernel of this host, but the path to the kernel was full.",
        "Find out what arrives with " + DropReason.CAPTURE +
        ": the kernel takes such frames more slowly. If the kernel forwards them, make their egress interface a " +
        "port."),
    FRAGMENT_NO_BUFFER(23, "fragment-no-buffer",
        "The packet had to be fragmented, but too few buffers were free.",
        "Raise \"frames-per-worker\" in [router], or make the MTUs of the ports equal; \"fibnuma show drops\" " +
        "counts fragments."),
    PFC_STORM(24, "pfc-storm",
        "The peer has paused the priority for too long, and the watchdog drops its frames.",
        "Find the port with \"fibnuma show pfc\" and repair the device behind it, which sends pauses without end."),
    PFC_BEYOND_HEADROOM(25, "pfc-beyond-headroom",
        "The frame has a lossless priority, but its sender did not pause in time and the headroom is used up.",
        "Check that the sender obeys pauses of this priority, and compute the headroom with \"fibnuma pfc " +
        "headroom\"; \"fibnuma show pfc\" has what was used."),
    PUNT_RATE(26, "punt-rate",
        "The frame is for the kernel of this host, but more arrive at the port than \"punts-per-second\" permits.",
        "Find out what arrives with " + DropReason.CAPTURE +
        ". If it is wanted, raise \"punts-per-second\" in [router] and run \"fibnuma reload\"."),
    /** RFC 791 section 3.1. */
    IPV4_BAD_OPTION(27, "ipv4-bad-option",
        "An IPv4 option exceeds the header, has a bad pointer or occurs twice.",
        DropReason.FIND_SENDER,
        IcmpHeaderFlyweight.TYPE_PARAMETER_PROBLEM, IcmpHeaderFlyweight.CODE_POINTER),
    /** RFC 1812 section 5.3.13.4. */
    IPV4_SOURCE_ROUTE(28, "ipv4-source-route",
        "The packet has a source route, which the router does not follow.",
        "If loose source routes are wanted, set \"forward-loose-source-routes\" in [router] to true. Otherwise find " +
        "the sender with " + DropReason.CAPTURE + ".",
        IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_SOURCE_ROUTE_FAILED),
    /** RFC 1812 section 5.3.7. */
    IPV4_OWN_SOURCE(29, "ipv4-own-source",
        "A received packet has an IPv4 address of this host as its source.",
        DropReason.FIND_TWIN),
    /** RFC 1812 section 4.2.2.11. */
    IPV4_BROADCAST_SOURCE(30, "ipv4-broadcast-source",
        "The IPv4 source is the broadcast address of a connected network.",
        "Find the sender with " + DropReason.CAPTURE + " and correct its address or prefix length."),
    /** RFC 1812 section 4.2.3.1. */
    IPV4_OLD_BROADCAST(31, "ipv4-old-broadcast",
        "The destination is the lowest address of a connected network, which is its obsolete broadcast address.",
        "If a host has this address, set \"forward-old-broadcasts\" in [router] to true. Otherwise find the sender " +
        "with " + DropReason.CAPTURE + "."),
    /** RFC 1812 section 5.3.8, RFC 3704. */
    IPV4_REVERSE_PATH(32, "ipv4-reverse-path",
        "No route leads to the IPv4 source, or none by the port that received the packet.",
        "Look up the source with \"fibnuma lookup ADDRESS\". If packets may come and go by different ports, set " +
        "\"rp_filter\" of the port and of all interfaces to 2, or to 0 for no check."),
    IPV6_TOO_SHORT(33, "ipv6-too-short",
        "The frame is shorter than an IPv6 header.",
        DropReason.FIND_SENDER),
    IPV6_BAD_VERSION(34, "ipv6-bad-version",
        "The EtherType is IPv6, but the version in the header is not 6.",
        DropReason.FIND_SENDER),
    IPV6_TRUNCATED(35, "ipv6-truncated",
        "The IPv6 header and payload length exceed the payload of the frame.",
        DropReason.FIND_SENDER),
    /** RFC 4291 sections 2.5 and 2.7. */
    IPV6_MARTIAN_SOURCE(36, "ipv6-martian-source",
        "The IPv6 source is a multicast, unspecified, loopback or IPv4-mapped address.",
        "Find the sender with " + DropReason.CAPTURE + " and correct its address."),
    /** RFC 4291 section 2.5. */
    IPV6_MARTIAN_DESTINATION(37, "ipv6-martian-destination",
        "The IPv6 destination is an unspecified, loopback or IPv4-mapped address.",
        DropReason.FIND_SENDER),
    IPV6_LINK_BROADCAST(38, "ipv6-link-broadcast",
        "The packet is to a single IPv6 host, but its frame is to a broadcast or multicast MAC address.",
        DropReason.FIND_CLUSTER),
    IPV6_OWN_SOURCE(39, "ipv6-own-source",
        "A received packet has an IPv6 address of this host as its source.",
        DropReason.FIND_TWIN),
    /** RFC 4443 section 3.3. */
    IPV6_HOP_LIMIT(40, "ipv6-hop-limit",
        "The hop limit of a packet that had to be forwarded was 1 or 0.",
        DropReason.FIND_LOOP,
        DropReason.SILENT, 0,
        Icmpv6HeaderFlyweight.TYPE_TIME_EXCEEDED, Icmpv6HeaderFlyweight.CODE_HOP_LIMIT_EXCEEDED),
    /** RFC 4443 section 3.1. */
    IPV6_NO_ROUTE(41, "ipv6-no-route",
        "No route covers the IPv6 destination.",
        "Look up the destination with \"fibnuma lookup ADDRESS\" and \"ip -6 route get ADDRESS\". Add the missing " +
        "route, or check the routing daemon that should have sent it.",
        DropReason.SILENT, 0,
        Icmpv6HeaderFlyweight.TYPE_UNREACHABLE, Icmpv6HeaderFlyweight.CODE_NO_ROUTE),
    /** RFC 4443 section 3.2. */
    IPV6_TOO_BIG(42, "ipv6-too-big",
        "The packet is longer than the MTU of its route or egress port; a router never fragments IPv6.",
        "The sender gets the MTU by ICMPv6. If the drops go on, check that no firewall discards ICMPv6 type 2, and " +
        "compare the MTU in \"fibnuma lookup ADDRESS\" with that of the sender.",
        DropReason.SILENT, 0, Icmpv6HeaderFlyweight.TYPE_PACKET_TOO_BIG, 0),
    /** RFC 4291 section 2.5.6. */
    IPV6_BEYOND_SCOPE(43, "ipv6-beyond-scope",
        "The source is a link-local IPv6 address, and the destination is on another link.",
        "Find the sender with " + DropReason.CAPTURE + " and give it an address that is not link-local.",
        DropReason.SILENT, 0,
        Icmpv6HeaderFlyweight.TYPE_UNREACHABLE, Icmpv6HeaderFlyweight.CODE_BEYOND_SCOPE),
    ACCESS_DENIED(44, "access-denied",
        "An access list denied the packet; the sender gets no message.",
        DropReason.FIND_RULE),
    /** RFC 1812 section 5.2.7.1, RFC 4443 section 3.1. */
    ACCESS_PROHIBITED(45, "access-prohibited",
        "An access list prohibited the packet; the sender gets a message.",
        DropReason.FIND_RULE,
        IcmpHeaderFlyweight.TYPE_UNREACHABLE, IcmpHeaderFlyweight.CODE_ADMINISTRATIVELY_PROHIBITED,
        Icmpv6HeaderFlyweight.TYPE_UNREACHABLE, Icmpv6HeaderFlyweight.CODE_ADMINISTRATIVELY_PROHIBITED),
    /** IEEE 802.1Q table 9-2. */
    VLAN_RESERVED(46, "vlan-reserved",
        "The frame has the VLAN identifier 4095, which no frame may have.",
        DropReason.FIND_SENDER),
    VLAN_UNKNOWN(47, "vlan-unknown",
        "The frame has VLAN tags that neither the router nor the kernel has on the port.",
        "If the VLAN is wanted, make its interface with \"ip link add link IF name IF.ID type vlan id ID\". " +
        "Otherwise remove the VLAN from the port of the switch. \"fibnuma show ports\" lists the VLANs.");

    /** Value of {@link #icmpType()} and {@link #icmpv6Type()} for a reason without such an error. */
    public static final int SILENT = -1;

    private static final String CAPTURE = "\"fibnuma capture --direction none --drops -w drops.pcapng\"";
    private static final String FIND_SENDER =
        "A sender or a device on the way makes damaged frames. Find its MAC address with " + CAPTURE + ".";
    private static final String FIND_TWIN =
        "Another host has the same address, or frames come back in a loop. Find the MAC address that sends them with " +
        CAPTURE + ".";
    private static final String FIND_CLUSTER =
        "Find the sender with " + CAPTURE + ". A cluster with a multicast MAC address causes this; give it a unicast " +
        "one.";
    private static final String FIND_LOOP =
        "A traceroute causes a few. Many are a routing loop: look up the destination with \"fibnuma lookup ADDRESS\" " +
        "here and on the next hop.";
    private static final String FIND_RULE =
        "If the packet is wanted, find the rule by its count in \"fibnuma show acl\", or for one packet with " +
        "\"fibnuma trace\". Change it in the configuration and run \"fibnuma reload\".";
    private static final String REMOVE_ROUTE =
        "If the traffic is wanted, find the route with \"fibnuma lookup ADDRESS\" and remove it.";

    private static final DropReason[] BY_ID = values();

    private final int id;
    private final String label;
    private final String meaning;
    private final String remedy;
    private final int icmpType;
    private final int icmpCode;
    private final int icmpv6Type;
    private final int icmpv6Code;

    DropReason(final int id, final String label, final String meaning, final String remedy)
    {
        this(id, label, meaning, remedy, SILENT, 0);
    }

    DropReason(
        final int id,
        final String label,
        final String meaning,
        final String remedy,
        final int icmpType,
        final int icmpCode)
    {
        this(id, label, meaning, remedy, icmpType, icmpCode, SILENT, 0);
    }

    DropReason(
        final int id,
        final String label,
        final String meaning,
        final String remedy,
        final int icmpType,
        final int icmpCode,
        final int icmpv6Type,
        final int icmpv6Code)
    {
        this.id = id;
        this.label = label;
        this.meaning = meaning;
        this.remedy = remedy;
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

    /** Returns the id in a {@link org.fibnuma.core.frame.FrameBatch} and among the counters: the ordinal. */
    public int id()
    {
        return id;
    }

    /** Returns the name for output and JSON, in lower case with hyphens. */
    public String label()
    {
        return label;
    }

    /** Returns what was wrong with the frame: one sentence. */
    public String meaning()
    {
        return meaning;
    }

    /** Returns what an operator does about it: sentences, with commands and configuration keys in double quotes. */
    public String remedy()
    {
        return remedy;
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
