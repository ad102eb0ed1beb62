package org.fibnuma.binding.rtnetlink;

import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.junit.jupiter.api.Test;

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
    void shouldTellWhatRoutesDependOnInALink()
    {
        final String otherMaster = Samples.LINK.replace("0800 0a00 06000000", "0800 0a00 07000000");
        final String otherMtu = Samples.LINK.replace("78050000", "dc050000");

        final long state = routingState(Samples.LINK);

        assertEquals(state, routingState(otherMtu));
        assertNotEquals(state, routingState(otherMaster));
        assertNotEquals(state, routingState(Samples.LINK_WITHOUT_CARRIER));
    }

    @Test
    void shouldPassOverTheBridgesViewOfAPort()
    {
        assertNull(links.decode(message(LinkLayout.RTM_DELLINK, Samples.BRIDGE_PORT)));
    }

    @Test
    void shouldReadAnAddress()
    {
        assertEquals(new KernelAddress(3, 0x0A000001, 24),
            addresses.decode(message(AddressLayout.RTM_NEWADDR, Samples.ADDRESS)));
    }

    @Test
    void shouldTakeTheLocalEndOfAPointToPointAddress()
    {
        assertEquals(new KernelAddress(3, 0xAC100001, 32),
            addresses.decode(message(AddressLayout.RTM_NEWADDR, Samples.ADDRESS_WITH_PEER)));
    }

    @Test
    void shouldPassOverIpv6()
    {
        assertNull(addresses.decode(message(AddressLayout.RTM_NEWADDR, Samples.IPV6_ADDRESS)));
        assertNull(neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, Samples.IPV6_NEIGHBOR)));
    }

    @Test
    void shouldReadANeighborInEachState()
    {
        assertEquals(new KernelNeighbor(3, 0x0A000002, 0x0200_0000_0022L, KernelNeighbor.State.PERMANENT),
            neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, Samples.NEIGHBOR)));
        assertTrue(neighbors.isKnown());
        assertEquals(new KernelNeighbor(3, 0x0A000002, 0, KernelNeighbor.State.FAILED),
            neighbors.decode(message(NeighborLayout.RTM_NEWNEIGH, Samples.FAILED_NEIGHBOR)));
        assertEquals(new KernelNeighbor(3, 0x0A000002, 0, KernelNeighbor.State.RESOLVING),
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
