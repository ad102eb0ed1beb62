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
        "system test compares the shares");

    private static final int IPV4 = 0x0800;
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

    /** Returns whether a command gives a prefix several next hops and the packet is for that prefix. */
    static boolean isMultipath(final List<String> commands, final Packet packet)
    {
        final byte[] frame = packet.frame();
        if (frame.length < 54)
        {
            return false;
        }
        for (final String command : commands)
        {
            final Matcher route = MULTIPATH_ROUTE.matcher(command);
            if (route.find() && Prefix.parse(route.group(1)).contains(frame, Bytes.u16(frame, 12) == IPV4 ? 30 : 38))
            {
                return true;
            }
        }
        return false;
    }
}
