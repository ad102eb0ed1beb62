package org.fibnuma.core.wire;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class Ipv6PrefixTest
{
    @ParameterizedTest
    @ValueSource(strings = {
        "::/0", "8000::/1", "2001:db8::/32", "2001:db8:0:1::/64", "2001:db8:0:1:8000::/65", "fe80::/10", "::/128",
        "::1/128", "2001:db8::2/127"})
    void shouldWriteThePrefixItRead(final String text)
    {
        assertEquals(text, Ipv6Prefix.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "::/", "::/129", "::/-1", "::/0064", "::/8/", "/8", "2001:db8::/31x", "2001:db8::/28", "::1/127", "10.0.0.0/8"})
    void shouldRefuseWhatIsNoPrefix(final String text)
    {
        assertThrows(IllegalArgumentException.class, () -> Ipv6Prefix.parse(text));
    }

    @Test
    void shouldSayWhatIsWrongWithAPrefix()
    {
        assertEquals("2001:db8::1/64 has bits set below its length", message("2001:db8::1/64"));
        assertEquals("prefix length 129 is not in 0 to 128", message("::/129"));
        assertEquals("not an IPv6 prefix: \"::/x\"", message("::/x"));
        assertEquals("not an IPv6 address: \"x\"", message("x/64"));
    }

    @Test
    void shouldTakeAnAddressForAHostRoute()
    {
        assertEquals(new Ipv6Prefix(0x2001_0DB8_0000_0000L, 1, 128), Ipv6Prefix.parse("2001:db8::1"));
    }

    @Test
    void shouldContainItsFirstAndLastAddressAndNotTheirNeighbours()
    {
        assertContains("2001:db8:ffff::/48", "2001:db8:ffff::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:db8:fffe:ffff:ffff:ffff:ffff:ffff", "2001:db9::");
        assertContains("2001:db8::/64", "2001:db8::", "2001:db8::ffff:ffff:ffff:ffff",
            "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8:0:1::");
        assertContains("2001:db8::fffe/127", "2001:db8::fffe", "2001:db8::ffff", "2001:db8::fffd", "2001:db8::1:0");
        assertTrue(contains(Ipv6Prefix.parse("::/0"), "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));
    }

    @Test
    void shouldMaskTheAddressOfAPrefix()
    {
        final Ipv6Address address = Ipv6Address.parse("2001:db8:1:2:3:4:5:6");

        assertEquals("2001:db8:1::/48", Ipv6Prefix.of(address.high(), address.low(), 48).toString());
        assertEquals("2001:db8:1:2:3::/80", Ipv6Prefix.of(address.high(), address.low(), 80).toString());
        assertEquals("::/0", Ipv6Prefix.of(address.high(), address.low(), 0).toString());
    }

    private static void assertContains(
        final String text, final String first, final String last, final String before, final String after)
    {
        final Ipv6Prefix prefix = Ipv6Prefix.parse(text);
        assertTrue(contains(prefix, first));
        assertTrue(contains(prefix, last));
        assertFalse(contains(prefix, before));
        assertFalse(contains(prefix, after));
    }

    private static boolean contains(final Ipv6Prefix prefix, final String text)
    {
        final Ipv6Address address = Ipv6Address.parse(text);
        return prefix.contains(address.high(), address.low());
    }

    private static String message(final String text)
    {
        return assertThrows(IllegalArgumentException.class, () -> Ipv6Prefix.parse(text)).getMessage();
    }
}
