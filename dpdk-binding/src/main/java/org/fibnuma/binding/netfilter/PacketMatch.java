package org.fibnuma.binding.netfilter;

import org.agrona.DirectBuffer;
import org.fibnuma.core.wire.IpProtocol;

import java.nio.ByteOrder;
import java.util.Map;
import java.util.Set;

/**
 * Whether a match of a rule holds for the later packets of an established connection of one protocol: packets in both
 * directions, confirmed by connection tracking, no fragments, without IP options and extension headers, of TCP without
 * SYN, FIN and RST but with ACK, and of ICMP echo requests and replies only. Packets that are different are the
 * kernel's.
 */
enum PacketMatch
{
    /** For none of them. */
    NO,
    /** For all packets of one direction of some connections, and for none of the others. */
    MAYBE,
    /** For all of them. */
    YES,
    /** For some packets of a connection and not for others. */
    PER_PACKET;

    /** NF_CT_STATE_BIT(IP_CT_ESTABLISHED) (linux/netfilter/nf_conntrack_common.h, Linux 6.1). */
    static final int STATE_ESTABLISHED = 0x2;
    /** The bits of FIN 0x01, SYN 0x02, RST 0x04 and ACK 0x10, which are known, and their values. */
    static final int KNOWN_TCP_FLAGS = 0x17;
    static final int TCP_FLAGS = 0x10;

    /**
     * Matches of x_tables that compare what all packets of a connection's direction have in common. The mark of a
     * packet is one of them, because a rule that sets it acts on single packets.
     */
    private static final Set<String> OF_CONNECTIONS = Set.of(
        "comment", "addrtype", "multiport", "iprange", "physdev", "mark", "connmark", "pkttype", "devgroup", "rpfilter",
        "helper", "owner");
    /** Matches that compare ports, or type and code, of one protocol. */
    private static final Map<String, Integer> OF_PROTOCOLS = Map.of(
        "tcp", IpProtocol.TCP, "udp", IpProtocol.UDP, "udplite", IpProtocol.UDP_LITE, "sctp", IpProtocol.SCTP,
        "icmp", IpProtocol.ICMP, "icmp6", IpProtocol.ICMPV6);
    /** Matches for protocols or headers that the packets do not have. */
    private static final Set<String> OF_OTHERS = Set.of(
        "dccp", "esp", "ah", "frag", "rt", "hbh", "dst", "mh", "ipv6header", "eui64");

    /** struct xt_conntrack_mtinfo3 (linux/netfilter/xt_conntrack.h, Linux 6.1); revision 1 has masks of 8 bits. */
    private static final int CONNTRACK_MATCH_FLAGS_OFFSET = 146;
    private static final int CONNTRACK_INVERT_FLAGS_OFFSET = CONNTRACK_MATCH_FLAGS_OFFSET + Short.BYTES;
    private static final int CONNTRACK_STATE_MASK_OFFSET = CONNTRACK_INVERT_FLAGS_OFFSET + Short.BYTES;
    private static final int XT_CONNTRACK_STATE = 1;
    private static final int XT_CONNTRACK_EXPIRES = 1 << 7;
    private static final int XT_CONNTRACK_STATE_ALIAS = 1 << 13;
    /** XT_CONNTRACK_STATE_SNAT and XT_CONNTRACK_STATE_DNAT. */
    private static final int STATES_OF_NAT = 1 << 6 | 1 << 7;

    /** struct xt_tcp (linux/netfilter/xt_tcpudp.h, Linux 6.1), behind the ranges of ports. */
    private static final int TCP_OPTION_OFFSET = 8;
    private static final int TCP_FLAG_MASK_OFFSET = TCP_OPTION_OFFSET + Byte.BYTES;
    private static final int TCP_FLAG_COMPARED_OFFSET = TCP_FLAG_MASK_OFFSET + Byte.BYTES;
    private static final int TCP_INVERT_OFFSET = TCP_FLAG_COMPARED_OFFSET + Byte.BYTES;
    private static final int XT_TCP_INV_FLAGS = 0x04;

    /** struct xt_sctp_info (linux/netfilter/xt_sctp.h, Linux 6.1), behind ports, chunks and their flags. */
    private static final int SCTP_FLAGS_OFFSET = 284;
    private static final int XT_SCTP_CHUNK_TYPES = 0x04;

    /** struct xt_connmark_tginfo1 and xt_connmark_tginfo2 (linux/netfilter/xt_connmark.h, Linux 6.1). */
    private static final int CONNMARK_MODE_OFFSET = 3 * Integer.BYTES;
    private static final int CONNMARK_MODE_OFFSET_2 = CONNMARK_MODE_OFFSET + 2 * Byte.BYTES;
    private static final int XT_CONNMARK_SET = 0;

    /** Returns whether both hold. */
    PacketMatch and(final PacketMatch other)
    {
        if (this == NO || other == NO)
        {
            return NO;
        }
        if (this == PER_PACKET || other == PER_PACKET)
        {
            return PER_PACKET;
        }
        return this == YES ? other : MAYBE;
    }

    /** Returns whether the opposite holds. */
    PacketMatch not()
    {
        return this == NO ? YES : this == YES ? NO : this;
    }

    static PacketMatch certain(final boolean holds)
    {
        return holds ? YES : NO;
    }

    /** Returns whether {@code (flags & mask) == compared} holds for the flags of TCP. */
    static PacketMatch tcpFlags(final int mask, final int compared)
    {
        final int known = mask & KNOWN_TCP_FLAGS;
        if ((compared & ~mask) != 0 || (TCP_FLAGS & known) != (compared & known))
        {
            return NO;
        }
        return known == mask ? YES : PER_PACKET;
    }

    /**
     * Returns whether a match of x_tables holds; {@link #PER_PACKET} if it is unknown.
     *
     * @param name     of the match.
     * @param protocol of the packets.
     * @param revision of its data.
     * @param buffer   with its data, {@code length} bytes from {@code offset}, in the machine's order.
     */
    static PacketMatch xtables(
        final String name, final int protocol, final int revision,
        final DirectBuffer buffer, final int offset, final int length)
    {
        if (protocol != OF_PROTOCOLS.getOrDefault(name, protocol))
        {
            return NO;
        }
        return switch (name)
        {
            case "conntrack" -> revision < 1 || length < CONNTRACK_STATE_MASK_OFFSET + Short.BYTES ?
                PER_PACKET : conntrack(revision, buffer, offset);
            case "state" -> length < Integer.BYTES ?
                PER_PACKET : certain((buffer.getInt(offset) & STATE_ESTABLISHED) != 0);
            case "tcp" -> length < TCP_INVERT_OFFSET + Byte.BYTES ? PER_PACKET : tcp(buffer, offset);
            case "sctp" -> length < SCTP_FLAGS_OFFSET + Integer.BYTES ||
                (buffer.getInt(offset + SCTP_FLAGS_OFFSET) & XT_SCTP_CHUNK_TYPES) != 0 ? PER_PACKET : MAYBE;
            default -> OF_OTHERS.contains(name) ? NO :
                OF_CONNECTIONS.contains(name) || OF_PROTOCOLS.containsKey(name) ? MAYBE : PER_PACKET;
        };
    }

    /**
     * Returns whether a match only compares. Others may count or limit, so that they have an effect even if a later
     * match of the rule does not hold.
     */
    static boolean isComparison(final String name)
    {
        return name.equals("tcp") || name.equals("sctp") || name.equals("conntrack");
    }

    private static PacketMatch conntrack(final int revision, final DirectBuffer buffer, final int offset)
    {
        final int flags = buffer.getShort(offset + CONNTRACK_MATCH_FLAGS_OFFSET);
        final int inverted = buffer.getShort(offset + CONNTRACK_INVERT_FLAGS_OFFSET);
        final int states = revision == 1 ? buffer.getByte(offset + CONNTRACK_STATE_MASK_OFFSET) :
            buffer.getShort(offset + CONNTRACK_STATE_MASK_OFFSET);
        PacketMatch match = YES;
        if ((flags & XT_CONNTRACK_STATE) != 0)
        {
            match = (states & STATE_ESTABLISHED) != 0 ? YES : (states & STATES_OF_NAT) != 0 ? MAYBE : NO;
            match = (inverted & XT_CONNTRACK_STATE) != 0 ? match.not() : match;
        }
        final int others = flags & ~(XT_CONNTRACK_STATE | XT_CONNTRACK_STATE_ALIAS);
        return match.and(others == 0 ? YES : (others & XT_CONNTRACK_EXPIRES) != 0 ? PER_PACKET : MAYBE);
    }

    private static PacketMatch tcp(final DirectBuffer buffer, final int offset)
    {
        final PacketMatch flags = tcpFlags(
            buffer.getByte(offset + TCP_FLAG_MASK_OFFSET) & 0xFF,
            buffer.getByte(offset + TCP_FLAG_COMPARED_OFFSET) & 0xFF);
        final boolean inverted = (buffer.getByte(offset + TCP_INVERT_OFFSET) & XT_TCP_INV_FLAGS) != 0;
        final PacketMatch option = buffer.getByte(offset + TCP_OPTION_OFFSET) == 0 ? YES : PER_PACKET;
        return MAYBE.and(inverted ? flags.not() : flags).and(option);
    }

    /**
     * Returns whether a target of x_tables acts on single packets. Those that do not, act on whole connections or end
     * the rules with a verdict.
     *
     * @param name     of the target.
     * @param revision of its data.
     * @param buffer   with its data, {@code length} bytes from {@code offset}, in the machine's order.
     */
    static boolean isTargetPerPacket(
        final String name, final int revision, final DirectBuffer buffer, final int offset, final int length)
    {
        return switch (name)
        {
            case "REJECT", "MASQUERADE", "SNAT", "DNAT", "REDIRECT", "NETMAP", "CT" -> false;
            case "CONNMARK" -> !isConnmarkSet(revision, buffer, offset, length);
            default -> true;
        };
    }

    /** Returns whether CONNMARK sets the mark of the connection to a constant, and does not save or restore it. */
    private static boolean isConnmarkSet(
        final int revision, final DirectBuffer buffer, final int offset, final int length)
    {
        final int mode = revision == 1 ? CONNMARK_MODE_OFFSET : CONNMARK_MODE_OFFSET_2;
        return (revision == 1 || revision == 2) && length > mode && buffer.getByte(offset + mode) == XT_CONNMARK_SET;
    }

    /** Returns bytes of a header or register, up to 4, as a number whose highest byte is the first one. */
    static int leftAligned(final DirectBuffer buffer, final int offset, final int length)
    {
        int bytes = 0;
        for (int i = 0; i < Math.min(length, Integer.BYTES); i++)
        {
            bytes |= (buffer.getByte(offset + i) & 0xFF) << (Integer.BYTES - 1 - i) * Byte.SIZE;
        }
        return bytes;
    }

    /** Returns a number in the machine's order as {@link #leftAligned} returns its bytes. */
    static int ofMachine(final int number)
    {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? number : Integer.reverseBytes(number);
    }
}
