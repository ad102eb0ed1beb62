package org.fibnuma.core.kernel;

import org.fibnuma.core.wire.IpPrefix;

/**
 * A rule of policy routing ({@code ip rule}, struct fib_rule in include/net/fib_rules.h, Linux 6.1), as it concerns
 * packets that the host forwards.
 *
 * @param isIpv6      whether the rule is for IPv6 packets, otherwise for IPv4.
 * @param priority    0 to 2^32 - 1; the kernel applies rules in ascending order.
 * @param selector    packets that the rule matches.
 * @param action      what is done with them.
 * @param table       of the action {@link Action#LOOKUP}, unless {@link Selector#byVrf()}.
 * @param suppression longest prefix length of the routes of the table that the rule does not use
 *                    (suppress_prefixlength), {@link #NO_SUPPRESSION} if it uses all.
 * @param text        similar to the output of {@code ip rule}.
 */
public record KernelRule(
    boolean isIpv6, long priority, Selector selector, Action action, int table, int suppression, String text)
{
    /** Value of {@link #suppression}. */
    public static final int NO_SUPPRESSION = -1;
    /** Table of IPv4 routes that apply after all others (RT_TABLE_DEFAULT). */
    public static final int TABLE_DEFAULT = 253;

    private static final long LOCAL_PRIORITY = 0;
    private static final long MAIN_PRIORITY = 32_766;
    private static final long DEFAULT_PRIORITY = 32_767;

    /** What a rule does with a packet that it matches. */
    public enum Action
    {
        /** The route is that of a table; without a route in it the next rule applies. */
        LOOKUP,
        /** The next rule applies. */
        NEXT,
        /** The packet is dropped silently. */
        BLACKHOLE,
        /** The packet is dropped as one without a route. */
        UNREACHABLE,
        /** The packet is dropped as prohibited. */
        PROHIBIT,
        /** Another one, such as a jump to a later rule. */
        OTHER
    }

    /**
     * The packets that a rule matches: those that meet every condition, or with {@code inverted} all others.
     *
     * @param inverted    whether the rule matches packets that do not meet all conditions.
     * @param source      prefix of the source address, null for any.
     * @param destination prefix of the destination address, null for any.
     * @param ingress     name of the receiving interface, null for any; "lo" for packets of the host itself.
     * @param byVrf       whether the packet is of a VRF; its table is that of the VRF (l3mdev).
     * @param never       whether a packet that the host forwards, without a mark, never meets a condition: another
     *                    mark, an egress interface, a user other than 0, a tunnel.
     * @param byOthers    whether there are conditions that this record does not have.
     */
    public record Selector(
        boolean inverted,
        IpPrefix source,
        IpPrefix destination,
        String ingress,
        boolean byVrf,
        boolean never,
        boolean byOthers)
    {
        /** Matches every packet. */
        public static final Selector ALL = new Selector(false, null, null, null, false, false, false);
    }

    /** Returns whether this is one of the rules that every host has at first (fib_default_rules_init). */
    public boolean isDefault()
    {
        final long usual = switch (table)
        {
            case KernelRoute.TABLE_LOCAL -> LOCAL_PRIORITY;
            case KernelRoute.TABLE_MAIN -> MAIN_PRIORITY;
            case TABLE_DEFAULT -> isIpv6 ? NO_SUPPRESSION : DEFAULT_PRIORITY;
            default -> NO_SUPPRESSION;
        };
        return action == Action.LOOKUP && priority == usual && suppression == NO_SUPPRESSION &&
            selector.equals(Selector.ALL);
    }

    /** Returns whether the rule can change the route of a packet that is forwarded outside of VRFs. */
    public boolean concernsForwarded()
    {
        return !isDefault() && (selector.inverted || !selector.never && !selector.byVrf);
    }
}
