package org.fibnuma.binding.hostpolicy;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRule;
import org.fibnuma.core.wire.IpPrefix;

import java.util.Map;

/** Decodes RTM_NEWRULE for IPv4 and IPv6. */
final class RuleDecoder
{
    private static final int FULL_MASK = -1;
    private static final int NO_GROUP = -1;
    private static final Map<Integer, String> TABLES = Map.of(
        KernelRoute.TABLE_LOCAL, "local", KernelRoute.TABLE_MAIN, "main", KernelRule.TABLE_DEFAULT, "default");

    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final StringBuilder text = new StringBuilder();

    /** Decodes an RTM_NEWRULE. Returns null if it is about another family or is malformed. */
    KernelRule decode(final NetlinkMessageFlyweight message)
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
        int mask = 0;
        int suppression = KernelRule.NO_SUPPRESSION;
        IpPrefix source = null;
        IpPrefix destination = null;
        String ingress = null;
        boolean byVrf = false;
        boolean never = false;
        boolean byOthers = tos != 0;
        text.setLength(0);
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case RuleLayout.FRA_PRIORITY -> priority = attributes.intValue(0);
                case RuleLayout.FRA_TABLE -> table = attributes.intValue(table);
                case RuleLayout.FRA_GOTO -> target = attributes.intValue(0);
                case RuleLayout.FRA_SRC -> source = prefix(family, sourceLength);
                case RuleLayout.FRA_DST -> destination = prefix(family, destinationLength);
                case RuleLayout.FRA_IIFNAME -> ingress = attributes.textValue();
                case RuleLayout.FRA_OIFNAME ->
                {
                    never = true;
                    text.append(" oif ").append(attributes.textValue());
                }
                case RuleLayout.FRA_L3MDEV -> byVrf = value8() != 0;
                case RuleLayout.FRA_FWMARK -> mark = attributes.intValue(0);
                case RuleLayout.FRA_FWMASK -> mask = attributes.intValue(FULL_MASK);
                case RuleLayout.FRA_SUPPRESS_PREFIXLEN ->
                    suppression = attributes.intValue(KernelRule.NO_SUPPRESSION);
                case RuleLayout.FRA_SUPPRESS_IFGROUP -> byOthers |= attributes.intValue(NO_GROUP) != NO_GROUP &&
                    append("suppress_ifgroup", attributes.intValue(0));
                case RuleLayout.FRA_UID_RANGE -> never |= firstUser() != 0;
                case RuleLayout.FRA_TUN_ID -> never = true;
                case RuleLayout.FRA_IP_PROTO -> byOthers |= value8() != 0 && append("ipproto", value8());
                case RuleLayout.FRA_PROTOCOL, RuleLayout.FRA_PAD, RuleLayout.FRA_FLOW ->
                {
                }
                default -> byOthers |= append("attribute", attributes.type());
            }
        }
        if (suppression != KernelRule.NO_SUPPRESSION)
        {
            append("suppress_prefixlength", suppression);
        }
        never |= (mark & mask) != 0;
        final String line = Integer.toUnsignedString(priority) + ":" + (inverted ? " not" : "") + " from " +
            (source == null ? "all" : prefix(source)) + (destination == null ? "" : " to " + prefix(destination)) +
            (tos == 0 ? "" : " tos " + tos) +
            ((mark | mask) == 0 ? "" : " fwmark 0x" + Integer.toHexString(mark) +
            (mask == FULL_MASK ? "" : "/0x" + Integer.toHexString(mask))) +
            (ingress == null ? "" : " iif " + ingress) + text + " " +
            (byVrf ? "lookup [l3mdev-table]" : verdict(action, table, target));
        return new KernelRule(family == SysSocket.AF_INET6, Integer.toUnsignedLong(priority),
            new KernelRule.Selector(inverted, source, destination, ingress, byVrf, never, byOthers),
            actionOf(action), table, suppression, line);
    }

    private IpPrefix prefix(final int family, final int length)
    {
        return family == SysSocket.AF_INET ? IpPrefix.of(attributes.addressValue().ipv4(), length) :
            IpPrefix.of(attributes.addressHigh(), attributes.addressLow(), length);
    }

    private static String prefix(final IpPrefix prefix)
    {
        return prefix.isHost() ? prefix.first().toString() : prefix.toString();
    }

    private int firstUser()
    {
        return attributes.valueLength() < Integer.BYTES ? 0 : attributes.buffer().getInt(attributes.valueOffset());
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

    private static KernelRule.Action actionOf(final int action)
    {
        return switch (action)
        {
            case RuleLayout.FR_ACT_TO_TBL -> KernelRule.Action.LOOKUP;
            case RuleLayout.FR_ACT_NOP -> KernelRule.Action.NEXT;
            case RuleLayout.FR_ACT_BLACKHOLE -> KernelRule.Action.BLACKHOLE;
            case RuleLayout.FR_ACT_UNREACHABLE -> KernelRule.Action.UNREACHABLE;
            case RuleLayout.FR_ACT_PROHIBIT -> KernelRule.Action.PROHIBIT;
            default -> KernelRule.Action.OTHER;
        };
    }

    private static String verdict(final int action, final int table, final int target)
    {
        return switch (action)
        {
            case RuleLayout.FR_ACT_TO_TBL ->
                "lookup " + TABLES.getOrDefault(table, Integer.toUnsignedString(table));
            case RuleLayout.FR_ACT_GOTO -> "goto " + Integer.toUnsignedString(target);
            case RuleLayout.FR_ACT_NOP -> "nop";
            case RuleLayout.FR_ACT_BLACKHOLE -> "blackhole";
            case RuleLayout.FR_ACT_UNREACHABLE -> "unreachable";
            case RuleLayout.FR_ACT_PROHIBIT -> "prohibit";
            default -> "action " + action;
        };
    }
}
