package org.fibnuma.core.wire;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;

import java.nio.ByteBuffer;
import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tags are inserted, read and removed as array copies do it. */
class VlanTagPropertyTest
{
    private static final int CHUNK = 2048;
    private static final int START = 64;
    private static final int ADDRESSES = 12;

    /**
     * One tag or two.
     *
     * @param types of the tags, outer first.
     * @param tcis  PCP, DEI and VID of each.
     */
    record Tags(int[] types, int[] tcis)
    {
        byte[] bytes()
        {
            final ByteBuffer bytes = ByteBuffer.allocate(4 * types.length);
            for (int i = 0; i < types.length; i++)
            {
                bytes.putShort((short)types[i]).putShort((short)tcis[i]);
            }
            return bytes.array();
        }

        long number()
        {
            final long first = (long)types[0] << 16 | tcis[0];
            return types.length == 1 ? first : first << 32 | (long)types[1] << 16 | tcis[1];
        }
    }

    @Provide
    Arbitrary<Tags> tags()
    {
        final Arbitrary<Integer> type = Arbitraries.of(0x8100, 0x88A8);
        final Arbitrary<Integer> tci = Arbitraries.integers().between(0, 0xFFFF);
        return Arbitraries.integers().between(1, 2).flatMap(count -> Combinators.combine(
            type.array(int[].class).ofSize(count), tci.array(int[].class).ofSize(count)).as(Tags::new));
    }

    @Property
    void shouldInsertReadAndRemove(
        @ForAll("tags") final Tags tags, @ForAll @Size(min = 46, max = 120) final byte[] rest)
    {
        final byte[] frame = Arrays.copyOf(rest, rest.length);
        frame[ADDRESSES] = 8;
        frame[ADDRESSES + 1] = 0;
        final byte[] bytes = tags.bytes();
        final ByteBuffer expected = ByteBuffer.allocate(frame.length + bytes.length)
            .put(frame, 0, ADDRESSES).put(bytes).put(frame, ADDRESSES, frame.length - ADDRESSES);
        try (MemoryRegion region = MemoryRegion.ofChunks(1, CHUNK))
        {
            final long address = region.address() + START;
            FrameMemory.putBytes(address, frame);
            FrameBounds.frame(address, frame.length);
            assertEquals(0, VlanTag.read(address, frame.length));

            final long tagged = VlanTag.insert(address, frame.length, tags.number());
            assertEquals(address - bytes.length, tagged);
            assertArrayEquals(expected.array(), bytes(tagged, expected.capacity()));
            assertEquals(tags.number(), VlanTag.read(tagged, expected.capacity()));
            assertEquals(ADDRESSES + 2 + bytes.length, VlanTag.headerOffset(tagged, expected.capacity()));
            assertEquals(0x0800, VlanTag.payloadType(tagged, expected.capacity()));

            assertEquals(address, VlanTag.remove(tagged, tags.number()));
            assertEquals(tags.number(), VlanTag.stored(address, frame.length, bytes.length));
            assertArrayEquals(frame, bytes(address, frame.length));
        }
    }

    /** A tag at the very end is no tag: there is no EtherType behind it. */
    @Property
    void shouldReadNoTagBeyondTheEnd(@ForAll("tags") final Tags tags)
    {
        final byte[] bytes = tags.bytes();
        try (MemoryRegion region = MemoryRegion.ofChunks(1, CHUNK))
        {
            final byte[] frame = new byte[ADDRESSES + bytes.length + 2];
            System.arraycopy(bytes, 0, frame, ADDRESSES, bytes.length);
            FrameMemory.putBytes(region.address(), frame);
            for (int length = 14; length <= frame.length; length++)
            {
                FrameBounds.frame(region.address(), length);
                final int whole = Math.min(2, (length - 14) / 4);
                final long expected = whole == 0 ? 0 : whole == tags.types.length ? tags.number() :
                    tags.number() >>> 32 * (tags.types.length - whole);
                assertEquals(expected, VlanTag.read(region.address(), length));
                assertEquals(14 + 4 * whole, VlanTag.headerOffset(region.address(), length));
            }
        }
    }

    @Property
    void shouldTakeNumbersApart(@ForAll("tags") final Tags tags)
    {
        final int last = tags.types.length - 1;
        final long number = tags.number();
        assertEquals(4 * tags.types.length, VlanTag.length(number));
        assertEquals(number, VlanTag.identity(number) | VlanTag.priorities(number));
        assertEquals(tags.types[last], VlanTag.etherType(VlanTag.inner(number)));
        assertEquals(tags.tcis[last] & 0xFFF, VlanTag.vid(number));
        assertEquals(tags.tcis[last] >> 13, VlanTag.pcp(number));
        for (int pcp = 0; pcp < 8; pcp++)
        {
            final int[] tcis = tags.tcis.clone();
            for (int i = 0; i < tcis.length; i++)
            {
                tcis[i] = pcp << 13 | tcis[i] & 0xFFF;
            }
            assertEquals(new Tags(tags.types, tcis).number(), VlanTag.withPcp(number, pcp));
        }
    }

    private static byte[] bytes(final long address, final int length)
    {
        final byte[] bytes = new byte[length];
        FrameBounds.frame(address, length);
        FrameMemory.getBytes(address, bytes);
        return bytes;
    }
}
