package org.fibnuma.binding.hostpolicy;

import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.core.kernel.KernelRule;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.wire.IpPrefix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import static org.fibnuma.binding.netlink.HexAttribute.attribute;
import static org.fibnuma.binding.netlink.HexAttribute.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HostPolicyDecodersTest
{
    private static final int NEWLINK = 16;
    private static final int NEWRULE = 32;
    private static final int NEWTFILTER = 44;
    private static final int NEWNETCONF = 80;
    private static final int DELNETCONF = 81;
    /** struct ifinfomsg of interface 7: family, pad, type, index, flags, change. */
    private static final String LINK_7 = "00 00 0100 07000000 43100100 00000000";
    private static final String SUPPRESS_NOTHING = attribute(14, "ffffffff");
    private static final String PROTOCOL_KERNEL = attribute(21, "02");
    private static final int NESTED = 0x8000;

    private final NetconfTable netconf = new NetconfTable();
    private final RuleDecoder rules = new RuleDecoder();
    private final LinkMembership links = new LinkMembership();

    @Test
    void shouldTakeForwardingOfTheInterfaceAndTheLargerReversePathFilter()
    {
        netconf(NEWNETCONF, "ffffffff", attribute(2, "01000000") + attribute(3, "01000000"));
        netconf(NEWNETCONF, "07000000", attribute(2, "00000000") + attribute(3, "02000000"));
        netconf(NEWNETCONF, "08000000", attribute(2, "01000000") + attribute(3, "00000000"));

        assertSettings(7, false, ReversePath.LOOSE);
        assertSettings(8, true, ReversePath.STRICT);
    }

    @Test
    void shouldKeepWhatANotificationDoesNotHold()
    {
        netconf(NEWNETCONF, "07000000", attribute(2, "00000000") + attribute(3, "01000000"));
        netconf(NEWNETCONF, "07000000", attribute(3, "00000000"));
        assertSettings(7, false, ReversePath.OFF);
        netconf(NEWNETCONF, "07000000", attribute(2, "01000000"));
        assertSettings(7, true, ReversePath.OFF);
    }

    @Test
    void shouldForgetAnInterfaceAndPassOverIpv6()
    {
        netconf(NEWNETCONF, "07000000", attribute(2, "00000000"));
        netconf.onMessage(HexMessage.message(
            NEWNETCONF, 0, "0a000000" + attribute(1, "08000000") + attribute(2, "00000000")));
        assertSettings(8, true, ReversePath.OFF);
        netconf(DELNETCONF, "07000000", "");
        assertSettings(7, true, ReversePath.OFF);
    }

    private void assertSettings(final int index, final boolean forwards, final ReversePath reversePath)
    {
        assertEquals(forwards, netconf.forwards(index));
        assertEquals(reversePath, netconf.reversePath(index));
    }

    @ParameterizedTest
    @CsvSource({"ff, 00000000", "fe, fe7f0000", "fd, ff7f0000"})
    void shouldKnowTheThreeRulesOfEveryKernel(final String table, final String priority)
    {
        assertFalse(rule("02 00 00 00" + table + "0000 01 00000000", attribute(15, table + "000000") +
            attribute(6, priority)).concernsForwarded());
    }

    @Test
    void shouldNameARuleBySource()
    {
        final KernelRule rule = rule("02 00 10 00 64 0000 01 00000000",
            attribute(15, "64000000") + attribute(6, "fd7f0000") + attribute(2, "0a090000"));
        assertTrue(rule.concernsForwarded());
        assertEquals("32765: from 10.9.0.0/16 lookup 100", rule.text());
    }

    @Test
    void shouldNameARuleByMarkAndInterface()
    {
        final KernelRule rule = rule("02 00 00 00 00 0000 01 02000000",
            attribute(15, "10270000") + attribute(6, "0a000000") + attribute(10, "10000000") +
            attribute(16, "ff000000") + attribute(3, text("r0")));
        assertTrue(rule.concernsForwarded());
        assertEquals("r0", rule.selector().ingress());
        assertTrue(rule.selector().inverted());
        assertTrue(rule.selector().never());
        assertEquals(10_000, rule.table());
        assertEquals("10: not from all fwmark 0x10/0xff iif r0 lookup 10000", rule.text());
    }

    @Test
    void shouldNameARuleThatRefuses()
    {
        final KernelRule rule = rule("02 08 00 00 00 0000 08 00000000",
            attribute(6, "05000000") + attribute(1, "c6000000"));
        assertTrue(rule.concernsForwarded());
        assertEquals("5: from all to 198.0.0.0/8 prohibit", rule.text());
    }

    @Test
    void shouldPassOverRulesForTheHostsOwnPacketsAndForVrfs()
    {
        // FRA_OIFNAME 17, FRA_L3MDEV 19: what comes in to be forwarded has no egress interface yet.
        assertFalse(rule("02 00 00 00 64 0000 01 00000000",
            attribute(15, "64000000") + attribute(6, "0a000000") + attribute(17, text("vpn"))).concernsForwarded());
        assertFalse(rule("02 00 00 00 00 0000 01 00000000",
            attribute(6, "e8030000") + attribute(19, "01")).concernsForwarded());
    }

    /** Messages as Linux 6.18 sends them for {@code ip -6 rule}. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "ff000001 00000000 08000f00ff000000 08000e00ffffffff 0500150002000000 | false | 0: from all lookup local",
        "fe000001 00000000 08000f00fe000000 08000e00ffffffff 0500150002000000 08000600fe7f0000" +
            "| false | 32766: from all lookup main",
        "fd000001 00000000 08000f00fd000000 08000e00ffffffff 0500150002000000 08000600ff7f0000" +
            "| true | 32767: from all lookup default"})
    void shouldKnowTheTwoIpv6RulesOfEveryKernel(final String bytes, final boolean beyond, final String text)
    {
        final KernelRule rule = rules.decode(HexMessage.message(NEWRULE, 0, "0a000000" + bytes));
        assertEquals(text, rule.text());
        assertTrue(rule.isIpv6());
        assertEquals(beyond, rule.concernsForwarded());
    }

    @Test
    void shouldNameARuleOfIpv6()
    {
        final KernelRule rule = rules.decode(HexMessage.message(NEWRULE, 0,
            "0a803000640000010800000008000f006400000008000e00ffffffff0500150000000000070003007230000008000600fd7f0000" +
            "08000a001000000008001000ff000000140001003fff00000000000000000000000000011400020020010db800090000" +
            "0000000000000000"));
        assertEquals("32765: from 2001:db8:9::/48 to 3fff::1 fwmark 0x10/0xff iif r0 lookup 100", rule.text());
        assertEquals(new KernelRule.Selector(
            false, IpPrefix.parse("2001:db8:9::/48"), IpPrefix.parse("3fff::1/128"), "r0", false, true, false),
            rule.selector());
        assertFalse(rule.concernsForwarded(), "a packet that is forwarded has no mark");
        final KernelRule refusing = rules.decode(HexMessage.message(NEWRULE, 0,
            "0a003000000000080000000008000f0000000000" +
            "08000e00ffffffff050015000000000008000600fc7f00001400020020010db8000700000000000000000000"));
        assertEquals("32764: from 2001:db8:7::/48 prohibit", refusing.text());
        assertEquals(KernelRule.Action.PROHIBIT, refusing.action());
    }

    /** Messages as iproute2 shows them; each condition is one that the router does or does not have. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "0800 0e00 00000000 | false | false | 0 | suppress_prefixlength 0",
        "0800 0d00 05000000 | false | true | -1 | suppress_ifgroup 5",
        "0c00 1400 e8030000e8030000 | true | false | -1 | ''",
        "0c00 1400 00000000e8030000 | false | false | -1 | ''",
        "0500 1600 11000000 | false | true | -1 | ipproto 17",
        "0800 1800 35003500 | false | true | -1 | attribute 24",
        "0800 1000 ff000000 | false | false | -1 | fwmark 0x0/0xff"})
    void shouldTellWhichConditionsTheRouterHas(
        final String attribute,
        final boolean never,
        final boolean byOthers,
        final int suppression,
        final String text)
    {
        final KernelRule rule = rule("02 00 00 00 64 0000 01 00000000",
            attribute(15, "64000000") + attribute(6, "0a000000") + attribute);
        assertEquals(never, rule.selector().never());
        assertEquals(byOthers, rule.selector().byOthers());
        assertEquals(suppression, rule.suppression());
        assertEquals("10: from all " + text + (text.isEmpty() ? "" : " ") + "lookup 100", rule.text());
    }

    @Test
    void shouldPassOverRulesOfOtherFamiliesAndDamagedOnes()
    {
        assertNull(rules.decode(HexMessage.message(NEWRULE, 0, "80 00 00 00 64 0000 01 00000000")));
        assertNull(rules.decode(HexMessage.message(NEWRULE, 0, "02 00 00 00 64")));
        assertNull(rules.decode(HexMessage.message(NEWRULE, 0, "0a 00 00 00 64")));
    }

    @Test
    void shouldFindTheVrfOfALink()
    {
        links.onLink(HexMessage.message(NEWLINK, 0, LINK_7 + attribute(3, text("r0")) + attribute(10, "09000000") +
            attribute(NESTED | 18, attribute(1, text("veth")) + attribute(4, text("vrf")))));
        links.onLink(HexMessage.message(NEWLINK, 0, LINK_7.replace("07000000", "09000000") +
            attribute(3, text("blue")) + attribute(NESTED | 18, attribute(1, text("vrf")))));

        assertEquals(List.of(new HostRestriction(HostRestriction.Kind.VRF, "r0 is in the VRF blue",
            "ip -d link show r0", HostRestriction.Scope.device(7))), restrictionsOf(7));
        assertEquals(List.of(), restrictionsOf(9));
    }

    @ParameterizedTest
    @CsvSource({"bridge, bridge", "bond, bond", "team, team", "openvswitch, openvswitch", "'', master interface"})
    void shouldFindTheMasterOfALink(final String slaveKind, final String named)
    {
        links.onLink(HexMessage.message(NEWLINK, 0, LINK_7 + attribute(3, text("r0")) + attribute(10, "09000000") +
            (slaveKind.isEmpty() ? "" : attribute(NESTED | 18, attribute(4, text(slaveKind))))));

        assertEquals(List.of(new HostRestriction(HostRestriction.Kind.MASTER, "r0 is in the " + named + " 9",
            "ip -d link show r0", HostRestriction.Scope.device(7))), restrictionsOf(7));
    }

    @Test
    void shouldFindWhatIsAboveALink()
    {
        final String mac = attribute(1, "02 00 00 00 00 01");
        links.onLink(HexMessage.message(NEWLINK, 0, LINK_7 + attribute(3, text("r0")) + mac));
        above("0a000000", "vr1", "macvlan", attribute(1, "00 00 5e 00 01 01"));
        aboveInMode("10000000", "vr2", "02");
        aboveInMode("11000000", "vr3", "04");
        aboveInMode("12000000", "vr4", "08");
        aboveInMode("13000000", "vr5", "10");
        above("0b000000", "ip1", "ipvlan", mac);
        above("0c000000", "sec", "macsec", mac);
        above("0d000000", "r0.5", "vlan", mac);
        // IFLA_LINK_NETNSID 37: the index 7 is one of another network namespace.
        above("0e000000", "far", "ipvlan", mac + attribute(37, "00000000"));

        assertEquals(List.of(
            upper("ipvlan ip1 on r0, which shares its MAC address", "ip1", HostRestriction.Scope.received(7)),
            upper("macsec sec on r0", "sec", HostRestriction.Scope.NONE),
            upper("macvlan vr1 on r0, which has the frames to 00:00:5e:00:01:01", "vr1",
                HostRestriction.Scope.NONE),
            upper("macvlan vr3 on r0, a bridge by which the kernel sends", "vr3",
                HostRestriction.Scope.NONE),
            upper("macvlan vr4 on r0, which has all its frames", "vr4", HostRestriction.Scope.received(7)),
            upper("macvlan vr5 on r0, which has the frames of some senders", "vr5",
                HostRestriction.Scope.received(7))), restrictionsOf(7), "vr2 is the router's");
    }

    /** A macvlan interface on r0 with IFLA_MACVLAN_MODE 1. */
    private void aboveInMode(final String index, final String name, final String mode)
    {
        links.onLink(HexMessage.message(NEWLINK, 0, LINK_7.replace("07000000", index) + attribute(3, text(name)) +
            attribute(5, "07000000") + attribute(NESTED | 18,
            attribute(1, text("macvlan")) + attribute(2, attribute(1, mode + "000000")))));
    }

    private void above(final String index, final String name, final String kind, final String attributes)
    {
        links.onLink(HexMessage.message(NEWLINK, 0, LINK_7.replace("07000000", index) + attribute(3, text(name)) +
            attribute(5, "07000000") + attributes + attribute(NESTED | 18, attribute(1, text(kind)))));
    }

    private static HostRestriction upper(final String text, final String name, final HostRestriction.Scope scope)
    {
        return new HostRestriction(
            HostRestriction.Kind.UPPER_INTERFACE, text, "ip -d link show " + name, scope);
    }

    private List<HostRestriction> restrictionsOf(final int interfaceIndex)
    {
        final List<HostRestriction> restrictions = new ArrayList<>();
        links.addVrf(restrictions, interfaceIndex);
        links.addOthers(restrictions, interfaceIndex);
        return restrictions;
    }

    @Test
    void shouldFindTheXdpProgramOfALink()
    {
        // IFLA_XDP 43: IFLA_XDP_ATTACHED 2, IFLA_XDP_DRV_PROG_ID 5.
        links.onLink(HexMessage.message(NEWLINK, 0, LINK_7 + attribute(3, text("r0")) +
            attribute(NESTED | 43, attribute(2, "01") + attribute(5, "2a000000"))));
        assertEquals(42, links.xdpProgram(7));
        assertEquals(0, links.xdpProgram(8));
    }

    @Test
    void shouldNameFiltersOnceAndNotTheirHeads()
    {
        final Set<String> filters = new LinkedHashSet<>();
        final TrafficControl trafficControl = new TrafficControl(null);
        // struct tcmsg: family and padding, index, handle, parent, info.
        trafficControl.onFilter(filter("00000000"), filters);
        assertEquals(Set.of(), filters);
        trafficControl.onFilter(filter("00000080"), filters);
        trafficControl.onFilter(filter("00080080"), filters);
        assertEquals(Set.of("filter u32"), filters);
    }

    private static NetlinkMessageFlyweight filter(final String handle)
    {
        return HexMessage.message(
            NEWTFILTER, 0, "00000000 07000000" + handle + "f2ffffff 00000000" + attribute(1, text("u32")));
    }

    private void netconf(final int type, final String index, final String attributes)
    {
        netconf.onMessage(HexMessage.message(type, 0, "02000000" + attribute(1, index) + attributes));
    }

    private KernelRule rule(final String header, final String attributes)
    {
        return rules.decode(HexMessage.message(
            NEWRULE, 0, header + SUPPRESS_NOTHING + PROTOCOL_KERNEL + attributes));
    }
}
