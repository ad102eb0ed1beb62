package org.fibnuma.pfc.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;

import java.util.HexFormat;

/** Native memory for one frame, at an odd address so that nothing depends on alignment. */
final class FrameBytes implements AutoCloseable
{
    private final MemoryRegion region = MemoryRegion.ofBytes(256);

    long address()
    {
        return region.address() + 3;
    }

    FrameBytes put(final String hex)
    {
        FrameMemory.putBytes(address(), HexFormat.of().parseHex(hex));
        return this;
    }

    String hex(final int length)
    {
        final byte[] bytes = new byte[length];
        FrameMemory.getBytes(address(), bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public void close()
    {
        region.close();
    }
}
