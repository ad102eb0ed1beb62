package org.fibnuma.ipnuma.wire;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class ScatterListTest
{
    private static final int CAPACITY = 64;

    private final ScatterList list = new ScatterList(CAPACITY);

    @BeforeEach
    void register()
    {
        FrameBounds.register(list.address(), CAPACITY, CAPACITY);
    }

    @AfterEach
    void unregister()
    {
        FrameBounds.unregister(list.address());
    }

    @Test
    void shouldWriteEachPieceWithItsPlaceAndPadding()
    {
        list.add(0x100, new UnsafeBuffer(new byte[] {9, 1, 2, 3}), 1, 3);
        final ByteBuffer source = ByteBuffer.wrap(new byte[] {9, 9, 4, 5, 6, 7, 8, 9, 10, 11, 9}).position(2).limit(10);
        list.add(-2, source);
        assertEquals(2, source.position());
        final ByteBuffer wanted = ByteBuffer.allocate(32).order(ByteOrder.nativeOrder())
            .putInt(0x100).putInt(3).put(new byte[] {1, 2, 3}).position(16)
            .putInt(-2).putInt(8).put(new byte[] {4, 5, 6, 7, 8, 9, 10, 11});
        final byte[] written = new byte[32];
        FrameMemory.getBytes(list.address(), written);
        assertEquals(32, list.length());
        assertArrayEquals(wanted.array(), written);
    }

    @Test
    void shouldReadWhatItHasWritten()
    {
        list.add(0xFFFF_FFF0, new UnsafeBuffer(new byte[] {7}), 0, 1);
        assertEquals(0xFFFF_FFF0L, ScatterList.offset(list.address()));
        assertEquals(1, ScatterList.dataLength(list.address(), list.length()));
        assertEquals(list.length(), ScatterList.pieceLength(1));
        list.clear();
        assertEquals(0, list.length());
    }

    @Test
    void shouldTakeNothingBeyondItsCapacity()
    {
        final UnsafeBuffer source = new UnsafeBuffer(new byte[CAPACITY]);
        list.add(0, source, 0, 24);
        assertThrows(IndexOutOfBoundsException.class, () -> list.add(0, source, 0, 25));
        assertEquals(32, list.length());
    }

    /** What another process may have stored in place of a length. */
    @ParameterizedTest
    @CsvSource({"8, 16, 8", "1, 16, 1", "9, 16, 0", "0, 16, 0", "-1, 16, 0", "2147483647, 16, 0", "2147483640, 16, 0",
        "-2147483648, 16, 0", "8, 15, 0", "4, 12, 0", "1, 7, 0", "1, 0, 0"})
    void shouldRefuseAPieceThatDoesNotFit(final int length, final int room, final int expected)
    {
        FrameMemory.putInt(list.address() + Integer.BYTES, length);
        assertEquals(expected, ScatterList.dataLength(list.address(), room));
    }
}
