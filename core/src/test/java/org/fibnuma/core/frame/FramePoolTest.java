package org.fibnuma.core.frame;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FramePoolTest
{
    private static final int CHUNK = 2048;
    private static final int CHUNKS = 16;

    private final MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK);

    @AfterEach
    void closeRegion()
    {
        region.close();
    }

    @Test
    void shouldHandOutEachOfItsChunksOnceFromTheLowestUp()
    {
        final FramePool pool = new FramePool(region, CHUNK, 4, 8);
        final List<Long> handles = new ArrayList<>();
        for (long handle = pool.allocate(); handle != FramePool.NONE; handle = pool.allocate())
        {
            handles.add(handle);
        }
        assertEquals(8, handles.size());
        for (int i = 0; i < handles.size(); i++)
        {
            assertEquals(region.address() + (4L + i) * CHUNK, handles.get(i));
        }
        assertEquals(0, pool.available());
        assertEquals(8, pool.capacity());
        handles.forEach(pool::release);
        assertEquals(8, pool.available());
    }

    @Test
    void shouldHandOutTheChunkThatCameBackLast()
    {
        final FramePool pool = new FramePool(region, CHUNK, 0, CHUNKS);
        final long first = pool.allocate();
        final long second = pool.allocate();
        pool.release(second);
        pool.release(first);
        assertEquals(first, pool.allocate());
        assertEquals(second, pool.allocate());
    }

    @Test
    void shouldNotConfuseThePoolsOfOneRegion()
    {
        final FramePool one = new FramePool(region, CHUNK, 0, CHUNKS / 2);
        final FramePool other = new FramePool(region, CHUNK, CHUNKS / 2, CHUNKS / 2);
        final Set<Long> handles = new HashSet<>();
        for (int i = 0; i < CHUNKS / 2; i++)
        {
            assertTrue(handles.add(one.allocate()));
            assertTrue(handles.add(other.allocate()));
        }
        assertEquals(CHUNKS, handles.size());
    }

    @Test
    void shouldFindTheChunkOfAnyAddressInIt()
    {
        final FramePool pool = new FramePool(region, CHUNK, 0, CHUNKS);
        final long handle = pool.allocate();
        assertEquals(handle, pool.handleOf(handle));
        assertEquals(handle, pool.handleOf(handle + FramePool.HEADROOM));
        assertEquals(handle, pool.handleOf(handle + CHUNK - 1));
        assertEquals(handle + CHUNK, pool.handleOf(handle + CHUNK));
    }

    @Test
    void shouldCatchAChunkThatIsGivenBackTwiceOrIsNone()
    {
        final FramePool pool = new FramePool(region, CHUNK, 0, CHUNKS);
        final long handle = pool.allocate();
        pool.release(handle);
        assertThrows(IllegalStateException.class, () -> pool.release(handle));
        assertThrows(IllegalArgumentException.class, () -> pool.release(handle + 1));
        assertThrows(IllegalArgumentException.class, () -> pool.release(region.address() + region.size()));
        assertThrows(IllegalArgumentException.class, () -> pool.release(FramePool.NONE));
    }

    @Test
    void shouldCatchAccessToAFreeChunk()
    {
        final FramePool pool = new FramePool(region, CHUNK, 0, CHUNKS);
        final long handle = pool.allocate();
        FrameMemory.putByte(handle + CHUNK - 1, 1);
        pool.release(handle);
        assertThrows(IndexOutOfBoundsException.class, () -> FrameMemory.getByte(handle));
    }

    @Test
    void shouldRefuseChunksThatTheRegionDoesNotHave()
    {
        assertThrows(IllegalArgumentException.class, () -> new FramePool(region, CHUNK, 0, CHUNKS + 1));
        assertThrows(IllegalArgumentException.class, () -> new FramePool(region, CHUNK, -1, 1));
        assertThrows(IllegalArgumentException.class, () -> new FramePool(region, CHUNK, 1, Integer.MAX_VALUE));
        assertEquals(FramePool.NONE, new FramePool(region, CHUNK, CHUNKS, 0).allocate());
    }
}
