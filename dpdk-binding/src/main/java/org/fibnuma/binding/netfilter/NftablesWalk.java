package org.fibnuma.binding.netfilter;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageHandler;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Walks a base chain of nf_tables as the packets of {@link PacketMatch} do, and finds the first rule on their paths
 * that acts on single packets. Reads rules and sets when they are needed, and keeps them until {@link #forget()}. One
 * thread.
 */
final class NftablesWalk
{
    private final Lists lists;
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight elements = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight element = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight value = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight verdict = new NetlinkAttributeFlyweight();
    private final NftablesPacketRule evaluated = new NftablesPacketRule();
    private final Map<String, List<Rule>> rulesOfChains = new HashMap<>();
    private final Map<String, Map<String, NftablesSet>> setsOfTables = new HashMap<>();
    /** Whether the packets that come to a chain all end there, by its name. */
    private final Map<String, Boolean> ends = new HashMap<>();
    private NftablesRuleset.Chain base;
    private boolean isIpv6;
    private int protocol;
    private PacketFinding found;

    /** Creates a walk over what {@code lists} reads. */
    NftablesWalk(final Lists lists)
    {
        this.lists = lists;
    }

    /** Forgets what was read. */
    void forget()
    {
        rulesOfChains.clear();
        setsOfTables.clear();
    }

    /** Returns the first rule that acts on single packets of a family and protocol; null if there is none. */
    PacketFinding find(final NftablesRuleset.Chain chain, final boolean areIpv6, final int packetProtocol)
    {
        base = chain;
        isIpv6 = areIpv6;
        protocol = packetProtocol;
        found = null;
        ends.clear();
        walk(chain.name());
        return found;
    }

    /** Returns whether all packets that come to a chain get a final verdict there. */
    private boolean walk(final String chain)
    {
        final Boolean known = ends.putIfAbsent(chain, false);
        if (known != null)
        {
            return known;
        }
        for (final Rule rule : rules(chain))
        {
            evaluated.evaluate(
                isIpv6, protocol, rule.expressions, rule.expressions.capacity(), this::set);
            if (evaluated.perPacket() != null)
            {
                found = new PacketFinding(
                    evaluated.perPacket(), chain.equals(base.name()) ? "" : chain, rule.handle);
                return false;
            }
            final boolean isCertain = evaluated.isCertain();
            boolean isEnd = false;
            boolean isReturn = false;
            for (final NftablesSet.Verdict each : List.copyOf(evaluated.verdicts()))
            {
                final boolean isGoto = each.code() == NftablesLayout.NFT_GOTO;
                isEnd = isGoto || each.code() == NftablesLayout.NFT_JUMP ? walk(each.chain()) : each.code() >= 0;
                isReturn = isGoto || each.code() == NftablesLayout.NFT_RETURN;
                if (found != null)
                {
                    return false;
                }
            }
            if (isCertain && (isEnd || isReturn))
            {
                ends.put(chain, isEnd);
                return isEnd;
            }
        }
        return false;
    }

    private List<Rule> rules(final String chain)
    {
        return rulesOfChains.computeIfAbsent(base.place() + " " + chain, place ->
        {
            final List<Rule> rules = new ArrayList<>();
            lists.read("rules", NftablesLayout.NFT_MSG_GETRULE, base.family(), base.table(), chain,
                message -> addRule(message, rules));
            return rules;
        });
    }

    private void addRule(final NetlinkMessageFlyweight message, final List<Rule> rules)
    {
        if (message.type() != NftablesLayout.NFT_MSG_NEWRULE ||
            !message.wrapAttributes(attributes, NftablesLayout.LENGTH))
        {
            return;
        }
        long handle = 0;
        byte[] expressions = new byte[0];
        while (attributes.next())
        {
            if (attributes.type() == NftablesLayout.NFTA_RULE_HANDLE && attributes.valueLength() == Long.BYTES)
            {
                handle = attributes.buffer().getLong(attributes.valueOffset(), ByteOrder.BIG_ENDIAN);
            }
            else if (attributes.type() == NftablesLayout.NFTA_RULE_EXPRESSIONS)
            {
                expressions = new byte[attributes.valueLength()];
                attributes.buffer().getBytes(attributes.valueOffset(), expressions);
            }
        }
        rules.add(new Rule(handle, new UnsafeBuffer(expressions)));
    }

    /** Returns a set of the table; null if it is gone. */
    private NftablesSet set(final String name)
    {
        return setsOfTables.computeIfAbsent(base.place(), place -> sets()).get(name);
    }

    private Map<String, NftablesSet> sets()
    {
        final Map<String, NftablesSet> sets = new HashMap<>();
        final List<String> withElements = new ArrayList<>();
        lists.read("sets", NftablesLayout.NFT_MSG_GETSET, base.family(), base.table(), null,
            message -> addSet(message, sets, withElements));
        for (final String name : withElements)
        {
            final List<NftablesSet.Element> list = sets.get(name).elements();
            lists.read("elements of sets", NftablesLayout.NFT_MSG_GETSETELEM, base.family(), base.table(), name,
                message -> addElements(message, list));
        }
        return sets;
    }

    private void addSet(
        final NetlinkMessageFlyweight message, final Map<String, NftablesSet> sets, final List<String> withElements)
    {
        if (message.type() != NftablesLayout.NFT_MSG_NEWSET ||
            !message.wrapAttributes(attributes, NftablesLayout.LENGTH))
        {
            return;
        }
        String name = "";
        int flags = 0;
        int keyLength = 0;
        int dataType = 0;
        int objectType = 0;
        boolean statements = false;
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case NftablesLayout.NFTA_SET_NAME -> name = attributes.textValue();
                case NftablesLayout.NFTA_SET_FLAGS -> flags = attributes.networkIntValue(0);
                case NftablesLayout.NFTA_SET_KEY_LEN -> keyLength = attributes.networkIntValue(0);
                case NftablesLayout.NFTA_SET_DATA_TYPE -> dataType = attributes.networkIntValue(0);
                case NftablesLayout.NFTA_SET_OBJ_TYPE -> objectType = attributes.networkIntValue(0);
                case NftablesLayout.NFTA_SET_EXPR, NftablesLayout.NFTA_SET_EXPRESSIONS -> statements = true;
                default ->
                {
                }
            }
        }
        sets.put(name, new NftablesSet(flags, keyLength, objectType, statements, new ArrayList<>()));
        // States of connections and protocols are compared with sets in the rule. Named sets may be large.
        if (dataType == NftablesLayout.NFT_DATA_VERDICT ||
            keyLength <= Integer.BYTES && (flags & NftablesLayout.NFT_SET_ANONYMOUS) != 0)
        {
            withElements.add(name);
        }
    }

    private void addElements(final NetlinkMessageFlyweight message, final List<NftablesSet.Element> list)
    {
        if (message.type() == NftablesLayout.NFT_MSG_NEWSETELEM &&
            message.wrapAttributes(attributes, NftablesLayout.LENGTH) &&
            attributes.find(NftablesLayout.NFTA_SET_ELEM_LIST_ELEMENTS))
        {
            elements.wrapNested(attributes);
            while (elements.next())
            {
                addElement(list);
            }
        }
    }

    private void addElement(final List<NftablesSet.Element> list)
    {
        int key = 0;
        int flags = 0;
        NftablesSet.Verdict result = null;
        element.wrapNested(elements);
        while (element.next())
        {
            switch (element.type())
            {
                case NftablesLayout.NFTA_SET_ELEM_KEY ->
                    key = value.wrapNested(element).find(NftablesLayout.NFTA_DATA_VALUE) ?
                    PacketMatch.leftAligned(value.buffer(), value.valueOffset(), value.valueLength()) : 0;
                case NftablesLayout.NFTA_SET_ELEM_DATA -> result = NftablesPacketRule.verdict(element, value, verdict);
                case NftablesLayout.NFTA_SET_ELEM_FLAGS -> flags = element.networkIntValue(0);
                default ->
                {
                }
            }
        }
        if ((flags & NftablesLayout.NFT_SET_ELEM_INTERVAL_END) == 0)
        {
            list.add(new NftablesSet.Element(
                key, (flags & NftablesLayout.NFT_SET_ELEM_CATCHALL) != 0, result));
        }
    }

    /** Reads lists of nf_tables. */
    @FunctionalInterface
    interface Lists
    {
        /**
         * Reads a list.
         *
         * @param what    the list contains, for an error.
         * @param type    of the request.
         * @param family  of the table.
         * @param table   name of it.
         * @param name    of the chain or set; null for all.
         * @param handler of the messages.
         */
        void read(String what, int type, int family, String table, String name, NetlinkMessageHandler handler);
    }

    private record Rule(long handle, DirectBuffer expressions)
    {
    }
}
