package org.fibnuma.ipnuma.session;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;

/** Native memory of a test. */
final class TestMemory
{
    private final MemoryRegion region;

    TestMemory(final int size)
    {
        region = MemoryRegion.ofBytes(size);
    }

    long address()
    {
        return region.address();
    }

    int size()
    {
        return (int)region.size();
    }

    long put(final byte[] bytes)
    {
        FrameMemory.putBytes(region.address(), bytes);
        return region.address();
    }

    byte[] bytes(final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        FrameMemory.getBytes(region.address() + offset, bytes);
        return bytes;
    }

    byte[] bytes()
    {
        return bytes(0, size());
    }

    void close()
    {
        region.close();
    }
}
