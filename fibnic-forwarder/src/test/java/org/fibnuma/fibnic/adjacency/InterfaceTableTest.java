package org.fibnuma.fibnic.adjacency;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class InterfaceTableTest
{
    private static final long MAC = 0x0203_0405_0607L;

    @Test
    void shouldTellFramesToItFromFramesToOthers()
    {
        try (MemoryRegion memory = MemoryRegion.ofBytes(64))
        {
            final long ours = new RouterInterface(MAC, 1500, List.of()).macWord();
            MacAddress.write(memory.address(), MAC);
            for (int behind = 0; behind <= 0xFFFF; behind += 0x1111)
            {
                FrameMemory.putShort(memory.address() + MacAddress.LENGTH, behind);
                assertEquals(0, RouterInterface.macFault(FrameMemory.getLong(memory.address()), ours));
            }
            for (int bit = 0; bit < 48; bit++)
            {
                MacAddress.write(memory.address(), MAC ^ 1L << bit);
                final long fault = RouterInterface.macFault(FrameMemory.getLong(memory.address()), ours);
                assertNotEquals(0, fault);
                assertEquals(0, fault & 0xFFFF);
            }
        }
    }

    @Test
    void shouldPreferTheInterfacesOwnAddress()
    {
        final InterfaceTable table = new InterfaceTable(3);
        assertEquals(RouterInterface.NO_ADDRESS, table.addressFor(0, 7));
        table.set(2, new RouterInterface(MAC, 1500, List.of(33, 44)));
        assertEquals(33, table.addressFor(0, 7));
        table.set(0, new RouterInterface(MAC, 1500, List.of(11)));
        assertEquals(11, table.addressFor(0, 7));
        assertEquals(11, table.addressFor(1, 7));
        assertEquals(33, table.addressFor(2, 7));
    }

    @Test
    void shouldRefuseALinkThatIpv4DoesNotAllow()
    {
        assertThrows(IllegalArgumentException.class, () -> new RouterInterface(MAC, 67, List.of()));
    }

    @Test
    void shouldChooseTheAddressByTheNeighboursNetwork()
    {
        final int first = Ipv4Address.parse("10.0.1.1");
        final int second = Ipv4Address.parse("10.0.2.0");
        final RouterInterface own = RouterInterface.of(MAC, 1500, List.of(
            new KernelAddress(3, IpAddress.of(first), 24), new KernelAddress(3, IpAddress.of(second), 31)), true);
        assertEquals(List.of(first, second), own.addresses());
        assertEquals(first, own.addressTowards(Ipv4Address.parse("10.0.1.77")));
        assertEquals(second, own.addressTowards(Ipv4Address.parse("10.0.2.1")));
        assertEquals(first, own.addressTowards(Ipv4Address.parse("192.0.2.1")), "the primary one");
        assertEquals(first, own.addressBetween(
            Ipv4Address.parse("10.0.1.2"), Ipv4Address.parse("10.0.1.255")));
        assertEquals(RouterInterface.NO_ADDRESS, own.addressBetween(
            Ipv4Address.parse("10.0.1.2"), Ipv4Address.parse("10.0.2.1")));
        assertTrue(own.sendsRedirects());
    }

    /** RFC 1812 section 4.2.3.1; RFC 3021 for /31. */
    @Test
    void shouldKnowTheOldBroadcastsOfItsNetworks()
    {
        final RouterInterface own = RouterInterface.of(MAC, 1500, List.of(
            new KernelAddress(3, IpAddress.parse("10.0.1.129"), 25),
            new KernelAddress(3, IpAddress.parse("10.0.2.0"), 31),
            new KernelAddress(3, IpAddress.parse("10.0.3.1"), 32),
            new KernelAddress(3, IpAddress.parse("10.0.4.5"), 30)), false);
        for (final String old : List.of("10.0.1.128", "10.0.4.4"))
        {
            assertTrue(own.isOldBroadcast(Ipv4Address.parse(old)), old);
        }
        for (final String other : List.of("10.0.1.0", "10.0.1.129", "10.0.1.255", "10.0.2.0", "10.0.3.1", "10.0.4.0"))
        {
            assertFalse(own.isOldBroadcast(Ipv4Address.parse(other)), other);
        }
    }

    /** RFC 4443 section 2.2: the address that faces the sender; a link-local one only on its link. */
    @Test
    void shouldChooseTheIpv6AddressByTheNeighboursNetwork()
    {
        final RouterInterface own = RouterInterface.of(MAC, 1500, List.of(
            address("fe80::1", 64), address("10.0.1.1", 24), address("2001:db8:1::1", 64),
            address("2001:db8:2::4", 127)), false);
        assertEquals(List.of(Ipv4Address.parse("10.0.1.1")), own.addresses());
        assertEquals(3, own.ipv6Addresses().size());
        assertEquals("2001:db8:1::1", towards(own, "2001:db8:1::77"));
        assertEquals("2001:db8:2::4", towards(own, "2001:db8:2::5"));
        assertEquals("2001:db8:1::1", towards(own, "2001:db8:2::6"), "the first one");
        assertEquals("fe80::1", towards(own, "fe80::77"));
    }

    @Test
    void shouldTakeAnIpv6AddressOfAnotherInterfaceUnlessTheNeighbourIsLinkLocal()
    {
        final InterfaceTable table = new InterfaceTable(2);
        assertEquals(IpAddress.NONE, addressFor(table, "2001:db8:9::1"));
        table.set(1, RouterInterface.of(
            MAC, 1500, List.of(address("fe80::2", 64), address("2001:db8:2::1", 64)), false));
        assertEquals(IpAddress.parse("2001:db8:2::1"), addressFor(table, "2001:db8:9::1"));
        assertEquals(IpAddress.NONE, addressFor(table, "fe80::77"));
    }

    private static KernelAddress address(final String text, final int prefixLength)
    {
        return new KernelAddress(3, IpAddress.parse(text), prefixLength);
    }

    private static String towards(final RouterInterface own, final String text)
    {
        final IpAddress neighbor = IpAddress.parse(text);
        return own.ipv6AddressTowards(neighbor.high(), neighbor.low()).toString();
    }

    private static IpAddress addressFor(final InterfaceTable table, final String text)
    {
        final IpAddress neighbor = IpAddress.parse(text);
        return table.ipv6AddressFor(0, neighbor.high(), neighbor.low());
    }
}
