package org.fibnuma.core.wire;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class Ipv4PrefixTest
{
    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "1.2.3.4", "127.255.255.255", "128.0.0.0", "255.255.255.255", "10.0.0.99"})
    void shouldWriteTheAddressItRead(final String text)
    {
        assertEquals(text, Ipv4Address.format(Ipv4Address.parse(text)));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", ".", "1.2.3", "1.2.3.", ".1.2.3", "1..2.3", "1.2.3.4.", "1.2.3.4.5", "256.0.0.1", "1.2.3.1000", "-1.2.3.4",
        "1.2.3.x", "1.2.3.4 ", "0x1.2.3.4", "::1"})
    void shouldRefuseWhatIsNoAddress(final String text)
    {
        assertThrows(IllegalArgumentException.class, () -> Ipv4Address.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0/0", "128.0.0.0/1", "10.0.0.0/8", "192.0.2.0/24", "255.255.255.255/32"})
    void shouldWriteThePrefixItRead(final String text)
    {
        assertEquals(text, Ipv4Prefix.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0/", "0.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/008", "0.0.0.0/8/", "/8", "10.1.0.0/8"})
    void shouldRefuseWhatIsNoPrefix(final String text)
    {
        assertThrows(IllegalArgumentException.class, () -> Ipv4Prefix.parse(text));
    }

    @Test
    void shouldTakeAnAddressForAHostRoute()
    {
        assertEquals(new Ipv4Prefix(0xC0000201, 32), Ipv4Prefix.parse("192.0.2.1"));
    }

    @Test
    void shouldContainItsFirstAndLastAddressAndNotTheirNeighbours()
    {
        final Ipv4Prefix prefix = Ipv4Prefix.parse("127.255.255.0/24");

        assertTrue(prefix.contains(prefix.address()));
        assertTrue(prefix.contains(prefix.last()));
        assertFalse(prefix.contains(prefix.address() - 1));
        assertFalse(prefix.contains(prefix.last() + 1));
    }
}
