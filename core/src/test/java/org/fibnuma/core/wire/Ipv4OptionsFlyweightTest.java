package org.fibnuma.core.wire;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** RFC 791 section 3.1. */
class Ipv4OptionsFlyweightTest
{
    private static final int FIRST = 20;

    /** A header with these options, read. */
    private static Ipv4OptionsFlyweight read(final MemoryRegion region, final byte[] options)
    {
        final byte[] header = Arrays.copyOf(new byte[]{(byte)(0x45 + options.length / 4)}, FIRST + options.length);
        System.arraycopy(options, 0, header, FIRST, options.length);
        FrameMemory.putBytes(region.address(), header);
        return new Ipv4OptionsFlyweight().wrap(region.address());
    }

    private static int octetInError(final String options)
    {
        try (MemoryRegion region = MemoryRegion.ofChunks(1, 2048))
        {
            return read(region, HexFormat.of().parseHex(options.replace(" ", ""))).octetInError();
        }
    }

    @Test
    void shouldFindTheOptionsThatARouterReads()
    {
        try (MemoryRegion region = MemoryRegion.ofChunks(1, 2048))
        {
            final Ipv4OptionsFlyweight options = read(region, HexFormat.of().parseHex(
                "01" + "070b08c000020100000000" + "94040000" + "44080900" + "00000001" + "83070400000000" + "00"));
            assertEquals(Ipv4OptionsFlyweight.NONE, options.octetInError());
            assertEquals(21, options.recordRoute());
            assertTrue(options.hasRoom(21));
            assertEquals(28, options.slot(21));
            assertEquals(36, options.timestamp());
            assertFalse(options.hasRoom(36));
            assertEquals(44, options.sourceRoute());
        }
    }

    @Test
    void shouldForgetWhatTheHeaderBeforeHad()
    {
        try (MemoryRegion region = MemoryRegion.ofChunks(1, 2048))
        {
            final Ipv4OptionsFlyweight options = read(region, HexFormat.of().parseHex("0703040044040500"));
            FrameMemory.putByte(region.address(), 0x45);
            options.wrap(region.address());
            assertEquals(Ipv4OptionsFlyweight.NONE, options.recordRoute());
            assertEquals(Ipv4OptionsFlyweight.NONE, options.timestamp());
        }
    }

    @Test
    void shouldReadNothingBehindTheEndOfTheList()
    {
        assertEquals(Ipv4OptionsFlyweight.NONE, octetInError("01 00 07 01"));
        assertEquals(Ipv4OptionsFlyweight.NONE, octetInError("00 ffffff 07070100"));
    }

    @Test
    void shouldNameTheLengthThatIsWrong()
    {
        assertEquals(21, octetInError("07000000"));
        assertEquals(21, octetInError("9e050000"));
        assertEquals(23, octetInError("0101 9e 03"));
        assertEquals(23, octetInError("010101 9e"), "the type, behind which there is no length");
    }

    /** For any options, the octet in error is one of them, and every slot lies inside the header. */
    @Property(tries = 5_000)
    void shouldStayInsideTheHeader(
        @ForAll final long seed, @ForAll @IntRange(min = 1, max = 10) final int words)
    {
        final Random random = new Random(seed);
        final byte[] bytes = new byte[4 * words];
        final int[] likely = {0, 1, 3, 4, 5, 7, 8, 11, 12, 68, 131, 137, 0xF1};
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)(random.nextInt(4) == 0 ? random.nextInt() : likely[random.nextInt(likely.length)]);
        }
        try (MemoryRegion region = MemoryRegion.ofChunks(1, 2048))
        {
            final Ipv4OptionsFlyweight options = read(region, bytes);
            final int end = FIRST + bytes.length;
            final int fault = options.octetInError();
            assertTrue(fault == Ipv4OptionsFlyweight.NONE || fault >= FIRST && fault < end, "octet in error");
            if (fault == Ipv4OptionsFlyweight.NONE && options.recordRoute() != Ipv4OptionsFlyweight.NONE)
            {
                assertSlotInside(options, options.recordRoute(), 3, 4, end);
            }
            if (fault == Ipv4OptionsFlyweight.NONE && options.timestamp() != Ipv4OptionsFlyweight.NONE)
            {
                final int flag = bytes[options.timestamp() + 3 - FIRST] & 0xF;
                final int slotLength = flag == 0 ? 4 : 8;
                assertEquals(flag == 0 || flag == 1 || flag == 3 ? slotLength : 0,
                    Ipv4OptionsFlyweight.timestampSlotLength(flag));
                if (Ipv4OptionsFlyweight.timestampSlotLength(flag) > 0)
                {
                    assertSlotInside(options, options.timestamp(), 4, slotLength, end);
                }
            }
        }
    }

    private static void assertSlotInside(
        final Ipv4OptionsFlyweight options, final int option, final int firstSlot, final int length, final int end)
    {
        assertTrue(option >= FIRST && option < end);
        if (options.hasRoom(option))
        {
            assertTrue(options.slot(option) >= option + firstSlot && options.slot(option) + length <= end);
        }
    }
}
