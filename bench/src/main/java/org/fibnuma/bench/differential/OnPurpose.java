package org.fibnuma.bench.differential;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The differences from the kernel that are on purpose, each with its reason. No other difference is left out of the
 * comparison. The table in the module's README has the same reasons.
 */
enum OnPurpose
{
    /** Left out of every outcome. */
    REDIRECT("ICMP redirects", "both limit their rate, the kernel for each sender, the router for each pair of sender " +
        "and destination; system tests compare single ones"),
    /** Next hop and MAC addresses of packets to a prefix with several next hops; the rest is compared. */
    MULTIPATH("which of several next hops a flow takes", "the kernel's hash has a key that is drawn when it boots; a " +
        "system test compares the shares"),
    /** Of errors about packets with options only addresses, type and code are compared. */
    OPTIONS("options and quote of ICMP errors about IPv4 packets with options", "Linux repeats the options in the " +
        "header of the error; RFC 1812 section 4.3.2.6 asks for that with source routes only"),
    /** Such packets are not sent. */
    HOP_BY_HOP("IPv6 packets with hop-by-hop options", "the router does not examine the options (RFC 8200 section " +
        "4.3), Linux does"),
    /** Such packets are not sent. */
    OWN_SOURCE("packets whose source is an address of the machine", "the router drops them in both families " +
        "(RFC 1812 section 5.3.7); Linux forwards those of IPv6, and of IPv4 with accept_local"),
    /** Such packets are not sent. */
    RESERVED_IPV6("IPv6 packets from and to IPv4-mapped addresses, and to ::", "the router drops them (RFC 4291 " +
        "section 2.5), Linux looks for a route"),
    /** Such packets are not sent. */
    CIPSO("IPv4 packets with a CIPSO option", "Linux checks this option, which only hosts with security labels use " +
        "(netlabel(8)); the router forwards it as any unknown option");

    private static final int IPV4 = 0x0800;
    private static final int IPV4_DESTINATION = 30;
    private static final int IPV6_SOURCE = 22;
    private static final int IPV6_DESTINATION = 38;
    private static final int IPV6_HEADERS = 54;
    private static final int CIPSO_OPTION = 134;
    private static final Prefix MAPPED = Prefix.parse("::ffff:0:0/96");
    private static final Prefix UNSPECIFIED = Prefix.parse("::/128");
    private static final int IPV6 = 0x86DD;
    private static final int ICMP = 1;
    private static final int ICMPV6 = 58;
    private static final int ICMP_REDIRECT = 5;
    private static final int ICMPV6_REDIRECT = 137;
    /** A route with next hops of its own, or by a group of next-hop objects; see {@link HostGenerator}. */
    private static final Pattern MULTIPATH_ROUTE = Pattern.compile(
        "^ip (?:-6 )?route (?:add|append|replace) (\\S+) .*(?:nexthop .*nexthop|nhid 5\\d)");

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
        return this == MULTIPATH || this == OPTIONS;
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

    static boolean isIpv4Redirect(final byte[] frame)
    {
        return Bytes.u16(frame, 12) == IPV4 && frame[23] == ICMP && frame.length > 34 && frame[34] == ICMP_REDIRECT;
    }

    static boolean isIpv6Redirect(final byte[] frame)
    {
        return Bytes.u16(frame, 12) == IPV6 && frame[20] == ICMPV6 && frame.length > 54 &&
            (frame[54] & 0xFF) == ICMPV6_REDIRECT;
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
        if (frame.length < IPV6_HEADERS)
        {
            return null;
        }
        final boolean isIpv6 = Bytes.u16(frame, 12) == IPV6;
        if (Outcome.isMachine(isIpv6 ? Outcome.address(frame, 22, 16) : Outcome.address(frame, 26, 4)))
        {
            return OWN_SOURCE;
        }
        if (isIpv6 && frame[20] == 0)
        {
            return HOP_BY_HOP;
        }
        if (isIpv6 && (MAPPED.contains(frame, IPV6_SOURCE) || MAPPED.contains(frame, IPV6_DESTINATION) ||
            UNSPECIFIED.contains(frame, IPV6_DESTINATION)))
        {
            return RESERVED_IPV6;
        }
        if (!isIpv6 && (frame[14] & 0xF) > 5 && (frame[34] & 0xFF) == CIPSO_OPTION)
        {
            return CIPSO;
        }
        if (isMultipath(commands, frame))
        {
            return MULTIPATH;
        }
        return !isIpv6 && (frame[14] & 0xF) > 5 ? OPTIONS : null;
    }

    private static boolean isMultipath(final List<String> commands, final byte[] frame)
    {
        final boolean isIpv4 = Bytes.u16(frame, 12) == IPV4;
        final int destination = isIpv4 ? IPV4_DESTINATION : IPV6_DESTINATION;
        for (final String command : commands)
        {
            final Matcher route = MULTIPATH_ROUTE.matcher(command);
            if (route.find())
            {
                final Prefix prefix = Prefix.parse(route.group(1));
                if (prefix.isIpv4() == isIpv4 && prefix.contains(frame, destination))
                {
                    return true;
                }
            }
        }
        return false;
    }
}
