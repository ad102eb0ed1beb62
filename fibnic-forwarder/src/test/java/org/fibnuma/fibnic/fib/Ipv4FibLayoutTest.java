package org.fibnuma.fibnic.fib;

import org.fibnuma.core.wire.Ipv4Address;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class Ipv4FibLayoutTest
{
    /** Byte index is the top 22 bits, shift twice the last two bits of the /24: FIBNIC's table. */
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 0, 0",
        "0.0.0.255, 0, 0",
        "0.0.1.0, 0, 2",
        "0.0.2.0, 0, 4",
        "0.0.3.255, 0, 6",
        "0.0.4.0, 1, 0",
        "127.255.255.255, 2097151, 6",
        "128.0.0.0, 2097152, 0",
        "192.0.2.1, 3145728, 4",
        "255.255.252.0, 4194303, 0",
        "255.255.255.255, 4194303, 6"})
    void shouldPackFourCodesOfTwoBitsInAByte(final String destination, final int byteIndex, final int shift)
    {
        final int address = Ipv4Address.parse(destination);

        assertEquals(byteIndex, Ipv4FibLayout.byteIndex2(address));
        assertEquals(shift, Ipv4FibLayout.shift2(address));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "0.0.0.0", "0.0.0.255", "0.0.1.0", "0.0.2.0", "0.0.3.255", "0.0.4.0", "127.255.255.255", "128.0.0.0",
        "255.255.252.0", "255.255.254.255", "255.255.255.255"})
    void shouldReadWhereItWrites(final String destination)
    {
        final int address = Ipv4Address.parse(destination);
        final int slot = Ipv4FibLayout.slot(address);

        assertEquals(Ipv4FibLayout.byteIndex(slot, 2), Ipv4FibLayout.byteIndex2(address));
        assertEquals(Ipv4FibLayout.shift(slot, 2), Ipv4FibLayout.shift2(address));
        assertEquals(Ipv4FibLayout.byteIndex(slot, 4), Ipv4FibLayout.byteIndex4(address));
        assertEquals(Ipv4FibLayout.shift(slot, 4), Ipv4FibLayout.shift4(address));
        assertEquals(Ipv4FibLayout.byteIndex(slot, 8), Ipv4FibLayout.byteIndex8(address));
        assertEquals(0, Ipv4FibLayout.shift(slot, 8));
        assertEquals(Ipv4FibLayout.byteIndex(slot, 16), Ipv4FibLayout.byteIndex16(address));
        assertEquals(0, Ipv4FibLayout.shift(slot, 16));
        assertEquals(address, Ipv4FibLayout.addressOfSlot(slot) | Ipv4FibLayout.cell(address));
    }

    @ParameterizedTest
    @CsvSource({"2, 4", "4, 8", "8, 16", "16, 32"})
    void shouldTakeTheMebibytesOfThePaper(final int codeBits, final int mebibytes)
    {
        assertEquals(mebibytes << 20, Ipv4FibLayout.tableBytes(codeBits));
        assertEquals(
            Ipv4FibLayout.tableBytes(codeBits) - Math.max(1, codeBits / 8),
            Ipv4FibLayout.byteIndex(Ipv4FibLayout.SLOT_COUNT - 1, codeBits));
    }

    @Test
    void shouldRepeatACodeOverEightBytes()
    {
        assertEquals(0xAAAA_AAAA_AAAA_AAAAL, Ipv4FibLayout.repeat(2, 2));
        assertEquals(0xFFFF_FFFF_FFFF_FFFFL, Ipv4FibLayout.repeat(3, 2));
        assertEquals(0x7777_7777_7777_7777L, Ipv4FibLayout.repeat(7, 4));
        assertEquals(0xFEFE_FEFE_FEFE_FEFEL, Ipv4FibLayout.repeat(0xFE, 8));
        assertEquals(0x8001_8001_8001_8001L, Ipv4FibLayout.repeat(0x8001, 16));
        assertEquals(0, Ipv4FibLayout.repeat(0, 16));
    }
}
