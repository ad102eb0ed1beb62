package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;

import java.util.HexFormat;

/**
 * A UDP payload in native memory that is exactly as long as the payload, so that bounds checks detect every access
 * beyond it.
 */
final class Payload implements AutoCloseable
{
    private static final int CHUNK = 4096;

    private final MemoryRegion memory = MemoryRegion.ofChunks(2, CHUNK);

    /** Creates an empty payload at the offset that a payload has in a frame. */
    long room(final int length)
    {
        final long address = memory.address() + UdpFrameTemplate.HEADER_LENGTH;
        FrameBounds.frame(address, length);
        return address;
    }

    /** Creates a payload with these bytes. */
    long of(final byte[] bytes)
    {
        final long address = room(bytes.length);
        FrameMemory.putBytes(address, bytes);
        return address;
    }

    /** Returns memory for data to be sent, separate from the payload. */
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
