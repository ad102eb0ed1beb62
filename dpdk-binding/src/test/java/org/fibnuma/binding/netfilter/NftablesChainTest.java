package org.fibnuma.binding.netfilter;

import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.core.kernel.HostRestriction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;
import java.util.Set;

import static org.fibnuma.binding.netlink.HexAttribute.attribute;
import static org.fibnuma.binding.netlink.HexAttribute.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Chains as nf_tables sends them: NFTA_CHAIN_TABLE 1, NFTA_CHAIN_NAME 3, NFTA_CHAIN_HOOK 4, NFTA_CHAIN_POLICY 5. */
class NftablesChainTest
{
    private static final int NEWCHAIN = 0x0A03;
    private static final int NESTED = 0x8000;
    private static final Set<String> PORTS = Set.of("r0", "r1");

    private final NftablesRuleset ruleset = new NftablesRuleset(null, true);

    /** Family by NFPROTO_INET 1, IPV4 2, NETDEV 5, BRIDGE 7, IPV6 10; hook by NF_INET_PRE_ROUTING 0 and so on. */
    @ParameterizedTest
    @CsvSource({
        "01, 02, true, true", "02, 02, true, true", "0a, 02, false, true", "07, 02, false, false",
        "0a, 00, false, true", "0a, 04, false, true", "0a, 01, false, false", "0a, 03, false, false"})
    void shouldCountChainsOfIpv6OnlyForARouterThatForwardsIt(
        final String family, final String hook, final boolean withoutIpv6, final boolean withIpv6)
    {
        final NftablesRuleset.Chain chain = chain(family, hook, "");
        assertEquals(withoutIpv6, chain.seesForwarded(PORTS, false));
        assertEquals(withIpv6, chain.seesForwarded(PORTS, true));
    }

    @Test
    void shouldCountDeviceChainsOfThePorts()
    {
        final NftablesRuleset.Chain chain = chain("05", "00", attribute(3, text("r1")));
        assertEquals(true, chain.seesForwarded(PORTS, false));
        assertEquals(false, chain.seesForwarded(Set.of("r0"), true));
    }

    @Test
    void shouldNameFamilyTableAndChain()
    {
        assertEquals(
            new HostRestriction(HostRestriction.Kind.NETFILTER,
                "nftables table ip6 fw, chain f (hook forward, policy drop)", "nft list chain ip6 fw f",
                HostRestriction.Scope.family(true)),
            chain("0a", "02", "").restriction(", policy drop", Map.of()));
    }

    /** NFTA_HOOK_DEV 3; NF_NETDEV_INGRESS 0 and EGRESS 1, NF_INET_INGRESS 5. */
    @Test
    void shouldTellWhichPacketsAChainConcerns()
    {
        final String device = attribute(3, text("r1"));
        assertEquals(HostRestriction.Scope.ALL, scope("01", "02", ""));
        assertEquals(HostRestriction.Scope.family(false), scope("02", "02", ""));
        assertEquals(HostRestriction.Scope.received(8), scope("05", "00", device));
        assertEquals(HostRestriction.Scope.device(8), scope("05", "01", device));
        assertEquals(HostRestriction.Scope.received(8), scope("01", "05", device));
        assertEquals(HostRestriction.Scope.ALL, scope("05", "00", attribute(
            NESTED | 4, attribute(1, text("r0")) + attribute(1, text("r1")))), "several of the ports");
    }

    private HostRestriction.Scope scope(final String family, final String hook, final String device)
    {
        return chain(family, hook, device).restriction("", Map.of("r0", 7, "r1", 8)).scope();
    }

    @Test
    void shouldIgnoreChainsWithoutAHook()
    {
        assertNull(ruleset.chain(HexMessage.message(
            NEWCHAIN, 0, "0a000000" + attribute(1, text("fw")) + attribute(3, text("f")))));
    }

    private NftablesRuleset.Chain chain(final String family, final String hook, final String device)
    {
        return ruleset.chain(HexMessage.message(NEWCHAIN, 0, family + "000000" +
            attribute(1, text("fw")) + attribute(3, text("f")) +
            attribute(NESTED | 4, attribute(1, "000000" + hook) + attribute(2, "00000000") + device) +
            attribute(5, "00000000")));
    }
}
