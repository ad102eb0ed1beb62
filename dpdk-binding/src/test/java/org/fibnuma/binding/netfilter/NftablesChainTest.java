package org.fibnuma.binding.netfilter;

import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.AddressFamilies;
import org.fibnuma.core.kernel.HostRestriction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashMap;
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
    private static final int NEWFLOWTABLE = 0x0A16;
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

    /** NFTA_FLOWTABLE_TABLE 1, HOOK 3 with DEVS 3, USE 4. A table of inet takes packets of both families. */
    @Test
    void shouldOffloadWhereFlowtablesInUseHaveAllPorts()
    {
        assertEquals(new AddressFamilies(true, true), offloaded(flowtable("01", "fw", 1, "r0", "r1")));
        assertEquals(new AddressFamilies(true, false), offloaded(flowtable("02", "fw", 2, "r0", "r1", "r2")));
        assertEquals(new AddressFamilies(false, true),
            offloaded(flowtable("0a", "fw", 1, "r0"), flowtable("01", "fw", 1, "r1")));
        assertEquals(AddressFamilies.NONE, offloaded(flowtable("01", "fw", 1, "r0")), "a port without");
        assertEquals(AddressFamilies.NONE, offloaded(flowtable("01", "fw", 0, "r0", "r1")), "no rule uses it");
        assertEquals(AddressFamilies.NONE, offloaded(flowtable("01", "sleeping", 1, "r0", "r1")), "a dormant table");
        assertEquals(AddressFamilies.NONE, offloaded());
    }

    private AddressFamilies offloaded(final NetlinkMessageFlyweight... flowtables)
    {
        final Map<Integer, Set<String>> devices = new HashMap<>();
        for (final NetlinkMessageFlyweight flowtable : flowtables)
        {
            ruleset.addFlowtable(flowtable, Set.of("inet sleeping"), devices);
        }
        return NftablesRuleset.offloadedBy(devices, PORTS);
    }

    private static NetlinkMessageFlyweight flowtable(
        final String family, final String table, final int uses, final String... devices)
    {
        final StringBuilder names = new StringBuilder();
        for (final String device : devices)
        {
            names.append(attribute(1, text(device)));
        }
        return HexMessage.message(NEWFLOWTABLE, 0, family + "000000" + attribute(1, text(table)) +
            attribute(2, text("ft")) + attribute(NESTED | 3, attribute(1, "00000000") +
            attribute(NESTED | 3, names.toString())) + attribute(4, "0000000" + uses));
    }

    @Test
    void shouldExceptOffloadedConnectionsOfWhatJudgesPackets()
    {
        final AddressFamilies ipv4 = new AddressFamilies(true, false);
        final HostRestriction ofIpv4 = new HostRestriction(
            HostRestriction.Kind.NETFILTER_PACKET, "limit", "nft", HostRestriction.Scope.family(false));
        assertEquals(HostRestriction.Kind.NETFILTER_OFFLOAD, ofIpv4.exceptOffloaded(ipv4).kind());
        final HostRestriction ofBoth = new HostRestriction(HostRestriction.Kind.NETFILTER_PACKET, "limit", "nft");
        assertEquals(ofBoth, ofBoth.exceptOffloaded(ipv4));
        final HostRestriction whole = chain("02", "02", "").restriction("", Map.of());
        assertEquals(whole, whole.exceptOffloaded(ipv4));
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
