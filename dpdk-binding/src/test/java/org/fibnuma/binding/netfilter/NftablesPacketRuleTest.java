package org.fibnuma.binding.netfilter;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.netlink.HexMessage;
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
    private static final int IPV4 = 2;
    private static final String ACCEPT = verdict("00000001");
    /** NFTA_CT_DREG 1, NFTA_CT_KEY 2: NFT_CT_STATE. */
    private static final String CT_STATE = expression("ct", number(1, "01") + number(2, "00"));

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
        rule.evaluate(IPV4, bytes, bytes.capacity(), name -> new NftablesSet(0, 4, 0, false, List.of()));
    }

    private void evaluate(final String expressions)
    {
        final UnsafeBuffer buffer = HexMessage.buffer(expressions);
        rule.evaluate(IPV4, buffer, buffer.capacity(), name -> null);
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
