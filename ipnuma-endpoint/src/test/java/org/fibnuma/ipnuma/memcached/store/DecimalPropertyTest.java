package org.fibnuma.ipnuma.memcached.store;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Numbers against those of the JDK, and the rules of C's strtoull and strtol by example. */
class DecimalPropertyTest
{
    private final Decimal decimal = new Decimal();

    @Property
    void shouldWriteAndReadUnsignedNumbers(@ForAll final long number)
    {
        final byte[] digits = new byte[Decimal.MAX_DIGITS];
        final int length = Decimal.format(number, digits);
        assertEquals(Long.toUnsignedString(number), new String(digits, 0, length, StandardCharsets.US_ASCII));
        assertTrue(decimal.readUnsigned(ByteBuffer.wrap(digits, 0, length)));
        assertEquals(number, decimal.value());
    }

    @Property
    void shouldReadSignedNumbers(@ForAll final long number)
    {
        final byte[] text = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
        assertTrue(decimal.readSigned(text, 0, text.length));
        assertEquals(number, decimal.value());
        assertEquals((int)number, decimal.intValue());
    }

    @Property
    void shouldNeverFailOnBytes(@ForAll final byte[] bytes)
    {
        decimal.readUnsigned(bytes, 0, bytes.length);
        decimal.readSigned(bytes, 0, bytes.length);
        decimal.readUnsigned(ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length)));
    }

    @Example
    void shouldFollowTheRulesOfC()
    {
        assertTrue(isUnsigned("18446744073709551615"));
        assertFalse(isUnsigned("18446744073709551616"));
        assertFalse(isUnsigned("99999999999999999999"));
        assertFalse(isUnsigned("-1"));
        assertTrue(isUnsigned("-0"));
        assertTrue(isUnsigned(" +7"));
        assertTrue(isUnsigned("5 x"));
        assertTrue(isUnsigned("5\0x"));
        assertFalse(isUnsigned("5x"));
        assertFalse(isUnsigned(""));
        assertFalse(isUnsigned(" "));
        assertFalse(isUnsigned("+-5"));
        assertFalse(isUnsigned("- 5"));
    }

    private boolean isUnsigned(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return decimal.readUnsigned(bytes, 0, bytes.length);
    }
}
