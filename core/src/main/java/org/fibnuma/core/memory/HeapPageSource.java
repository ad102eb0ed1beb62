package org.fibnuma.core.memory;

import org.agrona.UnsafeApi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Allocates memory of the C heap, aligned to {@link #PAGE_SIZE}. */
final class HeapPageSource implements PageSource
{
    private final Map<Long, Long> blocks = new ConcurrentHashMap<>();

    @Override
    public long allocate(final long size)
    {
        final long block = UnsafeApi.allocateMemory(size + PAGE_SIZE);
        final long address = (block + PAGE_SIZE - 1) & -PAGE_SIZE;
        UnsafeApi.setMemory(address, size, (byte)0);
        blocks.put(address, block);
        return address;
    }

    @Override
    public void free(final long address, final long size)
    {
        final Long block = blocks.remove(address);
        if (block == null)
        {
            throw new IllegalArgumentException("not allocated here: 0x" + Long.toHexString(address));
        }
        UnsafeApi.freeMemory(block);
    }
}
