package org.fibnuma.binding.netfilter;

import org.fibnuma.binding.netlink.HexMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

import static org.fibnuma.binding.netlink.HexAttribute.attribute;
import static org.fibnuma.binding.netlink.HexAttribute.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rules as nf_tables sends them: NFTA_RULE_EXPRESSIONS 4, NFTA_LIST_ELEM 1, NFTA_EXPR_NAME 1, NFTA_EXPR_DATA 2. */
class NftablesRuleTest
{
    private static final int NEWRULE = 0x0A06;
    private static final String NFGENMSG_IPV4 = "02 00 0000";
    private static final int NESTED = 0x8000;

    private final NftablesRule rule = new NftablesRule();
    private final List<String> jumps = new ArrayList<>();

    @Test
    void shouldLetARuleThatOnlyAcceptsBe()
    {
        // meta load iifname => reg 1; cmp; counter; immediate verdict accept.
        assertTrue(isHarmless(
            expression("meta", attribute(2, "00000006") + attribute(1, "00000001")),
            expression("cmp", attribute(1, "00000001")),
            expression("counter", ""),
            verdict("00000001", "")));
    }

    @Test
    void shouldFindADrop()
    {
        assertFalse(isHarmless(verdict("00000000", "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"reject", "masq", "nat", "redir", "queue", "tproxy", "synproxy", "notrack", "dynset",
        "objref", "flow_offload", "dup", "something new"})
    void shouldFindExpressionsThatActOnAPacket(final String name)
    {
        assertFalse(isHarmless(expression("counter", ""), expression(name, "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"meta 3", "payload 5", "ct 4", "exthdr 7"})
    void shouldFindExpressionsThatWrite(final String nameAndSourceRegister)
    {
        final String[] parts = nameAndSourceRegister.split(" ");
        assertFalse(isHarmless(
            expression(parts[0], attribute(Integer.parseInt(parts[1]), "00000001"))));
        assertTrue(isHarmless(expression(parts[0], attribute(1, "00000001"))));
    }

    @Test
    void shouldFindAMapOfVerdictsAndLetASetBe()
    {
        final String set = attribute(1, text("s")) + attribute(2, "00000001");
        assertTrue(isHarmless(expression("lookup", set)));
        assertTrue(isHarmless(expression("lookup", set + attribute(3, "00000001"))));
        assertFalse(isHarmless(expression("lookup", set + attribute(3, "00000000"))));
    }

    @Test
    void shouldFollowJumpsAndGotos()
    {
        // NFT_JUMP is -3, NFT_GOTO -4.
        assertTrue(isHarmless(verdict("fffffffd", "DOCKER-USER")));
        assertTrue(isHarmless(verdict("fffffffc", "elsewhere")));
        assertEquals(List.of("DOCKER-USER", "elsewhere"), jumps);
    }

    @Test
    void shouldKnowTargetsOfIptables()
    {
        assertTrue(isHarmless(expression("target", attribute(1, text("LOG")))));
        assertFalse(isHarmless(expression("target", attribute(1, text("MASQUERADE")))));
        assertTrue(isHarmless(expression("match", attribute(1, text("conntrack")))));
    }

    @Test
    void shouldNotTrustADamagedRule()
    {
        assertFalse(rule.isHarmless(HexMessage.message(NEWRULE, 0, "02"), jumps));
        assertFalse(isHarmless(attribute(NESTED | 1, "")));
        assertFalse(isHarmless(expression("immediate", attribute(1, "00000000"))));
    }

    private boolean isHarmless(final String... expressions)
    {
        return rule.isHarmless(HexMessage.message(NEWRULE, 0,
            NFGENMSG_IPV4 + attribute(1, text("filter")) + attribute(2, text("FORWARD")) +
            attribute(NESTED | 4, String.join("", expressions))), jumps);
    }

    private static String expression(final String name, final String data)
    {
        return attribute(NESTED | 1, attribute(1, text(name)) + attribute(NESTED | 2, data));
    }

    private static String verdict(final String code, final String chain)
    {
        return expression("immediate", attribute(1, "00000000") + attribute(NESTED | 2, attribute(NESTED | 2,
            attribute(1, code) + (chain.isEmpty() ? "" : attribute(2, text(chain))))));
    }
}
