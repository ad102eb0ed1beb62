package org.fibnuma.core.memory;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FrameMemoryTest
{
    private static final int CHUNK = 2048;

    private final MemoryRegion region = MemoryRegion.ofChunks(4, CHUNK);
    private final long start = region.address();

    @AfterEach
    void closeRegion()
    {
        region.close();
    }

    @Test
    void shouldReadAndWriteAtAnyAlignmentLikeAByteBuffer()
    {
        final byte[] bytes = new byte[32];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)(0x80 + 7 * i);
        }
        FrameMemory.putBytes(start, bytes);
        final ByteBuffer big = ByteBuffer.wrap(bytes);
        final ByteBuffer machine = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        for (int i = 0; i < 24; i++)
        {
            assertEquals(big.get(i), FrameMemory.getByte(start + i));
            assertEquals(big.getShort(i) & 0xFFFF, FrameMemory.getShortBE(start + i));
            assertEquals(machine.getShort(i) & 0xFFFF, FrameMemory.getShort(start + i));
            assertEquals(big.getInt(i), FrameMemory.getIntBE(start + i));
            assertEquals(machine.getInt(i), FrameMemory.getInt(start + i));
            assertEquals(machine.getLong(i), FrameMemory.getLong(start + i));
            assertEquals(big.getLong(i), FrameMemory.getLongBE(start + i));
        }
        for (int i = 0; i < 8; i++)
        {
            FrameMemory.putByte(start + i, i + 0x1_7F01);
            big.put(i, (byte)(i + 0x7F01));
            FrameMemory.putShortBE(start + 9, i - 5);
            big.putShort(9, (short)(i - 5));
            FrameMemory.putShort(start + 11, i - 77);
            machine.putShort(11, (short)(i - 77));
            FrameMemory.putIntBE(start + 13, i * 0x9E37_79B9);
            big.putInt(13, i * 0x9E37_79B9);
            FrameMemory.putInt(start + 17, i * 0x85EB_CA6B);
            machine.putInt(17, i * 0x85EB_CA6B);
            FrameMemory.putLong(start + 21, i * 0x9E37_79B9_7F4A_7C15L);
            machine.putLong(21, i * 0x9E37_79B9_7F4A_7C15L);
            FrameMemory.putLongBE(start + 1, i * 0xC2B2_AE3D_27D4_EB4FL);
            big.putLong(1, i * 0xC2B2_AE3D_27D4_EB4FL);
            final byte[] actual = new byte[bytes.length];
            FrameMemory.getBytes(start, actual);
            assertArrayEquals(bytes, actual);
        }
    }

    @Test
    void shouldCopyOverlappingRangesAndZero()
    {
        FrameMemory.putBytes(start, new byte[]{1, 2, 3, 4, 5, 6});
        FrameMemory.copy(start, start + 2, 4);
        FrameMemory.zero(start + 5, 1);
        final byte[] bytes = new byte[6];
        FrameMemory.getBytes(start, bytes);
        assertArrayEquals(new byte[]{1, 2, 1, 2, 3, 0}, bytes);
    }

    @Test
    void shouldCopyPartsOfArrays()
    {
        FrameMemory.putBytes(start, new byte[]{9, 1, 2, 3, 9}, 1, 3);
        final byte[] bytes = {7, 7, 7, 7, 7};
        FrameMemory.getBytes(start, bytes, 2, 3);
        assertArrayEquals(new byte[]{7, 7, 1, 2, 3}, bytes);
        assertThrows(IndexOutOfBoundsException.class, () -> FrameMemory.getBytes(start, bytes, 3, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> FrameMemory.putBytes(start, bytes, -1, 3));
    }

    @Test
    void shouldGiveZeroedPageAlignedMemory()
    {
        assertEquals(0, start % PageSource.PAGE_SIZE);
        for (int i = 0; i < region.size(); i += Long.BYTES)
        {
            assertEquals(0, FrameMemory.getLong(start + i));
        }
        assertTrue(region.contains(start) && region.contains(start + region.size() - 1));
        assertFalse(region.contains(start - 1) || region.contains(start + region.size()));
    }

    @Test
    void shouldKeepEveryAccessInsideTheFrame()
    {
        final long frame = start + CHUNK + 256;
        FrameBounds.frame(frame, 60);
        FrameMemory.getByte(frame + 59);
        FrameMemory.getLong(frame + 52);
        FrameMemory.copy(frame, frame, 60);
        for (final Executable outside : new Executable[]{
            () -> FrameMemory.getByte(frame - 1),
            () -> FrameMemory.getByte(frame + 60),
            () -> FrameMemory.getBytes(frame + 59, new byte[8], 0, 2),
            () -> FrameMemory.putBytes(frame + 59, new byte[8], 0, 2),
            () -> FrameMemory.putByte(frame + 60, 0),
            () -> FrameMemory.getShortBE(frame + 59),
            () -> FrameMemory.putShortBE(frame + 59, 0),
            () -> FrameMemory.getShort(frame - 1),
            () -> FrameMemory.putShort(frame + 59, 0),
            () -> FrameMemory.getIntBE(frame + 57),
            () -> FrameMemory.putIntBE(frame + 57, 0),
            () -> FrameMemory.getInt(frame - 1),
            () -> FrameMemory.putInt(frame - 1, 0),
            () -> FrameMemory.getLong(frame + 53),
            () -> FrameMemory.putLong(frame + 53, 0),
            () -> FrameMemory.getLongBE(frame + 53),
            () -> FrameMemory.putLongBE(frame + 53, 0),
            () -> FrameMemory.copy(frame, frame + 1, 60),
            () -> FrameMemory.copy(frame + 1, frame, 60),
            () -> FrameMemory.copy(frame, frame, -1),
            () -> FrameMemory.zero(frame + 60, 1),
            () -> FrameMemory.getBytes(frame, new byte[61])})
        {
            assertThrows(IndexOutOfBoundsException.class, outside);
        }
    }

    @Test
    void shouldLetNeighbouringChunksBe()
    {
        FrameBounds.frame(start + CHUNK, 1);
        FrameMemory.getByte(start + CHUNK - 1);
        FrameMemory.getByte(start + 2 * CHUNK);
        assertThrows(IndexOutOfBoundsException.class, () -> FrameMemory.getShort(start + CHUNK - 1));
    }

    @Test
    void shouldRefuseFramesThatLeaveTheirChunkOrRegion()
    {
        for (final Executable outside : new Executable[]{
            () -> FrameBounds.frame(start + 100, CHUNK - 99),
            () -> FrameBounds.frame(start + 100, Integer.MAX_VALUE),
            () -> FrameBounds.frame(start + 100, -1),
            () -> FrameBounds.frame(start - 1, 1),
            () -> FrameBounds.frame(start + region.size(), 0)})
        {
            assertThrows(IndexOutOfBoundsException.class, outside);
        }
    }

    @Test
    void shouldTellARegionFromTheOneThatFollowsWithoutAGap()
    {
        final long first = start + region.size();
        FrameBounds.register(first, CHUNK, CHUNK);
        try
        {
            FrameBounds.frame(first, 60);
            assertThrows(IndexOutOfBoundsException.class, () -> FrameMemory.copy(first + 30, first, 31));
        }
        finally
        {
            FrameBounds.unregister(first);
        }
    }

    @Test
    void shouldRefuseEveryAccessAfterClose()
    {
        region.close();
        region.close();
        assertThrows(IndexOutOfBoundsException.class, () -> FrameMemory.getByte(start));
    }

    @Test
    void shouldTakeOnlyChunkSizesThatPortsTake()
    {
        for (final int size : new int[]{0, 1024, 2047, 3000, 8192})
        {
            assertThrows(IllegalArgumentException.class, () -> MemoryRegion.ofChunks(1, size));
        }
    }
}
