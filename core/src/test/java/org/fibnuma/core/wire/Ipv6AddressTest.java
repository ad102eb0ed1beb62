package org.fibnuma.core.wire;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class Ipv6AddressTest
{
    private static final int RANDOM_ADDRESSES = 20_000;

    /** The examples of RFC 4291 section 2.2 and RFC 5952 sections 1 to 5, with the form that RFC 5952 recommends. */
    @ParameterizedTest
    @CsvSource({
        "ABCD:EF01:2345:6789:ABCD:EF01:2345:6789, abcd:ef01:2345:6789:abcd:ef01:2345:6789",
        "2001:DB8:0:0:8:800:200C:417A, 2001:db8::8:800:200c:417a",
        "FF01:0:0:0:0:0:0:101, ff01::101",
        "0:0:0:0:0:0:0:1, ::1",
        "0:0:0:0:0:0:0:0, ::",
        "0:0:0:0:0:FFFF:129.144.52.38, ::ffff:129.144.52.38",
        "0:0:0:0:0:0:13.1.68.3, ::d01:4403",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:0db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8::0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:DB8:0:0:1::1, 2001:db8::1:0:0:1",
        "2001:db8:aaaa:bbbb:cccc:dddd:eeee:0001, 2001:db8:aaaa:bbbb:cccc:dddd:eeee:1",
        "2001:db8:aaaa:bbbb:cccc:dddd::1, 2001:db8:aaaa:bbbb:cccc:dddd:0:1",
        "2001:db8::1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "0:0:1:0:0:0:0:0, 0:0:1::",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:1.2.3.4, 1:2:3:4:5:6:102:304",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
        "::fffe:1.2.3.4, ::fffe:102:304"})
    void shouldFormatAsRfc5952(final String text, final String recommended) throws UnknownHostException
    {
        final Ipv6Address address = Ipv6Address.parse(text);

        assertEquals(recommended, address.toString());
        assertEquals(javaParse(text), address);
        assertEquals(address, Ipv6Address.parse(recommended));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1::2::3",
        ":1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:", "1:2:3:4:5:6:7:", ":1::", "1:::2", "12345::", "g::", "::-1", "::+1",
        "::1 ", " ::1", "::1.2.3", "::1.2.3.4.5", "::1.2.3.256", "1.2.3.4", "1.2.3.4::", "::1.2.3.4:5",
        "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:6:1.2.3.4::", "::1%eth0", "::1/128", "::\u0661"})
    void shouldRefuseWhatIsNoAddress(final String text)
    {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> Ipv6Address.parse(text)).getMessage();
        assertEquals("not an IPv6 address: \"" + text + "\"", message);
    }

    @Test
    void shouldParseRandomAddressesLikeJava() throws UnknownHostException
    {
        final Random random = new Random(4291);
        for (int i = 0; i < RANDOM_ADDRESSES; i++)
        {
            final Ipv6Address address = random(random);
            final String written = javaText(address);
            assertEquals(address, Ipv6Address.parse(written), written);
            assertEquals(address, javaParse(address.toString()), written);
        }
    }

    @Test
    void shouldKnowTheKindOfRandomAddressesLikeJava() throws UnknownHostException
    {
        final Random random = new Random(4007);
        final int[] firstGroups = {0, 0xFE7F, 0xFE80, 0xFEBF, 0xFEC0, 0xFEFF, 0xFF00, 0xFF02, 0xFFFF, 0x2001};
        for (int i = 0; i < RANDOM_ADDRESSES; i++)
        {
            final Ipv6Address any = random(random);
            final Ipv6Address address = new Ipv6Address(
                any.high() & -1L >>> Short.SIZE | (long)firstGroups[i % firstGroups.length] << 48, any.low());
            final InetAddress java = InetAddress.getByAddress(bytes(address));
            assertEquals(java.getAddress().length == 4, address.isIpv4Mapped(), address::toString);
            if (!address.isIpv4Mapped())
            {
                assertEquals(java.isAnyLocalAddress(), address.isUnspecified(), address::toString);
                assertEquals(java.isLoopbackAddress(), address.isLoopback(), address::toString);
                assertEquals(java.isMulticastAddress(), address.isMulticast(), address::toString);
                assertEquals(java.isLinkLocalAddress(), address.isLinkLocal(), address::toString);
            }
        }
    }

    @Test
    void shouldKnowTheFewAddressesThatAreTheirOwnKind()
    {
        assertTrue(Ipv6Address.parse("::").isUnspecified());
        assertTrue(Ipv6Address.parse("::1").isLoopback());
        assertTrue(Ipv6Address.parse("::ffff:0.0.0.0").isIpv4Mapped());
        assertEquals(false, Ipv6Address.parse("::2").isLoopback());
        assertEquals(false, Ipv6Address.parse("1::1").isLoopback());
        assertEquals(false, Ipv6Address.parse("1::ffff:0.0.0.0").isIpv4Mapped());
        assertEquals(false, Ipv6Address.parse("::1:ffff:0.0.0.0").isIpv4Mapped());
    }

    @Test
    void shouldMaskEveryPrefixLength()
    {
        final BigInteger all = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);
        for (int length = 0; length <= 128; length++)
        {
            final BigInteger mask = all.shiftLeft(128 - length).and(all);
            assertEquals(mask.shiftRight(64).longValue(), Ipv6Address.maskHigh(length), "length " + length);
            assertEquals(mask.longValue(), Ipv6Address.maskLow(length), "length " + length);
        }
    }

    /** Groups of zeros are frequent, as in real addresses. */
    private static Ipv6Address random(final Random random)
    {
        long high = random.nextLong();
        long low = random.nextLong();
        final int zeros = random.nextInt(256);
        for (int i = 0; i < 4; i++)
        {
            final long group = 0xFFFFL << 16 * i;
            high = (zeros >>> i & 1) == 0 ? high : high & ~group;
            low = (zeros >>> i + 4 & 1) == 0 ? low : low & ~group;
        }
        return random.nextInt(16) == 0 ?
            new Ipv6Address(0, 0xFFFF_0000_0000L | low & 0xFFFF_FFFFL) : new Ipv6Address(high, low);
    }

    private static byte[] bytes(final Ipv6Address address)
    {
        return ByteBuffer.allocate(16).putLong(address.high()).putLong(address.low()).array();
    }

    private static Ipv6Address javaParse(final String text) throws UnknownHostException
    {
        final byte[] bytes = InetAddress.getByName(text).getAddress();
        // Java turns an IPv4-mapped address into an IPv4 address.
        final ByteBuffer buffer = bytes.length == 16 ? ByteBuffer.wrap(bytes) :
            ByteBuffer.allocate(16).putShort(10, (short)-1).position(12).put(bytes).rewind();
        return new Ipv6Address(buffer.getLong(), buffer.getLong());
    }

    /** Eight groups without compression, as Inet6Address writes them. */
    private static String javaText(final Ipv6Address address) throws UnknownHostException
    {
        final InetAddress java = InetAddress.getByAddress(bytes(address));
        return java.getAddress().length == 4 ? "0:0:0:0:0:ffff:" + java.getHostAddress() : java.getHostAddress();
    }
}
