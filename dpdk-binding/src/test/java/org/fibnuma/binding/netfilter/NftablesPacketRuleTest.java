package org.fibnuma.binding.netfilter;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.core.wire.IpProtocol;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

import static org.fibnuma.binding.netlink.HexAttribute.attribute;
import static org.fibnuma.binding.netlink.HexAttribute.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Expressions as nf_tables sends them: NFTA_LIST_ELEM 1 with NFTA_EXPR_NAME 1, NFTA_EXPR_DATA 2. */
class NftablesPacketRuleTest
{
    private static final int NESTED = 0x8000;
    private static final String ACCEPT = verdict("00000001");
    /** NFTA_CT_DREG 1, NFTA_CT_KEY 2: NFT_CT_STATE. */
    private static final String CT_STATE = expression("ct", number(1, "01") + number(2, "00"));

    private static final int[] PROTOCOLS = {
        IpProtocol.TCP, IpProtocol.UDP, IpProtocol.SCTP, IpProtocol.UDP_LITE, IpProtocol.ICMP, IpProtocol.ICMPV6};

    private final NftablesPacketRule rule = new NftablesPacketRule();

    @Test
    void shouldBeCertainOfTheStateEstablished()
    {
        // NFTA_CMP_SREG 1, NFTA_CMP_OP 2: NFT_CMP_EQ 0 and NEQ 1, NFTA_CMP_DATA 3.
        evaluate(CT_STATE + cmp("00", "02000000") + ACCEPT);
        assertEquals(List.of(new NftablesSet.Verdict(1, "")), rule.verdicts());
        assertTrue(rule.isCertain());
        evaluate(CT_STATE + cmp("01", "02000000") + ACCEPT);
        assertEquals(List.of(), rule.verdicts());
        evaluate(CT_STATE + cmp("00", "08000000") + ACCEPT);
        assertEquals(List.of(), rule.verdicts());
    }

    @Test
    void shouldNotBeCertainOfAnAddress()
    {
        // NFTA_PAYLOAD_DREG 1, BASE 2: NFT_PAYLOAD_NETWORK_HEADER, OFFSET 3, LEN 4.
        evaluate(payload("0c", "04") + cmp("00", "0a000001") + ACCEPT);
        assertNull(rule.perPacket());
        assertEquals(1, rule.verdicts().size());
        assertFalse(rule.isCertain());
    }

    @Test
    void shouldNotBlameAComparisonWithoutConsequence()
    {
        final String ttl = payload("08", "01") + cmp("00", "01");
        evaluate(ttl + expression("counter", ""));
        assertNull(rule.perPacket());
        evaluate(ttl + CT_STATE + cmp("00", "08000000") + ACCEPT);
        assertNull(rule.perPacket(), "a new connection");
        evaluate(ttl + ACCEPT);
        assertEquals("byte 8 of the network header", rule.perPacket());
    }

    @Test
    void shouldKnowTheProtocol()
    {
        // NFTA_META_DREG 1, NFTA_META_KEY 2: NFT_META_L4PROTO 16.
        final String isUdp = expression("meta", number(1, "01") + number(2, "10")) + cmp("00", "11") + ACCEPT;
        evaluate(IpProtocol.UDP, isUdp);
        assertTrue(rule.isCertain());
        evaluate(IpProtocol.SCTP, isUdp);
        assertEquals(List.of(), rule.verdicts());
    }

    /** ICMP echo: type, code and identifier are those of all packets, checksum and sequence number are not. */
    @Test
    void shouldKnowWhatPacketsOfATransportHaveInCommon()
    {
        assertNull(perPacketOf(IpProtocol.ICMP, "00", "01"));
        assertNull(perPacketOf(IpProtocol.ICMPV6, "00", "02"));
        assertNull(perPacketOf(IpProtocol.ICMP, "04", "02"));
        assertEquals("bytes 6 to 7 of the transport header", perPacketOf(IpProtocol.ICMP, "06", "02"));
        assertEquals("bytes 0 to 3 of the transport header", perPacketOf(IpProtocol.ICMP, "00", "04"));
        assertNull(perPacketOf(IpProtocol.SCTP, "00", "04"));
        assertEquals("bytes 4 to 7 of the transport header", perPacketOf(IpProtocol.SCTP, "04", "04"));
        assertEquals("tcp flags", perPacketOf(IpProtocol.TCP, "0d", "01"));
        assertEquals("byte 13 of the transport header", perPacketOf(IpProtocol.UDP_LITE, "0d", "01"));
    }

    private String perPacketOf(final int protocol, final String offset, final String length)
    {
        // NFTA_PAYLOAD_BASE 2: NFT_PAYLOAD_TRANSPORT_HEADER.
        evaluate(protocol, expression("payload",
            number(1, "01") + number(2, "02") + number(3, offset) + number(4, length)) + cmp("00", "18") + ACCEPT);
        return rule.perPacket();
    }

    /** NFTA_EXTHDR_DREG 1, NFTA_EXTHDR_TYPE 2, NFTA_EXTHDR_OP 6: NFT_EXTHDR_OP_TCPOPT 1, NFT_EXTHDR_OP_SCTP 3. */
    @Test
    void shouldFindOptionsAndChunksInPacketsOfTheirProtocol()
    {
        final String option = expression("exthdr", number(1, "01") + attribute(2, "02") + number(6, "01"));
        final String chunk = expression("exthdr", number(1, "01") + attribute(2, "01") + number(6, "03"));
        evaluate(IpProtocol.TCP, option + cmp("00", "05") + ACCEPT);
        assertEquals("tcp option", rule.perPacket());
        evaluate(IpProtocol.SCTP, chunk + cmp("00", "05") + ACCEPT);
        assertEquals("sctp chunk", rule.perPacket());
        evaluate(IpProtocol.UDP, option + ACCEPT);
        assertEquals(List.of(), rule.verdicts());
        evaluate(IpProtocol.TCP, chunk + ACCEPT);
        assertEquals(List.of(), rule.verdicts());
    }

    @Test
    void shouldTakeTheUnknownForActingOnPackets()
    {
        evaluate(expression("something new", ""));
        assertEquals("something new", rule.perPacket());
        evaluate(verdict("00000003"));
        assertEquals("queue", rule.perPacket());
        // NFTA_LOOKUP_SET 1, NFTA_LOOKUP_SREG 2.
        evaluate(expression("lookup", attribute(1, text("gone")) + number(2, "01")));
        assertEquals("a lookup in unknown set gone", rule.perPacket());
        // NFTA_TARGET_NAME 1 without its data.
        evaluate(expression("target", attribute(1, text("ACCOUNT"))));
        assertEquals("-j ACCOUNT", rule.perPacket());
        evaluate(attribute(NESTED | 1, ""));
        assertEquals("an expression without a name", rule.perPacket());
        evaluate(ACCEPT + "ff");
        assertEquals("a damaged rule", rule.perPacket());
    }

    @Property
    void shouldReadNothingOutsideDamagedRules(@ForAll final long seed)
    {
        final Random random = new Random(seed);
        final String whole = CT_STATE + payload("08", "01") + cmp("00", "01") +
            expression("match", attribute(1, text("conntrack")) + number(2, "03") + attribute(3, "00".repeat(160))) +
            expression("bitwise", number(1, "01") + number(2, "01") + number(3, "04") +
            attribute(NESTED | 4, attribute(1, "02000000")) + attribute(NESTED | 5, attribute(1, "00000000"))) +
            expression("lookup", attribute(1, text("s")) + number(2, "01")) + ACCEPT;
        final UnsafeBuffer bytes = HexMessage.buffer(whole);
        for (int i = random.nextInt(8); i >= 0; i--)
        {
            bytes.putByte(random.nextInt(bytes.capacity()), (byte)random.nextInt());
        }
        rule.evaluate(random.nextBoolean(), PROTOCOLS[random.nextInt(PROTOCOLS.length)], bytes, bytes.capacity(),
            name -> new NftablesSet(0, 4, 0, false, List.of()));
    }

    private void evaluate(final String expressions)
    {
        evaluate(IpProtocol.UDP, expressions);
    }

    private void evaluate(final int protocol, final String expressions)
    {
        final UnsafeBuffer buffer = HexMessage.buffer(expressions);
        rule.evaluate(false, protocol, buffer, buffer.capacity(), name -> null);
    }

    private static String payload(final String offset, final String length)
    {
        return expression("payload", number(1, "01") + number(2, "01") + number(3, offset) + number(4, length));
    }

    private static String cmp(final String operation, final String value)
    {
        return expression("cmp", number(1, "01") + number(2, operation) + attribute(NESTED | 3, attribute(1, value)));
    }

    private static String verdict(final String code)
    {
        return expression("immediate", number(1, "00") +
            attribute(NESTED | 2, attribute(NESTED | 2, attribute(1, code))));
    }

    private static String number(final int type, final String lastByte)
    {
        return attribute(type, "000000" + lastByte);
    }

    private static String expression(final String name, final String data)
    {
        return attribute(NESTED | 1, attribute(1, text(name)) + attribute(NESTED | 2, data));
    }
}
