package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;

import java.util.HexFormat;

/** A UDP payload in native memory of which, bounds checks being on, no byte beyond its length can be touched. */
final class Payload implements AutoCloseable
{
    private static final int CHUNK = 4096;

    private final MemoryRegion memory = MemoryRegion.ofChunks(2, CHUNK);

    /** Room of so many bytes, at the offset that a payload has in a frame. */
    long room(final int length)
    {
        final long address = memory.address() + UdpFrameTemplate.HEADER_LENGTH;
        FrameBounds.frame(address, length);
        return address;
    }

    /** A payload of these bytes. */
    long of(final byte[] bytes)
    {
        final long address = room(bytes.length);
        FrameMemory.putBytes(address, bytes);
        return address;
    }

    /** Memory for data to be sent, beside the payload. */
    long data(final String hex)
    {
        final long address = memory.address() + CHUNK;
        FrameMemory.putBytes(address, HexFormat.of().parseHex(hex));
        return address;
    }

    @Override
    public void close()
    {
        memory.close();
    }
}
