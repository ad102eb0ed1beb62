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
                assertNotEquals(0, RouterInterface.macFault(FrameMemory.getLong(memory.address()), ours));
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
}
