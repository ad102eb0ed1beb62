package org.fibnuma.binding.netfilter;

import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;

import java.util.Collection;
import java.util.Set;

import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_CT_DREG;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_DATA_VERDICT;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_EXPR_DATA;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_EXPR_NAME;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_EXTHDR_DREG;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_IMMEDIATE_DATA;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_IMMEDIATE_DREG;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_LOOKUP_DREG;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_META_DREG;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_PAYLOAD_DREG;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_RULE_EXPRESSIONS;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_TARGET_NAME;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_VERDICT_CHAIN;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFTA_VERDICT_CODE;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFT_BREAK;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFT_CONTINUE;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFT_GOTO;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFT_JUMP;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFT_REG_VERDICT;
import static org.fibnuma.binding.netfilter.NftablesLayout.NFT_RETURN;
import static org.fibnuma.binding.netfilter.NftablesLayout.NF_ACCEPT;

/**
 * Classifies one rule by its expressions. A rule is harmless if each expression only matches, counts or logs, and the
 * verdict does not drop the packet. Unknown expressions are not harmless.
 */
final class NftablesRule
{
    private static final Set<String> HARMLESS = Set.of(
        "cmp", "bitwise", "byteorder", "range", "counter", "limit", "log", "match", "quota", "connlimit", "hash",
        "numgen", "socket", "osf", "rt", "fib", "xfrm", "tunnel", "last");
    /** Targets of iptables that only log a packet. */
    private static final Set<String> HARMLESS_TARGETS = Set.of("LOG", "NFLOG");
    private static final int NONE = Integer.MIN_VALUE;

    private final NetlinkAttributeFlyweight rule = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight elements = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight expression = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight data = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight value = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight verdict = new NetlinkAttributeFlyweight();

    /**
     * Returns false if the rule itself can drop or change a packet.
     *
     * @param message of type NFT_MSG_NEWRULE.
     * @param jumps   receives the chains of the same table to which the rule jumps.
     */
    boolean isHarmless(final NetlinkMessageFlyweight message, final Collection<String> jumps)
    {
        boolean harmless = message.wrapAttributes(rule, NftablesLayout.LENGTH);
        while (harmless && rule.next())
        {
            if (rule.type() == NFTA_RULE_EXPRESSIONS)
            {
                elements.wrapNested(rule);
                while (harmless && elements.next())
                {
                    harmless = isHarmlessExpression(jumps);
                }
            }
        }
        return harmless;
    }

    private boolean isHarmlessExpression(final Collection<String> jumps)
    {
        String name = "";
        boolean hasData = false;
        expression.wrapNested(elements);
        while (expression.next())
        {
            if (expression.type() == NFTA_EXPR_NAME)
            {
                name = expression.textValue();
            }
            else if (expression.type() == NFTA_EXPR_DATA)
            {
                data.wrapNested(expression);
                hasData = true;
            }
        }
        return HARMLESS.contains(name) || hasData && isHarmlessData(name, jumps);
    }

    private boolean isHarmlessData(final String name, final Collection<String> jumps)
    {
        return switch (name)
        {
            // With a source register instead of a destination, these expressions write to the packet or its mark.
            case "payload" -> data.find(NFTA_PAYLOAD_DREG);
            case "meta" -> data.find(NFTA_META_DREG);
            case "ct" -> data.find(NFTA_CT_DREG);
            case "exthdr" -> data.find(NFTA_EXTHDR_DREG);
            // A verdict map may contain any verdict.
            case "lookup" -> !data.find(NFTA_LOOKUP_DREG) || data.networkIntValue(NFT_REG_VERDICT) != NFT_REG_VERDICT;
            case "target" -> data.find(NFTA_TARGET_NAME) && HARMLESS_TARGETS.contains(data.textValue());
            case "immediate" -> isHarmlessImmediate(jumps);
            default -> false;
        };
    }

    private boolean isHarmlessImmediate(final Collection<String> jumps)
    {
        int register = NFT_REG_VERDICT;
        int code = NONE;
        String chain = "";
        while (data.next())
        {
            if (data.type() == NFTA_IMMEDIATE_DREG)
            {
                register = data.networkIntValue(NFT_REG_VERDICT);
            }
            else if (data.type() == NFTA_IMMEDIATE_DATA && value.wrapNested(data).next() &&
                value.type() == NFTA_DATA_VERDICT)
            {
                verdict.wrapNested(value);
                while (verdict.next())
                {
                    code = verdict.type() == NFTA_VERDICT_CODE ? verdict.networkIntValue(NONE) : code;
                    chain = verdict.type() == NFTA_VERDICT_CHAIN ? verdict.textValue() : chain;
                }
            }
        }
        return register != NFT_REG_VERDICT || isHarmlessVerdict(code, chain, jumps);
    }

    private static boolean isHarmlessVerdict(final int code, final String chain, final Collection<String> jumps)
    {
        if (code == NFT_JUMP || code == NFT_GOTO)
        {
            jumps.add(chain);
            return true;
        }
        return code == NF_ACCEPT || code == NFT_CONTINUE || code == NFT_BREAK || code == NFT_RETURN;
    }
}
