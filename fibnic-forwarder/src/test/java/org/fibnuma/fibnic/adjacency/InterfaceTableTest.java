package org.fibnuma.fibnic.adjacency;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.RouteOptions;
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

    /** As the kernel: of the interface, else of any other, those for one link alone left out. */
    @Test
    void shouldPreferTheInterfacesOwnAddress()
    {
        final InterfaceTable table = new InterfaceTable(3);
        assertEquals(RouterInterface.NO_ADDRESS, table.sourceFor(0, 7, RouteOptions.SCOPE_LINK));
        table.sources(new SourceAddresses(List.of(
            scoped("127.0.0.1", RouteOptions.SCOPE_HOST), scoped("169.254.0.1", RouteOptions.SCOPE_LINK),
            scoped("10.255.0.1", RouteOptions.SCOPE_UNIVERSE)), index -> index));
        assertEquals(Ipv4Address.parse("10.255.0.1"), table.sourceFor(0, 7, RouteOptions.SCOPE_LINK));
        assertEquals(Ipv4Address.parse("10.255.0.1"), table.sourceFor(0, 7, RouteOptions.SCOPE_UNIVERSE));
        assertEquals(Ipv4Address.parse("127.0.0.1"), table.sourceFor(0, 7, RouteOptions.SCOPE_HOST));
        table.set(0, new RouterInterface(MAC, 1500, List.of(11)));
        assertEquals(11, table.sourceFor(0, 7, RouteOptions.SCOPE_LINK));
    }

    @Test
    void shouldPreferTheSourceOfTheRoute()
    {
        final InterfaceTable table = new InterfaceTable(List.of(RouterInterface.of(MAC, 1500, List.of(
            address("10.0.1.1", 24), address("10.0.2.1", 24)), false)));
        final Adjacency gateway = Adjacency.unresolved(0, IpAddress.parse("10.0.2.9"), 1500);
        final IpAddress source = IpAddress.parse("192.0.2.7");

        assertEquals(Ipv4Address.parse("10.0.2.1"), table.sourceBy(gateway), "on the network of the gateway");
        assertEquals(source.ipv4(), table.sourceBy(gateway.with(new RouteOptions(0, false, source, 0), 1500)));
        assertEquals(Ipv4Address.parse("10.0.1.1"), table.sourceBy(gateway.with(
            new RouteOptions(0, false, IpAddress.NONE, RouteOptions.SCOPE_LINK), 1500)), "a route without a gateway");
    }

    @Test
    void shouldNotTakeSecondaryAddressesOrSuchOfAHigherScope()
    {
        final RouterInterface own = RouterInterface.of(MAC, 1500, List.of(
            scoped("10.0.1.1", RouteOptions.SCOPE_LINK),
            new KernelAddress(3, IpAddress.parse("10.0.2.1"), 24, RouteOptions.SCOPE_UNIVERSE, true, false),
            address("10.0.3.1", 24)), false);
        assertEquals(
            Ipv4Address.parse("10.0.3.1"),
            own.sourceFor(Ipv4Address.parse("10.0.2.2"), RouteOptions.SCOPE_UNIVERSE));
        assertEquals(Ipv4Address.parse("10.0.1.1"), own.sourceFor(0, RouteOptions.SCOPE_LINK));
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
        assertEquals(first, own.sourceFor(Ipv4Address.parse("10.0.1.77"), 0));
        assertEquals(second, own.sourceFor(Ipv4Address.parse("10.0.2.1"), 0));
        assertEquals(first, own.sourceFor(Ipv4Address.parse("192.0.2.1"), 0), "the primary one");
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

    /**
     * The right values are those of a kernel 6.18 with the same addresses, by {@code ip -6 route get DESTINATION oif}.
     */
    @Test
    void shouldSelectTheIpv6SourceByTheRulesOfRfc6724()
    {
        final SourceAddresses sources = new SourceAddresses(List.of(
            new KernelAddress(1, IpAddress.parse("::1"), 128),
            new KernelAddress(2, IpAddress.parse("2001:db8:2::1"), 64),
            new KernelAddress(2, IpAddress.parse("fd00:2::1"), 64),
            new KernelAddress(2, IpAddress.parse("fe80::2"), 64),
            new KernelAddress(3, IpAddress.parse("2001:db8:3::dead"), 64, 0, false, true),
            new KernelAddress(3, IpAddress.parse("2001:db8:3::1"), 64),
            new KernelAddress(3, IpAddress.parse("2001:db8:30::1"), 64),
            new KernelAddress(3, IpAddress.parse("fe80::3"), 64),
            new KernelAddress(4, IpAddress.parse("fe80::4"), 64)), index -> index);
        assertEquals("2001:db8:3::1", source(sources, 3, "2001:db8:3::9"), "not the deprecated one");
        assertEquals("2001:db8:30::1", source(sources, 3, "2001:db8:30:1::9"), "the longest common prefix");
        assertEquals("2001:db8:3::1", source(sources, 3, "2001:db8:2::9"), "the outgoing interface first");
        assertEquals("2001:db8:3::1", source(sources, 3, "fd00:2::9"), "the outgoing interface before the label");
        assertEquals("fd00:2::1", source(sources, 4, "fd00:2::9"), "the label");
        assertEquals("2001:db8:2::1", source(sources, 4, "2001:db8:2::9"), "a global one of another interface");
        assertEquals("fe80::4", source(sources, 4, "fe80::9"));
        assertEquals("::", source(sources, 5, "fe80::9"));
        final SourceAddresses unnumbered = new SourceAddresses(List.of(
            new KernelAddress(1, IpAddress.parse("::1"), 128),
            new KernelAddress(4, IpAddress.parse("fe80::4"), 64)), index -> index);
        assertEquals("fe80::4", source(unnumbered, 4, "2001:db8:2::9"));
        assertEquals(
            "::1", source(new SourceAddresses(
                List.of(new KernelAddress(1, IpAddress.parse("::1"), 128)), index -> index), 4, "2001:db8:2::9"));
    }

    private static String source(final SourceAddresses sources, final int number, final String text)
    {
        final IpAddress destination = IpAddress.parse(text);
        return sources.ipv6(number, destination.high(), destination.low()).toString();
    }

    private static KernelAddress scoped(final String text, final int scope)
    {
        return new KernelAddress(3, IpAddress.parse(text), 24, scope, false, false);
    }

    private static KernelAddress address(final String text, final int prefixLength)
    {
        return new KernelAddress(3, IpAddress.parse(text), prefixLength);
    }
}
