package org.fibnuma.binding.hostpolicy;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;

import java.util.Map;

/** Decodes RTM_NEWRULE for IPv4 and IPv6. */
final class RuleDecoder
{
    private static final int NO_SUPPRESSION = -1;
    private static final int FULL_MASK = -1;
    private static final Map<Integer, String> TABLES = Map.of(
        RuleLayout.RT_TABLE_LOCAL, "local", RuleLayout.RT_TABLE_MAIN, "main", RuleLayout.RT_TABLE_DEFAULT, "default");
    /** The three IPv4 rules of every kernel (fib_default_rules_init): table by priority. */
    private static final Map<Integer, Integer> IPV4_DEFAULTS = Map.of(
        0, RuleLayout.RT_TABLE_LOCAL, 32766, RuleLayout.RT_TABLE_MAIN, 32767, RuleLayout.RT_TABLE_DEFAULT);
    /** The two IPv6 rules of every kernel (fib6_rules_net_init): table by priority. */
    private static final Map<Integer, Integer> IPV6_DEFAULTS = Map.of(
        0, RuleLayout.RT_TABLE_LOCAL, 32766, RuleLayout.RT_TABLE_MAIN);
    /** Names of actions (FR_ACT_...), except the lookup of a table. */
    private static final Map<Integer, String> ACTIONS = Map.of(
        2, "goto", 3, "nop", 6, "blackhole", 7, "unreachable", 8, "prohibit");

    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final StringBuilder text = new StringBuilder();

    /**
     * A rule.
     *
     * @param isIpv6  whether the rule is for IPv6 packets, otherwise for IPv4.
     * @param text    similar to the output of {@code ip rule}.
     * @param ingress interface whose packets the rule matches, or null for all.
     * @param beyond  whether the rule can change the route of a forwarded packet. False for the default rules of the
     *                family, for rules for packets of local programs, and for the rule for VRFs.
     */
    record Rule(boolean isIpv6, String text, String ingress, boolean beyond)
    {
    }

    /** Decodes an RTM_NEWRULE. Returns null if it is about another family or is malformed. */
    Rule decode(final NetlinkMessageFlyweight message)
    {
        if (!message.wrapAttributes(attributes, RuleLayout.LENGTH))
        {
            return null;
        }
        final DirectBuffer buffer = message.buffer();
        final int body = message.payloadOffset();
        final int family = buffer.getByte(body + RuleLayout.FAMILY_OFFSET);
        if (family != SysSocket.AF_INET && family != SysSocket.AF_INET6)
        {
            return null;
        }
        final boolean isIpv6 = family == SysSocket.AF_INET6;
        final int sourceLength = buffer.getByte(body + RuleLayout.SRC_LEN_OFFSET) & 0xFF;
        final int destinationLength = buffer.getByte(body + RuleLayout.DST_LEN_OFFSET) & 0xFF;
        final int tos = buffer.getByte(body + RuleLayout.TOS_OFFSET) & 0xFF;
        final int action = buffer.getByte(body + RuleLayout.ACTION_OFFSET) & 0xFF;
        final boolean inverted =
            (buffer.getInt(body + RuleLayout.FLAGS_OFFSET) & RuleLayout.FIB_RULE_INVERT) != 0;
        int table = buffer.getByte(body + RuleLayout.TABLE_OFFSET) & 0xFF;
        int priority = 0;
        int target = 0;
        int mark = 0;
        int mask = FULL_MASK;
        String source = "all";
        String destination = null;
        String ingress = null;
        boolean hostsOwn = false;
        boolean selects = inverted || tos != 0;
        text.setLength(0);
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case RuleLayout.FRA_PRIORITY -> priority = attributes.intValue(0);
                case RuleLayout.FRA_TABLE -> table = attributes.intValue(table);
                case RuleLayout.FRA_GOTO -> target = attributes.intValue(0);
                case RuleLayout.FRA_SRC -> source = prefix(sourceLength);
                case RuleLayout.FRA_DST -> destination = prefix(destinationLength);
                case RuleLayout.FRA_IIFNAME -> ingress = attributes.textValue();
                case RuleLayout.FRA_OIFNAME, RuleLayout.FRA_L3MDEV -> hostsOwn = true;
                case RuleLayout.FRA_FWMARK -> mark = attributes.intValue(0);
                case RuleLayout.FRA_FWMASK -> mask = attributes.intValue(FULL_MASK);
                case RuleLayout.FRA_SUPPRESS_PREFIXLEN -> selects |= suppress();
                case RuleLayout.FRA_IP_PROTO -> selects |= append("ipproto", value8());
                case RuleLayout.FRA_PROTOCOL, RuleLayout.FRA_PAD, RuleLayout.FRA_FLOW ->
                {
                }
                default -> selects |= append("attribute", attributes.type());
            }
        }
        selects |= sourceLength + destinationLength > 0 || mark != 0 || ingress != null;
        final boolean isDefault = !selects && action == RuleLayout.FR_ACT_TO_TBL &&
            Integer.valueOf(table).equals((isIpv6 ? IPV6_DEFAULTS : IPV4_DEFAULTS).get(priority));
        final String line = Integer.toUnsignedString(priority) + ":" + (inverted ? " not" : "") + " from " + source +
            (destination == null ? "" : " to " + destination) + (tos == 0 ? "" : " tos " + tos) +
            (mark == 0 ? "" : " fwmark 0x" + Integer.toHexString(mark) +
            (mask == FULL_MASK ? "" : "/0x" + Integer.toHexString(mask))) +
            (ingress == null ? "" : " iif " + ingress) + text + " " + verdict(action, table, target);
        return new Rule(isIpv6, line, ingress, !isDefault && !hostsOwn);
    }

    private String prefix(final int length)
    {
        return attributes.addressValue() + (length == attributes.valueLength() * Byte.SIZE ? "" : "/" + length);
    }

    private boolean suppress()
    {
        final int length = attributes.intValue(NO_SUPPRESSION);
        return length != NO_SUPPRESSION && append("suppress_prefixlength", length);
    }

    private int value8()
    {
        return attributes.valueLength() == 0 ? 0 : attributes.buffer().getByte(attributes.valueOffset()) & 0xFF;
    }

    private boolean append(final String what, final int value)
    {
        text.append(' ').append(what).append(' ').append(value);
        return true;
    }

    private static String verdict(final int action, final int table, final int target)
    {
        if (action == RuleLayout.FR_ACT_TO_TBL)
        {
            return "lookup " + TABLES.getOrDefault(table, Integer.toUnsignedString(table));
        }
        final String name = ACTIONS.getOrDefault(action, "action " + action);
        return target == 0 ? name : name + " " + target;
    }
}
