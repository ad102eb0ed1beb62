package org.fibnuma.core.wire;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class IpAddressTest
{
    @Test
    void shouldStoreIpv4AsTheMappedAddress()
    {
        final IpAddress highest = IpAddress.of(-1);

        assertEquals(new IpAddress(0, 0x0000_FFFF_FFFF_FFFFL), highest);
        assertTrue(highest.isIpv4());
        assertEquals(-1, highest.ipv4());
        assertEquals("255.255.255.255", highest.toString());
        assertEquals(IpAddress.parse("192.0.2.1"), IpAddress.parse("::ffff:192.0.2.1"));
        assertEquals(0xC000_0201, IpAddress.parse("192.0.2.1").ipv4());
        assertTrue(IpAddress.of(0).isIpv4());
        assertFalse(IpAddress.of(0).isNone());
    }

    @Test
    void shouldWriteIpv6InItsOwnForm()
    {
        final IpAddress address = IpAddress.parse("2001:DB8:0::1");

        assertEquals(new IpAddress(0x2001_0DB8_0000_0000L, 1), address);
        assertFalse(address.isIpv4());
        assertEquals("2001:db8::1", address.toString());
        assertTrue(IpAddress.NONE.isNone());
        assertFalse(IpAddress.NONE.isIpv4());
        assertEquals("::", IpAddress.NONE.toString());
        assertThrows(IllegalArgumentException.class, () -> IpAddress.parse("192.0.2"));
        assertThrows(IllegalArgumentException.class, () -> IpAddress.parse("192.0.2:1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"223.255.255.255", "224.0.0.0", "224.0.0.22", "239.255.255.255", "240.0.0.0", "10.0.0.224",
        "255.255.255.255", "feff::1", "ff00::", "ff02::16", "ffff::1", "fe80::ff02"})
    void shouldKnowMulticastGroups(final String text) throws UnknownHostException
    {
        assertEquals(InetAddress.getByName(text).isMulticastAddress(), IpAddress.parse(text).isMulticast());
    }

    @Test
    void shouldOrderByTheUnsignedNumber()
    {
        final List<String> ordered = List.of("::", "::1", "9.0.0.0", "10.0.0.0", "200.0.0.0", "255.255.255.255",
            "::1:0:0:0", "::8000:0:0:1", "7fff::", "fe80::1", "fe80::8000:0:0:1");

        assertEquals(ordered, Stream.of(ordered.get(10), ordered.get(3), ordered.get(0), ordered.get(9),
            ordered.get(5), ordered.get(2), ordered.get(8), ordered.get(1), ordered.get(7), ordered.get(4),
            ordered.get(6)).map(IpAddress::parse).sorted().map(IpAddress::toString).toList());
    }
}
