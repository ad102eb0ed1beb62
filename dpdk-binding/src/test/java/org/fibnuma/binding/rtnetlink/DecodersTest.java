package org.fibnuma.binding.rtnetlink;

import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DecodersTest
{
    private final LinkDecoder links = new LinkDecoder();
    private final AddressDecoder addresses = new AddressDecoder();
    private final NeighborDecoder neighbors = new NeighborDecoder();

    @Test
    void shouldReadALink()
    {
        assertEquals(new KernelLink(3, "v0", 0x0200_0000_0001L, 1400, true),
            links.decode(message(LinkLayout.RTM_NEWLINK, Samples.LINK)));
    }

    @Test
    void shouldCallALinkWithoutCarrierDown()
    {
        assertEquals(new KernelLink(3, "v0", 0x0200_0000_0001L, 1400, false),
            links.decode(message(LinkLayout.RTM_NEWLINK, Samples.LINK_WITHOUT_CARRIER)));
    }

    @Test
    void shouldReadAVlanLink()
    {
        assertEquals(new KernelLink(7, "v0.100", 0x0200_0000_0001L, 1500, true,
            new KernelLink.Vlan(3, 0x8100, 100, false)), vlan(Samples.VLAN_LINK));
        assertEquals(new KernelLink.Vlan(3, 0x88A8, 4094, false), vlan(Samples.VLAN_LINK
            .replace("0600 0500 8100", "0600 0500 88a8").replace("0600 0100 6400", "0600 0100 fe0f")).vlan());
        assertEquals(new KernelLink.Vlan(3, 0x8100, 100, true),
            vlan(Samples.VLAN_LINK + "0800 0a00 06000000").vlan(), "with a master");
    }

    /** IFLA_INFO_KIND macvlan, IFLA_MACVLAN_MODE in IFLA_INFO_DATA. */
    @ParameterizedTest
    @CsvSource({"01, OUT", "02, OUT", "04, BRIDGE", "08, ''", "10, ''"})
    void shouldReadAMacvlanLink(final String mode, final String expected)
    {
        final String sample = Samples.LINK_WITHOUT_CARRIER + "0800 0500 03000000" + "2000 1200" +
            "0c00 0100 6d6163766c616e00" + "1000 0200" + "0800 0100" + mode + "000000" + "0400 0200";
        assertEquals(expected.isEmpty() ? null :
            KernelLink.Vlan.macvlan(3, false, KernelLink.Macvlan.valueOf(expected)), vlan(sample).vlan());
    }

    /** veth, bridge and others have IFLA_LINK too; the lower interface of a VLAN may be in another namespace. */
    @Test
    void shouldNotTakeOtherLinksForVlans()
    {
        assertNull(vlan(Samples.VLAN_LINK.replace("766c616e00", "7665746800")).vlan());
        assertNull(vlan(Samples.VLAN_LINK.replace("0800 0500 03000000", "")).vlan());
        assertNull(vlan(Samples.VLAN_LINK + "0800 2500 01000000").vlan());
        assertNull(vlan(Samples.LINK + "0800 0500 03000000").vlan());
    }

    /** VID 0 and a protocol of 0 are those of no interface that the router takes. */
    @Test
    void shouldReadAVlanWithShortPropertiesAsNone()
    {
        assertEquals(new KernelLink.Vlan(3, 0x8100, 0, false),
            vlan(Samples.VLAN_LINK.replace("0600 0100 6400 0000", "0500 0100 6400 0000")).vlan());
        assertEquals(new KernelLink.Vlan(3, 0, 100, false),
            vlan(Samples.VLAN_LINK.replace("0600 0500 8100 0000", "0400 0500 8100 0000")).vlan());
        assertEquals(new KernelLink.Vlan(3, 0x8100, 0, false),
            vlan(Samples.VLAN_LINK.replace("2000 0200", "ff00 0200")).vlan());
    }

    private KernelLink vlan(final String sample)
    {
        return links.decode(message(LinkLayout.RTM_NEWLINK, sample));
    }

    @Test
    void shouldTellWhatRoutesDependOnInALink()
    {
        final String otherMaster = Samples.LINK.replace("0800 0a00 06000000", "0800 0a00 07000000");
        final String otherMtu = Samples.LINK.replace("78050000", "dc050000");

        final long state = routingState(Samples.LINK);

        assertEquals(state, routingState(otherMtu));
        assertNotEquals(state, routingState(otherMaster));
        assertNotEquals(state, routingState(Samples.LINK_WITHOUT_CARRIER));
    }

    /** Without the settings the router cannot tell, so that a carrier may matter. */
    @Test
    void shouldTellWhetherRoutesNeedACarrier()
    {
        final long up = routingState(Samples.LINK + settings(0, 0));
        final long withoutCarrier = routingState(
            Samples.LINK_WITHOUT_CARRIER + "0800 0a00 06000000" + settings(0, 0));
        final long down = routingState(Samples.LINK.replace("43100100", "02100000") + settings(0, 0));

        assertTrue(LinkDecoder.isUp(up) && LinkDecoder.isUp(withoutCarrier) && !LinkDecoder.isUp(down));
        assertTrue(LinkDecoder.isOfCarrierOrUp(up, withoutCarrier));
        assertTrue(LinkDecoder.isOfCarrierOrUp(down, up));
        assertFalse(LinkDecoder.isOfCarrierOrUp(up, routingState(Samples.LINK_WITHOUT_CARRIER + settings(0, 0))),
            "another master");
        assertFalse(LinkDecoder.isOfCarrierOrUp(up, routingState(Samples.LINK + settings(1, 0))));
        assertFalse(LinkDecoder.isOfCarrierOrUp(routingState(Samples.LINK + settings(0, 1)), up));
        assertFalse(LinkDecoder.isOfCarrierOrUp(up, routingState(Samples.LINK)), "no settings");
        assertTrue(LinkDecoder.isOfCarrierOrUp(up, routingState(Samples.LINK + "0400 1a00")), "neither IPv4 nor IPv6");
    }

    /** Returns IFLA_AF_SPEC with number 29 of 33 settings of IPv4, and number 39 of 40 of IPv6. */
    private static String settings(final int ipv4, final int ipv6)
    {
        return "4001 1a00" + "8c00 0200" + "8800 0100" + "00000000".repeat(28) + "0" + ipv4 + "000000" +
            "00000000".repeat(4) + "b000 0a00" + "0800 0100 00000000" + "a400 0200" + "00000000".repeat(39) + "0" +
            ipv6 + "000000";
    }

    @Test
    void shouldPassOverTheBridgesViewOfAPort()
    {
        assertNull(links.decode(message(LinkLayout.RTM_DELLINK, Samples.BRIDGE_PORT)));
    }

    @Test
    void shouldReadAnAddress()
    {
        assertEquals(new KernelAddress(3, IpAddress.of(0x0A000001), 24),
            addresses.decode(message(AddressLayout.RTM_NEWADDR, Samples.ADDRESS)));
    }

    @Test
    void shouldTakeTheLocalEndOfAPointToPointAddress()
    {
        assertEquals(new KernelAddress(3, IpAddress.of(0xAC100001), 32),
            addresses.decode(message(AddressLayout.RTM_NEWADDR, Samples.ADDRESS_WITH_PEER)));
    }

    @Test
    void shouldTellTheNetworkOfAnAddress()
    {
        addresses.decode(message(AddressLayout.RTM_NEWADDR, Samples.ADDRESS));
        assertEquals(IpPrefix.parse("10.0.0.0/24"), addresses.network());
        addresses.decode(message(AddressLayout.RTM_NEWADDR, Samples.ADDRESS_WITH_PEER));
        assertEquals(IpPrefix.parse("172.16.0.2/32"), addresses.network());
        assertTrue(addresses.makesRoute());
        addresses.decode(message(AddressLayout.RTM_NEWADDR, Samples.ADDRESS + "0800 0800 80020000"));
        assertFalse(addresses.makesRoute());
    }

    @Test
    void shouldReadIpv6()
    {
        final IpAddress address = IpAddress.parse("fe80::1");

        assertEquals(new KernelAddress(3, address, 64),
            addresses.decode(message(AddressLayout.RTM_NEWADDR, Samples.IPV6_ADDRESS)));
        assertTrue(addresses.isUsable());
        assertEquals(new KernelNeighbor(3, address, 0x0200_0000_0022L, KernelNeighbor.State.PERMANENT),
            neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, Samples.IPV6_NEIGHBOR)));
    }

    @Test
    void shouldTakeTheLocalEndOfAPointToPointIpv6Address()
    {
        assertEquals(new KernelAddress(3, IpAddress.parse("2001:db8::1"), 128),
            addresses.decode(message(AddressLayout.RTM_NEWADDR, Samples.IPV6_ADDRESS_WITH_PEER)));
    }

    @Test
    void shouldNotUseATentativeAddress()
    {
        // IFA_F_TENTATIVE 0x40, IFA_F_DADFAILED 0x08, IFA_F_OPTIMISTIC 0x04, IFA_F_PERMANENT 0x80 (linux/if_addr.h).
        assertFalse(isUsable("c0", ""));
        assertFalse(isUsable("c8", ""));
        assertTrue(isUsable("c4", ""));
        assertTrue(isUsable("80", ""));
        assertFalse(isUsable("80", "0800 0800 c0020000"));
        assertTrue(isUsable("c0", "0800 0800 80020000"));
    }

    @Test
    void shouldTellWhetherAnAddressEndsWhenTheInterfaceIsDown()
    {
        addresses.decode(message(AddressLayout.RTM_NEWADDR, Samples.IPV6_ADDRESS));
        assertTrue(addresses.endsWhenDown());
        addresses.decode(message(AddressLayout.RTM_NEWADDR, Samples.IPV6_ADDRESS + "0800 0800 82000000"));
        assertFalse(addresses.endsWhenDown(), "IFA_F_NODAD");
        addresses.decode(message(AddressLayout.RTM_NEWADDR, Samples.ADDRESS));
        assertFalse(addresses.endsWhenDown());
    }

    @Test
    void shouldRefuseAnAddressOfAnotherFamilyThanTheMessage()
    {
        assertNull(addresses.decode(message(AddressLayout.RTM_NEWADDR, "0a" + Samples.ADDRESS.substring(2))));
        assertNull(addresses.decode(message(AddressLayout.RTM_NEWADDR,
            "02 20" + Samples.IPV6_ADDRESS.substring(5))));
        assertNull(addresses.decode(message(AddressLayout.RTM_NEWADDR,
            "0a 81" + Samples.IPV6_ADDRESS.substring(5))));
        assertNull(addresses.decode(message(AddressLayout.RTM_NEWADDR,
            "02 21" + Samples.ADDRESS.substring(5))));
        assertNull(neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, "0a" + Samples.NEIGHBOR.substring(2))));
        assertNull(neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, "02" + Samples.IPV6_NEIGHBOR.substring(2))));
    }

    private boolean isUsable(final String flags, final String attribute)
    {
        final String sample = Samples.IPV6_ADDRESS.replace("0a 40 80", "0a 40 " + flags) + attribute;
        addresses.decode(message(AddressLayout.RTM_NEWADDR, sample));
        return addresses.isUsable();
    }

    @Test
    void shouldReadANeighborInEachState()
    {
        assertEquals(new KernelNeighbor(3, IpAddress.of(0x0A000002), 0x0200_0000_0022L, KernelNeighbor.State.PERMANENT),
            neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, Samples.NEIGHBOR)));
        assertTrue(neighbors.isKnown());
        assertEquals(new KernelNeighbor(3, IpAddress.of(0x0A000002), 0, KernelNeighbor.State.FAILED),
            neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, Samples.FAILED_NEIGHBOR)));
        assertEquals(new KernelNeighbor(3, IpAddress.of(0x0A000002), 0, KernelNeighbor.State.RESOLVING),
            neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, Samples.INCOMPLETE_NEIGHBOR)));
        for (final String found : new String[]{ "0200", "0400", "0800", "1000" })
        {
            assertEquals(KernelNeighbor.State.USABLE, stateOf(found));
        }
        for (final String given : new String[]{ "4000", "8000" })
        {
            assertEquals(KernelNeighbor.State.PERMANENT, stateOf(given));
        }
    }

    private KernelNeighbor.State stateOf(final String stateBytes)
    {
        final String sample = Samples.NEIGHBOR.replace("8000 00 01", stateBytes + " 00 01");
        return neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, sample)).state();
    }

    @Test
    void shouldNotKnowANeighborWithoutState()
    {
        neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, Samples.NEIGHBOR_WITHOUT_STATE));

        assertFalse(neighbors.isKnown());
    }

    @Test
    void shouldPassOverMulticastGroups()
    {
        assertNull(neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, Samples.MULTICAST_NEIGHBOR)));
        assertNull(neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, Samples.IPV6_MULTICAST_NEIGHBOR)));
    }

    @Test
    void shouldPassOverProxiedNeighbors()
    {
        assertNull(neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, Samples.PROXIED_NEIGHBOR)));
    }

    private long routingState(final String sample)
    {
        links.decode(message(LinkLayout.RTM_NEWLINK, sample));
        return links.routingState();
    }

    private static NetlinkMessageFlyweight message(final int type, final String payload)
    {
        return HexMessage.message(type, 0, payload);
    }
}
