package org.fibnuma.binding.netfilter;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.core.wire.IpProtocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Evaluates one rule for the packets of {@link PacketMatch}. The result is what in it acts on single packets, or the
 * verdicts that the packets may get. Unknown expressions act on single packets. One thread.
 */
final class NftablesPacketRule
{
    private static final int REGISTERS = 16;
    private static final int WIDE_REGISTERS = 4;
    private static final int REGISTER_LENGTH = Integer.BYTES;
    private static final int WIDE_LENGTH = 4 * Integer.BYTES;
    /** An attribute that is missing, such as the destination register of an expression that writes. */
    private static final int ABSENT = -1;

    private static final int NETWORK_ADDRESSES_IPV4 = 12;
    private static final int NETWORK_END_IPV4 = 20;
    private static final int NETWORK_ADDRESSES_IPV6 = 8;
    private static final int NETWORK_END_IPV6 = 40;
    private static final int IPV4_FRAGMENT_OFFSET = 6;
    private static final int IPV4_PROTOCOL_OFFSET = 9;
    private static final int IPV6_NEXT_HEADER_OFFSET = 6;
    private static final int PORTS_LENGTH = 4;
    private static final int TCP_FLAGS_OFFSET = 13;
    private static final int ICMP_CHECKSUM_OFFSET = 2;
    private static final int ICMP_IDENTIFIER_OFFSET = 4;

    private static final Map<Integer, String> META_OF_PACKETS = Map.of(
        NftablesLayout.NFT_META_LEN, "length", NftablesLayout.NFT_META_PRIORITY, "priority",
        NftablesLayout.NFT_META_RTCLASSID, "rtclassid", NftablesLayout.NFT_META_SECMARK, "secmark",
        NftablesLayout.NFT_META_CPU, "cpu", NftablesLayout.NFT_META_PRANDOM, "random",
        NftablesLayout.NFT_META_TIME_NS, "time", NftablesLayout.NFT_META_TIME_DAY, "day",
        NftablesLayout.NFT_META_TIME_HOUR, "hour");
    private static final int[] META_OF_CONNECTIONS = {
        NftablesLayout.NFT_META_PROTOCOL, NftablesLayout.NFT_META_MARK, NftablesLayout.NFT_META_IIF,
        NftablesLayout.NFT_META_OIF, NftablesLayout.NFT_META_IIFNAME, NftablesLayout.NFT_META_OIFNAME,
        NftablesLayout.NFT_META_IIFTYPE, NftablesLayout.NFT_META_OIFTYPE, NftablesLayout.NFT_META_SKUID,
        NftablesLayout.NFT_META_SKGID, NftablesLayout.NFT_META_PKTTYPE, NftablesLayout.NFT_META_IIFGROUP,
        NftablesLayout.NFT_META_OIFGROUP, NftablesLayout.NFT_META_IIFKIND, NftablesLayout.NFT_META_OIFKIND,
        NftablesLayout.NFT_META_SDIF, NftablesLayout.NFT_META_SDIFNAME};
    private static final Map<Integer, String> CT_OF_PACKETS = Map.of(
        NftablesLayout.NFT_CT_SECMARK, "ct secmark", NftablesLayout.NFT_CT_EXPIRATION, "ct expiration",
        NftablesLayout.NFT_CT_LABELS, "ct label (labels in use)", NftablesLayout.NFT_CT_PKTS, "ct packets",
        NftablesLayout.NFT_CT_BYTES, "ct bytes", NftablesLayout.NFT_CT_AVGPKT, "ct avgpkt",
        NftablesLayout.NFT_CT_ZONE, "ct zone", NftablesLayout.NFT_CT_EVENTMASK, "ct event");
    private static final List<String> HEADERS = List.of("link-layer", "network", "transport", "inner");

    private final NetlinkAttributeFlyweight elements = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight expression = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight attribute = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight value = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight verdict = new NetlinkAttributeFlyweight();
    private final PacketRegister[] registers = new PacketRegister[REGISTERS];
    private final List<NftablesSet.Verdict> verdicts = new ArrayList<>();
    private Function<String, NftablesSet> sets;
    /** Place of the attributes of the current expression. */
    private int dataOffset;
    private int dataLength;
    private boolean isIpv6;
    private int protocol;
    private PacketMatch match;
    /** What the matches so far compare that is different from packet to packet; null if nothing. */
    private String compared;
    private String perPacket;

    /**
     * Evaluates a rule.
     *
     * @param areIpv6        whether the packets are IPv6.
     * @param packetProtocol number of {@link IpProtocol} of the packets.
     * @param buffer         with the value of NFTA_RULE_EXPRESSIONS, {@code length} bytes from the start.
     * @param rulesSets      sets of the table by name; null for an unknown one.
     */
    void evaluate(
        final boolean areIpv6, final int packetProtocol, final DirectBuffer buffer, final int length,
        final Function<String, NftablesSet> rulesSets)
    {
        sets = rulesSets;
        protocol = packetProtocol;
        isIpv6 = areIpv6;
        match = PacketMatch.YES;
        compared = null;
        perPacket = null;
        verdicts.clear();
        Arrays.fill(registers, PacketRegister.CONSTANT);
        elements.wrap(buffer, 0, length);
        while (perPacket == null && match != PacketMatch.NO && elements.next())
        {
            evaluateExpression();
        }
        if (match != PacketMatch.NO && compared != null && !verdicts.isEmpty() && perPacket == null)
        {
            perPacket = compared;
        }
        perPacket = elements.isMalformed() && perPacket == null && match != PacketMatch.NO ? "a damaged rule" :
            perPacket;
    }

    /** Returns what acts on single packets; null if nothing does. */
    String perPacket()
    {
        return perPacket;
    }

    /** Returns the verdicts that packets may get; none if no packet gets one. */
    List<NftablesSet.Verdict> verdicts()
    {
        return verdicts;
    }

    /** Returns whether all packets get the only verdict. */
    boolean isCertain()
    {
        return match == PacketMatch.YES && verdicts.size() == 1;
    }

    private void evaluateExpression()
    {
        String name = "";
        dataLength = 0;
        expression.wrapNested(elements);
        while (expression.next())
        {
            if (expression.type() == NftablesLayout.NFTA_EXPR_NAME)
            {
                name = expression.textValue();
            }
            else if (expression.type() == NftablesLayout.NFTA_EXPR_DATA)
            {
                dataOffset = expression.valueOffset();
                dataLength = expression.valueLength();
            }
        }
        switch (name)
        {
            case "counter", "last", "masq", "nat", "redir", "flow_offload" ->
            {
            }
            case "reject" -> verdicts.add(new NftablesSet.Verdict(NftablesLayout.NF_DROP, ""));
            case "immediate" -> immediate();
            case "meta" -> meta();
            case "ct" -> ct();
            case "payload" -> payload();
            case "exthdr" -> exthdr();
            case "fib" -> store(number(NftablesLayout.NFTA_FIB_DREG), WIDE_LENGTH, PacketRegister.CONSTANT);
            case "rt" -> store(number(NftablesLayout.NFTA_RT_DREG), WIDE_LENGTH, PacketRegister.CONSTANT);
            case "bitwise" -> bitwise();
            case "byteorder" -> byteorder();
            case "cmp" -> cmp();
            case "range" -> compare(PacketMatch.MAYBE,
                number(NftablesLayout.NFTA_RANGE_SREG), dataLength(NftablesLayout.NFTA_RANGE_FROM_DATA));
            case "lookup" -> lookup();
            case "objref" -> objref();
            case "match" -> match();
            case "target" -> target();
            default -> perPacket = name.isEmpty() ? "an expression without a name" : name;
        }
    }

    private void immediate()
    {
        final int register = number(NftablesLayout.NFTA_IMMEDIATE_DREG);
        if (register != NftablesLayout.NFT_REG_VERDICT)
        {
            store(register, WIDE_LENGTH, PacketRegister.CONSTANT);
        }
        else if (find(NftablesLayout.NFTA_IMMEDIATE_DATA))
        {
            addVerdict(verdict(attribute, value, verdict));
        }
    }

    /** Reads a verdict from struct nft_data in an attribute; null if there is none. */
    static NftablesSet.Verdict verdict(
        final NetlinkAttributeFlyweight outer,
        final NetlinkAttributeFlyweight value,
        final NetlinkAttributeFlyweight verdict)
    {
        if (!value.wrapNested(outer).find(NftablesLayout.NFTA_DATA_VERDICT))
        {
            return null;
        }
        int code = NftablesLayout.NF_DROP;
        String chain = "";
        verdict.wrapNested(value);
        while (verdict.next())
        {
            code = verdict.type() == NftablesLayout.NFTA_VERDICT_CODE ? verdict.networkIntValue(code) : code;
            chain = verdict.type() == NftablesLayout.NFTA_VERDICT_CHAIN ? verdict.textValue() : chain;
        }
        return new NftablesSet.Verdict(code, chain);
    }

    private void addVerdict(final NftablesSet.Verdict added)
    {
        if (added == null)
        {
            perPacket = "a damaged verdict";
        }
        else if (added.code() >= 0 && added.code() != NftablesLayout.NF_ACCEPT &&
            added.code() != NftablesLayout.NF_DROP)
        {
            perPacket = "queue";
        }
        else if (added.code() != NftablesLayout.NFT_CONTINUE && added.code() != NftablesLayout.NFT_BREAK)
        {
            verdicts.add(added);
        }
    }

    private void meta()
    {
        final int key = number(NftablesLayout.NFTA_META_KEY);
        final int register = number(NftablesLayout.NFTA_META_DREG);
        if (register == ABSENT)
        {
            perPacket = "meta " + (key == NftablesLayout.NFT_META_MARK ? "mark" :
                META_OF_PACKETS.getOrDefault(key, Integer.toString(key))) + " set";
            return;
        }
        store(register, WIDE_LENGTH, switch (key)
        {
            case NftablesLayout.NFT_META_L4PROTO -> PacketRegister.knownByte(protocol);
            case NftablesLayout.NFT_META_NFPROTO -> PacketRegister.knownByte(
                isIpv6 ? NftablesLayout.NFPROTO_IPV6 : NftablesLayout.NFPROTO_IPV4);
            default -> Arrays.stream(META_OF_CONNECTIONS).anyMatch(constant -> constant == key) ?
                PacketRegister.CONSTANT :
                PacketRegister.perPacket("meta " + META_OF_PACKETS.getOrDefault(key, Integer.toString(key)));
        });
    }

    private void ct()
    {
        final int key = number(NftablesLayout.NFTA_CT_KEY);
        final int register = number(NftablesLayout.NFTA_CT_DREG);
        final String reason = CT_OF_PACKETS.get(key);
        if (register != ABSENT)
        {
            store(register, WIDE_LENGTH, key == NftablesLayout.NFT_CT_STATE ? PacketRegister.STATE :
                reason == null ? PacketRegister.CONSTANT : PacketRegister.perPacket(reason));
        }
        else if (reason != null)
        {
            perPacket = reason + " set";
        }
        else
        {
            perPacket = source(number(NftablesLayout.NFTA_CT_SREG), REGISTER_LENGTH);
            perPacket = perPacket == null ? compared : perPacket;
        }
    }

    private void payload()
    {
        final int base = number(NftablesLayout.NFTA_PAYLOAD_BASE);
        final int offset = number(NftablesLayout.NFTA_PAYLOAD_OFFSET);
        final int length = number(NftablesLayout.NFTA_PAYLOAD_LEN);
        final int register = number(NftablesLayout.NFTA_PAYLOAD_DREG);
        final String bytes =
            length == Byte.BYTES ? "byte " + offset : "bytes " + offset + " to " + (offset + length - 1);
        final String field = bytes + " of the " +
            (base >= 0 && base < HEADERS.size() ? HEADERS.get(base) : "unknown") + " header";
        if (register == ABSENT)
        {
            perPacket = "a write to " + field;
            return;
        }
        store(register, length, switch (base)
        {
            case NftablesLayout.NFT_PAYLOAD_NETWORK_HEADER -> ofNetworkHeader(offset, length, field);
            case NftablesLayout.NFT_PAYLOAD_TRANSPORT_HEADER ->
                protocol == IpProtocol.TCP && offset == TCP_FLAGS_OFFSET && length == Byte.BYTES ?
                PacketRegister.TCP_FLAGS :
                isConstant(offset, length) ? PacketRegister.CONSTANT : PacketRegister.perPacket(field);
            default -> PacketRegister.perPacket(field);
        });
    }

    /** Returns whether bytes of the transport header are the same in all packets of a connection's direction. */
    private boolean isConstant(final int offset, final int length)
    {
        if (protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6)
        {
            return offset >= 0 && offset + length <= ICMP_CHECKSUM_OFFSET ||
                offset == ICMP_IDENTIFIER_OFFSET && length == Short.BYTES;
        }
        return offset >= 0 && offset + length <= PORTS_LENGTH;
    }

    private PacketRegister ofNetworkHeader(final int offset, final int length, final String field)
    {
        final boolean isProtocol = offset == (isIpv6 ? IPV6_NEXT_HEADER_OFFSET : IPV4_PROTOCOL_OFFSET);
        if (isProtocol && length == Byte.BYTES)
        {
            return PacketRegister.knownByte(protocol);
        }
        if (!isIpv6 && offset == IPV4_FRAGMENT_OFFSET && length == Short.BYTES)
        {
            return PacketRegister.FRAGMENT;
        }
        final boolean isAddress = isIpv6 ?
            offset >= NETWORK_ADDRESSES_IPV6 && offset + length <= NETWORK_END_IPV6 :
            offset >= NETWORK_ADDRESSES_IPV4 && offset + length <= NETWORK_END_IPV4;
        return isAddress ? PacketRegister.CONSTANT : PacketRegister.perPacket(field);
    }

    private void exthdr()
    {
        final int register = number(NftablesLayout.NFTA_EXTHDR_DREG);
        final int operation = number(NftablesLayout.NFTA_EXTHDR_OP);
        final boolean presence = find(NftablesLayout.NFTA_EXTHDR_FLAGS) &&
            (attribute.networkIntValue(0) & NftablesLayout.NFT_EXTHDR_F_PRESENT) != 0;
        final boolean isOption = register == ABSENT || operation == NftablesLayout.NFT_EXTHDR_OP_TCPOPT;
        final boolean isChunk = operation == NftablesLayout.NFT_EXTHDR_OP_SCTP;
        if (isOption && protocol != IpProtocol.TCP || isChunk && protocol != IpProtocol.SCTP)
        {
            match = PacketMatch.NO;
        }
        else if (isOption || isChunk)
        {
            final String field = isChunk ? "sctp chunk" : "tcp option";
            perPacket = register == ABSENT ? field + " set" : null;
            store(register, WIDE_LENGTH, PacketRegister.perPacket(field));
        }
        else if (presence)
        {
            store(register, REGISTER_LENGTH, PacketRegister.ZERO);
        }
        else
        {
            match = PacketMatch.NO;
        }
    }

    private void bitwise()
    {
        final int source = number(NftablesLayout.NFTA_BITWISE_SREG);
        final int length = number(NftablesLayout.NFTA_BITWISE_LEN);
        final int operation = number(NftablesLayout.NFTA_BITWISE_OP);
        final boolean masks = (operation == ABSENT || operation == NftablesLayout.NFT_BITWISE_MASK_XOR) &&
            length <= REGISTER_LENGTH && find(NftablesLayout.NFTA_BITWISE_MASK);
        final int mask = masks ? dataValue(NftablesLayout.NFTA_BITWISE_MASK) : 0;
        final int xor = masks ? dataValue(NftablesLayout.NFTA_BITWISE_XOR) : 0;
        store(number(NftablesLayout.NFTA_BITWISE_DREG), length,
            masks ? register(source).masked(mask, xor) : merged(source, length));
    }

    private void byteorder()
    {
        final int length = number(NftablesLayout.NFTA_BYTEORDER_LEN);
        store(number(NftablesLayout.NFTA_BYTEORDER_DREG), length,
            merged(number(NftablesLayout.NFTA_BYTEORDER_SREG), length));
    }

    private void cmp()
    {
        final int source = number(NftablesLayout.NFTA_CMP_SREG);
        final int operation = number(NftablesLayout.NFTA_CMP_OP);
        final int length = dataLength(NftablesLayout.NFTA_CMP_DATA);
        final boolean isEquality =
            operation == NftablesLayout.NFT_CMP_EQ || operation == NftablesLayout.NFT_CMP_NEQ;
        if (!isEquality || length < 1 || length > REGISTER_LENGTH)
        {
            compare(PacketMatch.MAYBE, source, length);
            return;
        }
        final int compareValue = dataValue(NftablesLayout.NFTA_CMP_DATA);
        final PacketRegister register = register(source);
        final PacketMatch equal = register.isEqual(compareValue, lengthMask(length));
        compare(operation == NftablesLayout.NFT_CMP_EQ ? equal : equal.not(), source, length);
    }

    private void lookup()
    {
        final String name = text(NftablesLayout.NFTA_LOOKUP_SET);
        final int source = number(NftablesLayout.NFTA_LOOKUP_SREG);
        final int destination = number(NftablesLayout.NFTA_LOOKUP_DREG);
        final boolean inverted = find(NftablesLayout.NFTA_LOOKUP_FLAGS) && attribute.networkIntValue(0) != 0;
        final NftablesSet set = sets.apply(name);
        if (set == null)
        {
            perPacket = "a lookup in unknown set " + name;
            return;
        }
        if (set.statements())
        {
            perPacket = "set " + name + " with statements";
            return;
        }
        if (set.perPacket() != null)
        {
            compared = "set " + name + ", " + set.perPacket();
        }
        final PacketRegister key = register(source);
        final boolean isKnown = set.perPacket() == null && set.keyLength() <= REGISTER_LENGTH && set.isExact() &&
            key.isKnown(lengthMask(set.keyLength()));
        final int[] keys = isKnown ? key.values() : new int[0];
        final long found = Arrays.stream(keys).filter(
            possible -> set.elements().stream().anyMatch(element -> element.key() == possible)).count();
        final PacketMatch contained = !isKnown ? PacketMatch.MAYBE : found == 0 ? PacketMatch.NO :
            found == keys.length ? PacketMatch.YES : PacketMatch.MAYBE;
        compare(inverted ? contained.not() : contained, source, set.keyLength());
        if (destination == NftablesLayout.NFT_REG_VERDICT && match != PacketMatch.NO)
        {
            set.elements().stream()
                .filter(element -> !isKnown || Arrays.stream(keys).anyMatch(possible -> possible == element.key()))
                .map(NftablesSet.Element::verdict).distinct().forEach(this::addVerdict);
        }
        else if (destination != ABSENT)
        {
            store(destination, WIDE_LENGTH, merged(source, set.keyLength()));
        }
    }

    /** Helpers, timeouts and expectations of connections apply to their first packet only. */
    private void objref()
    {
        int type = number(NftablesLayout.NFTA_OBJREF_IMM_TYPE);
        if (type == ABSENT)
        {
            final NftablesSet set = sets.apply(text(NftablesLayout.NFTA_OBJREF_SET_NAME));
            type = set == null ? ABSENT : set.objectType();
        }
        perPacket = switch (type)
        {
            case NftablesLayout.NFT_OBJECT_CT_HELPER, NftablesLayout.NFT_OBJECT_CT_TIMEOUT,
                NftablesLayout.NFT_OBJECT_CT_EXPECT -> null;
            case NftablesLayout.NFT_OBJECT_COUNTER -> "a named counter";
            case NftablesLayout.NFT_OBJECT_QUOTA -> "a named quota";
            case NftablesLayout.NFT_OBJECT_LIMIT -> "a named limit";
            default -> "an object of type " + type;
        };
    }

    private void match()
    {
        final String name = text(NftablesLayout.NFTA_TARGET_NAME);
        final int revision = number(NftablesLayout.NFTA_TARGET_REV);
        if (!find(NftablesLayout.NFTA_TARGET_INFO))
        {
            perPacket = "-m " + name;
            return;
        }
        final PacketMatch result = PacketMatch.xtables(
            name, protocol, revision, attribute.buffer(), attribute.valueOffset(), attribute.valueLength());
        if (result != PacketMatch.PER_PACKET)
        {
            match = match.and(result);
        }
        else if (PacketMatch.isComparison(name))
        {
            compared = compared == null ? "-m " + name : compared;
            match = PacketMatch.MAYBE;
        }
        else
        {
            perPacket = "-m " + name;
        }
    }

    private void target()
    {
        final String name = text(NftablesLayout.NFTA_TARGET_NAME);
        final int revision = number(NftablesLayout.NFTA_TARGET_REV);
        if (!find(NftablesLayout.NFTA_TARGET_INFO) || PacketMatch.isTargetPerPacket(
            name, revision, attribute.buffer(), attribute.valueOffset(), attribute.valueLength()))
        {
            perPacket = "-j " + name;
        }
        else if (name.equals("REJECT"))
        {
            verdicts.add(new NftablesSet.Verdict(NftablesLayout.NF_DROP, ""));
        }
    }

    /** Takes over whether a comparison of {@code length} bytes from a register holds. */
    private void compare(final PacketMatch result, final int source, final int length)
    {
        final boolean isUnknown = result == PacketMatch.MAYBE || result == PacketMatch.PER_PACKET;
        final String reason = isUnknown ? source(source, length) : null;
        compared = compared == null ? reason : compared;
        match = match.and(isUnknown ? PacketMatch.MAYBE : result);
    }

    private PacketRegister merged(final int source, final int length)
    {
        final String reason = source(source, length);
        return reason == null ? PacketRegister.CONSTANT : PacketRegister.perPacket(reason);
    }

    /** Returns what makes {@code length} bytes from a register different from packet to packet, or null. */
    private String source(final int register, final int length)
    {
        final int first = index(register);
        for (int i = first; i < Math.min(REGISTERS, first + Math.max(1, words(length))); i++)
        {
            if (registers[i].perPacket() != null)
            {
                return registers[i].perPacket();
            }
        }
        return null;
    }

    private PacketRegister register(final int register)
    {
        return registers[index(register)];
    }

    private void store(final int register, final int length, final PacketRegister content)
    {
        final int first = index(register);
        registers[first] = content;
        for (int i = first + 1; i < Math.min(REGISTERS, first + words(length)); i++)
        {
            registers[i] = content.perPacket() == null ? PacketRegister.CONSTANT : content;
        }
    }

    private static int words(final int length)
    {
        return (length + REGISTER_LENGTH - 1) / REGISTER_LENGTH;
    }

    private static int lengthMask(final int length)
    {
        return length >= REGISTER_LENGTH ? -1 : ~(-1 >>> length * Byte.SIZE);
    }

    /** Returns the index of a register: four of 16 bytes have the numbers 1 to 4, those of 4 bytes 8 to 23. */
    private static int index(final int register)
    {
        final int index = register <= WIDE_REGISTERS ? (register - 1) * WIDE_REGISTERS :
            register - NftablesLayout.NFT_REG32_00;
        return Math.max(0, Math.min(REGISTERS - 1, index));
    }

    private boolean find(final int type)
    {
        return attribute.wrap(elements.buffer(), dataOffset, dataLength).find(type);
    }

    private int number(final int type)
    {
        return find(type) ? attribute.networkIntValue(ABSENT) : ABSENT;
    }

    private String text(final int type)
    {
        return find(type) ? attribute.textValue() : "";
    }

    /** Returns the length in bytes of the value in struct nft_data; 0 without one. */
    private int dataLength(final int type)
    {
        return find(type) && value.wrapNested(attribute).find(NftablesLayout.NFTA_DATA_VALUE) ?
            value.valueLength() : 0;
    }

    private int dataValue(final int type)
    {
        final int length = dataLength(type);
        return length == 0 ? 0 : PacketMatch.leftAligned(value.buffer(), value.valueOffset(), length);
    }
}
