package org.fibnuma.core.wire;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class IpPrefixTest
{
    @Test
    void shouldParseAndFormatBothFamilies()
    {
        for (final String text : List.of(
            "0.0.0.0/0", "192.0.2.0/24", "192.0.2.1/32", "::/0", "2001:db8::/32", "2001:db8::1/128", "fe80::/10"))
        {
            assertEquals(text, IpPrefix.parse(text).toString());
        }
        assertEquals(24, IpPrefix.parse("192.0.2.0/24").length());
        assertEquals(32, IpPrefix.parse("2001:db8::/32").length());
        assertEquals(0xC000_0200, IpPrefix.parse("192.0.2.0/24").ipv4());
        assertThrows(IllegalArgumentException.class, () -> IpPrefix.parse("192.0.2.1/24"));
        assertThrows(IllegalArgumentException.class, () -> IpPrefix.parse("2001:db8::1/32"));
    }

    @Test
    void shouldMaskAnAddress()
    {
        assertEquals(IpPrefix.parse("10.1.0.0/16"), IpPrefix.of(IpAddress.parse("10.1.2.3"), 16));
        assertEquals(IpPrefix.parse("2001:db8:1::/48"), IpPrefix.of(IpAddress.parse("2001:db8:1:2::3"), 48));
        assertEquals(IpPrefix.parse("10.1.2.3/32"), IpPrefix.host(IpAddress.parse("10.1.2.3")));
        assertEquals(IpPrefix.parse("2001:db8::1/128"), IpPrefix.host(IpAddress.parse("2001:db8::1")));
        assertTrue(IpPrefix.parse("10.1.2.3/32").isHost());
        assertFalse(IpPrefix.parse("2001:db8::/32").isHost());
    }

    @Test
    void shouldKnowItsAddresses()
    {
        assertEquals(IpAddress.parse("192.0.2.0"), IpPrefix.parse("192.0.2.0/24").first());
        assertEquals(IpAddress.parse("192.0.2.255"), IpPrefix.parse("192.0.2.0/24").last());
        assertEquals(IpAddress.parse("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
            IpPrefix.parse("2001:db8::/32").last());
        assertTrue(IpPrefix.parse("2001:db8::/32").contains(IpAddress.parse("2001:db8:ffff::")));
        assertFalse(IpPrefix.parse("2001:db8::/32").contains(IpAddress.parse("2001:db9::")));
        assertTrue(IpPrefix.parse("0.0.0.0/0").contains(IpAddress.parse("255.255.255.255")));
    }

    @Test
    void shouldKeepTheFamiliesApart()
    {
        final IpPrefix allIpv4 = IpPrefix.parse("0.0.0.0/0");
        final IpPrefix mapped = IpPrefix.of(0, 0xFFFF_0000_0000L, 96);

        assertFalse(IpPrefix.parse("::/0").contains(IpAddress.parse("10.0.0.1")));
        assertFalse(IpPrefix.parse("::/0").covers(allIpv4));
        assertFalse(allIpv4.contains(IpAddress.parse("::1")));
        assertFalse(allIpv4.equals(mapped));
        assertTrue(IpPrefix.parse("::/0").covers(mapped));
        assertTrue(IpPrefix.parse("10.0.0.0/8").covers(IpPrefix.parse("10.0.0.0/8")));
        assertFalse(IpPrefix.parse("10.0.0.0/9").covers(IpPrefix.parse("10.0.0.0/8")));
    }

    @Test
    void shouldSortByFamilyAddressAndLength()
    {
        final List<String> sorted = List.of(
            "0.0.0.0/0", "10.0.0.0/8", "10.0.0.0/16", "192.0.2.0/24", "::/0", "::/64", "2001:db8::/32", "fe80::/10");
        final TreeSet<IpPrefix> prefixes = new TreeSet<>();
        sorted.stream().sorted().map(IpPrefix::parse).forEach(prefixes::add);
        assertEquals(sorted, prefixes.stream().map(IpPrefix::toString).toList());
    }
}
