package org.fibnuma.bench.differential;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The differences from the kernel that are on purpose, each with its reason. No other difference is left out of the
 * comparison. The table in docs/measuring.md has the same reasons.
 */
enum OnPurpose
{
    /** Left out of every outcome. */
    REDIRECT("ICMP redirects", "both limit their rate, the kernel for each sender, the router for each pair of " +
        "sender and destination; system tests compare single ones"),
    /** Left out of every outcome, with the lengths and checksums that depend on it. */
    QUOTATION("lifetime, length and fragmentation in the header that an error \"host unreachable\" quotes, and what " +
        "it quotes behind the ports; the lifetime that the ICMPv6 error \"address unreachable\" quotes",
        "if a neighbour has not answered, Linux quotes the packet or its first fragment as it would have sent it, " +
        "the router the packet as it came; RFC 1812 section 4.3.2.3 permits both"),
    /**
     * Of packets to a prefix with several next hops, link, MAC addresses and the contents of IPv4 options are not
     * compared. Of errors about them, and about packets from such a prefix, only destination, type and code are
     * compared.
     */
    MULTIPATH("which of several next hops a flow takes", "the kernel's hash has a key that is drawn when it boots; a " +
        "system test compares the shares"),
    /** Such packets are not sent. */
    MULTIPATH_FATE("packets to or from such a prefix that are longer than an MTU, and all of them where a queueing " +
        "discipline drops what one link sends", "the packet may take another next hop in the other lab, see above"),
    /** Of errors about such packets only addresses, type and code are compared, and of their fragments nothing. */
    OPTIONS("ICMP errors about IPv4 packets with options, and their fragments", "Linux repeats the options in the " +
        "error (RFC 1812 section 4.3.2.6 asks for that with source routes only), and keeps the length of options " +
        "that later fragments do not have (RFC 791 section 3.1)"),
    /** Such packets are not sent. */
    HOP_BY_HOP("IPv6 packets with hop-by-hop options", "the router does not examine the options (RFC 8200 section " +
        "4.3), Linux does"),
    /** Such packets are not sent. */
    OWN_SOURCE("packets whose source is an address of the machine", "the router drops them in both families " +
        "(RFC 1812 section 5.3.7); Linux forwards those of IPv6, and of IPv4 with accept_local"),
    /** Such packets are not sent. */
    FIRST_SOURCE("IPv6 packets from the first address of a network with a route by a device alone", "Linux takes it " +
        "for an anycast address (RFC 4291 section 2.6.1) and sends it no errors, the router knows those of addresses"),
    /** Such packets are not sent. */
    RESERVED_IPV6("IPv6 packets from and to IPv4-mapped addresses, and to ::", "the router drops them (RFC 4291 " +
        "section 2.5), Linux looks for a route"),
    /** Such packets are not sent. */
    ICMPV6_FRAGMENT("later fragments of ICMPv6 messages", "the router sends no error about them, because they may be " +
        "of an ICMPv6 error (RFC 4443 section 2.4), Linux does"),
    /**
     * Such packets may be forwarded by the kernel to the link that they came by, or be too big for it, and nothing else
     * may differ.
     */
    SCOPED_SOURCE("IPv6 packets from link-local addresses and :: to the link that they came by", "the router does " +
        "not forward them (RFC 4007 section 9), Linux does between hosts of one link"),
    /** Of such packets it is compared that none is forwarded. */
    HOST("answers to IPv6 packets while the machine forwards no IPv6 and has a route by a neighbour that it has to " +
        "ask for", "Linux then leaves such a route out until the neighbour has answered, and the router has had it " +
        "ask"),
    /** Such packets are not sent. */
    BROADCAST_SOURCE("IPv4 packets from the broadcast address of a connected network", "the router drops them (RFC " +
        "1812 section 5.3.7), Linux only with rp_filter"),
    /** Such packets are not sent. */
    SOURCE_ROUTE("IPv4 packets with a source route", "the router answers that the source route failed (RFC 1812 " +
        "section 5.2.4.1), Linux drops them in silence unless accept_source_route is set"),
    /** Such packets are not sent. */
    CIPSO("IPv4 packets with a CIPSO option", "Linux checks this option, which only hosts with security labels use " +
        "(netlabel(8)); the router forwards it as any unknown option"),
    /** Such packets are not sent. */
    TUN_ADDRESS("packets to 192.0.0.8", "it is the address of the TUN interface by which the router can leave frames " +
        "to the kernel"),
    /** Such packets are not sent. */
    TRACKED_FRAGMENT("fragments while the machine has a chain of nftables", "the router has the kernel track " +
        "connections beside a firewall, and then Linux holds a fragment until all of its packet have come"),
    /** Such settings are not drawn. */
    NOT_FOLLOWED("settings that the kernel follows and the router does not",
        "the tables of docs/host-policy.md name them with the reasons");

    private static final int ETHERNET = 14;
    private static final int IPV4 = 0x0800;
    private static final int IPV4_FRAGMENT = 20;
    /** More fragments, and the offset. */
    private static final int IPV4_IS_FRAGMENT = 0x3FFF;
    private static final int IPV4_SOURCE = 26;
    private static final int IPV4_DESTINATION = 30;
    private static final int IPV6_SOURCE = 22;
    private static final int IPV6_DESTINATION = 38;
    private static final int IPV4_HEADERS = 34;
    private static final int IPV6_HEADERS = 54;
    private static final int CIPSO_OPTION = 134;
    private static final int LOOSE_SOURCE_ROUTE = 131;
    private static final int STRICT_SOURCE_ROUTE = 137;
    /** Of the networks that {@link HostGenerator} draws: 10.0.L.127, 10.0.L.255 and 198.18.1.255. */
    private static final Set<String> BROADCASTS = Set.of("0a00007f", "0a0000ff", "0a00017f", "0a0001ff", "0a00027f",
        "0a0002ff", "0a00037f", "0a0003ff", "0a00047f", "0a0004ff", "c61201ff");
    private static final Prefix TUN = Prefix.parse("192.0.0.8");
    private static final Prefix MAPPED = Prefix.parse("::ffff:0:0/96");
    private static final Prefix LINK_LOCAL = Prefix.parse("fe80::/10");
    private static final Prefix UNSPECIFIED = Prefix.parse("::/128");
    private static final int IPV6 = 0x86DD;
    private static final int ICMP = 1;
    private static final int ICMPV6 = 58;
    private static final int FRAGMENT = 44;
    private static final int FRAGMENT_HEADER = 8;
    private static final int ICMP_REDIRECT = 5;
    private static final int ICMPV6_REDIRECT = 137;
    /** A route with next hops of its own, or by a group of next-hop objects; see {@link HostGenerator}. */
    private static final Pattern MULTIPATH_ROUTE = Pattern.compile(
        "^ip (?:-6 )?route (?:add|append|replace) (\\S+) .*(?:nexthop .*nexthop|nhid 5\\d)");

    /** By a gateway other than the permanent neighbours 2 to 5. */
    private static final Pattern IPV6_ASKING_ROUTE = Pattern.compile("^ip -6 route .* via (?!\\S*::[2-5](?: |$))");
    private static final String FORWARDS_IPV6 = "echo 1 >/proc/sys/net/ipv6/conf/all/forwarding";
    private static final String FORWARDS_NO_IPV6 = "echo 0 >/proc/sys/net/ipv6/conf/all/forwarding";

    private static final Pattern IPV6_DEVICE_ROUTE =
        Pattern.compile("^ip -6 route (?:add|append|replace) (\\S+)(?: table \\d+)? dev ");

    private final String what;
    private final String reason;

    OnPurpose(final String what, final String reason)
    {
        this.what = what;
        this.reason = reason;
    }

    /** Returns whether such packets are sent, so that the rest of their outcome is compared. */
    boolean isSent()
    {
        return this == MULTIPATH || this == OPTIONS || this == SCOPED_SOURCE || this == HOST;
    }

    /** Returns what differs. */
    String what()
    {
        return what;
    }

    /** Returns why. */
    String reason()
    {
        return reason;
    }

    /** Returns whether a frame with an IPv4 header is an ICMP redirect. */
    static boolean isIpv4Redirect(final byte[] frame)
    {
        final int icmp = 14 + (frame[14] & 0xF) * 4;
        return frame[23] == ICMP && frame.length > icmp && frame[icmp] == ICMP_REDIRECT;
    }

    /** Returns whether a frame with an IPv6 header is an ICMPv6 redirect. */
    static boolean isIpv6Redirect(final byte[] frame)
    {
        return frame[20] == ICMPV6 && frame.length > 54 && (frame[54] & 0xFF) == ICMPV6_REDIRECT;
    }

    /**
     * Returns why the outcome of a packet may differ, other than by redirects.
     *
     * @param commands that the machine has run.
     * @param packet   any packet.
     * @return the reason, or null if everything must be equal.
     */
    static OnPurpose of(final List<String> commands, final Packet packet)
    {
        final byte[] frame = packet.frame();
        final boolean isIpv6 = frame.length >= IPV6_HEADERS && Bytes.u16(frame, 12) == IPV6;
        final boolean isIpv4 = frame.length >= IPV4_HEADERS && Bytes.u16(frame, 12) == IPV4;
        return isIpv6 ? ofIpv6(commands, frame) : isIpv4 ? ofIpv4(commands, frame) : null;
    }

    private static boolean hasChain(final List<String> commands)
    {
        return commands.stream().anyMatch(command -> command.startsWith("nft add table"));
    }

    private static OnPurpose ofIpv6(final List<String> commands, final byte[] frame)
    {
        if (Outcome.isMachine(Outcome.address(frame, IPV6_SOURCE, 16)))
        {
            return OWN_SOURCE;
        }
        if (frame[20] == 0)
        {
            return HOP_BY_HOP;
        }
        if (MAPPED.contains(frame, IPV6_SOURCE) || MAPPED.contains(frame, IPV6_DESTINATION) ||
            UNSPECIFIED.contains(frame, IPV6_DESTINATION))
        {
            return RESERVED_IPV6;
        }
        if (frame[20] == FRAGMENT && frame.length >= IPV6_HEADERS + FRAGMENT_HEADER && frame[54] == ICMPV6 &&
            (Bytes.u16(frame, 56) & 0xFFF8) != 0)
        {
            return ICMPV6_FRAGMENT;
        }
        if (frame[20] == FRAGMENT && hasChain(commands))
        {
            return TRACKED_FRAGMENT;
        }
        if (LINK_LOCAL.contains(frame, IPV6_SOURCE) || UNSPECIFIED.contains(frame, IPV6_SOURCE))
        {
            return SCOPED_SOURCE;
        }
        if (isFirst(commands, Arrays.copyOfRange(frame, IPV6_SOURCE, IPV6_DESTINATION)))
        {
            return FIRST_SOURCE;
        }
        if (isHost(commands))
        {
            return HOST;
        }
        return isMultipath(commands, frame) ? multipath(commands, frame) : null;
    }

    private static boolean isHost(final List<String> commands)
    {
        boolean forwards = true;
        boolean asks = false;
        for (final String command : commands)
        {
            forwards = command.equals(FORWARDS_IPV6) || forwards && !command.equals(FORWARDS_NO_IPV6);
            asks |= IPV6_ASKING_ROUTE.matcher(command).find();
        }
        return asks && !forwards;
    }

    private static OnPurpose ofIpv4(final List<String> commands, final byte[] frame)
    {
        if (Outcome.isMachine(Outcome.address(frame, IPV4_SOURCE, 4)))
        {
            return OWN_SOURCE;
        }
        if (BROADCASTS.contains(Outcome.address(frame, IPV4_SOURCE, 4)))
        {
            return BROADCAST_SOURCE;
        }
        if (TUN.contains(frame, IPV4_DESTINATION))
        {
            return TUN_ADDRESS;
        }
        if ((Bytes.u16(frame, IPV4_FRAGMENT) & IPV4_IS_FRAGMENT) != 0 && hasChain(commands))
        {
            return TRACKED_FRAGMENT;
        }
        if (hasOption(frame, CIPSO_OPTION))
        {
            return CIPSO;
        }
        if (hasOption(frame, LOOSE_SOURCE_ROUTE) || hasOption(frame, STRICT_SOURCE_ROUTE))
        {
            return SOURCE_ROUTE;
        }
        return isMultipath(commands, frame) ? multipath(commands, frame) : (frame[14] & 0xF) > 5 ? OPTIONS : null;
    }

    private static boolean hasOption(final byte[] frame, final int type)
    {
        final int end = Math.min(frame.length, 14 + (frame[14] & 0xF) * 4);
        int at = 34;
        while (at < end - 1 && frame[at] != 0)
        {
            if ((frame[at] & 0xFF) == type)
            {
                return true;
            }
            at += frame[at] == 1 ? 1 : Math.max(2, frame[at + 1] & 0xFF);
        }
        return false;
    }

    private static boolean isFirst(final List<String> commands, final byte[] source)
    {
        for (final String command : commands)
        {
            final Matcher route = IPV6_DEVICE_ROUTE.matcher(command);
            if (route.find() && Arrays.equals(Prefix.parse(route.group(1)).address(), source))
            {
                return true;
            }
        }
        return false;
    }

    private static OnPurpose multipath(final List<String> commands, final byte[] frame)
    {
        // A route by one of several prefixes may have a smaller MTU, and fragments with options differ.
        final boolean hasOptions = Bytes.u16(frame, 12) == IPV4 && (frame[14] & 0xF) > 5;
        final int longest = hasOptions ? HostGenerator.LEAST_ROUTE_MTU : HostGenerator.LEAST_LINK_MTU;
        final boolean drops =
            commands.stream().anyMatch(each -> each.startsWith("tc qdisc ") && each.endsWith(" blackhole"));
        return drops || frame.length > ETHERNET + longest ? MULTIPATH_FATE : MULTIPATH;
    }

    private static boolean isMultipath(final List<String> commands, final byte[] frame)
    {
        final boolean isIpv4 = Bytes.u16(frame, 12) == IPV4;
        final int source = isIpv4 ? IPV4_SOURCE : IPV6_SOURCE;
        final int destination = isIpv4 ? IPV4_DESTINATION : IPV6_DESTINATION;
        for (final String command : commands)
        {
            final Matcher route = MULTIPATH_ROUTE.matcher(command);
            if (route.find())
            {
                final Prefix prefix = Prefix.parse(route.group(1));
                if (prefix.isIpv4() == isIpv4 &&
                    (prefix.contains(frame, destination) || prefix.contains(frame, source)))
                {
                    return true;
                }
            }
        }
        return false;
    }
}
