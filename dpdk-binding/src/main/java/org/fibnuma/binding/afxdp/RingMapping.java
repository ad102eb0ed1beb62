package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SysMman;
import org.fibnuma.binding.libc.SystemCallException;

/** One ring of an AF_XDP socket, mapped into this process: addresses of its indices, flags and entries. */
final class RingMapping implements AutoCloseable
{
    private final long length;
    private final int size;
    private final long producerOffset;
    private final long consumerOffset;
    private final long flagsOffset;
    private final long entriesOffset;
    private long address;

    /**
     * Maps a ring of a power of two entries, whose size was set before, at its XDP_..._PGOFF_... {@code offset} in the
     * file. Its MMAP_..._OFFSET in the result of XDP_MMAP_OFFSETS is {@code at}.
     */
    RingMapping(
        final int fd, final long offset, final StructMemory offsets, final int at, final int size, final int entrySize)
    {
        this.size = size;
        this.producerOffset = offsets.getLong(at + XdpLayout.PRODUCER_OFFSET);
        this.consumerOffset = offsets.getLong(at + XdpLayout.CONSUMER_OFFSET);
        this.flagsOffset = offsets.getLong(at + XdpLayout.FLAGS_OFFSET);
        this.entriesOffset = offsets.getLong(at + XdpLayout.DESC_OFFSET);
        this.length = entriesOffset + (long)size * entrySize;
        this.address = LibC.get().mmap(
            0, length, SysMman.PROT_READ | SysMman.PROT_WRITE, SysMman.MAP_SHARED | SysMman.MAP_POPULATE, fd, offset);
        if (address == SysMman.MAP_FAILED)
        {
            throw new SystemCallException("mmap of a ring", Errno.last(), "");
        }
    }

    int size()
    {
        return size;
    }

    long producer()
    {
        return address + producerOffset;
    }

    long consumer()
    {
        return address + consumerOffset;
    }

    long flags()
    {
        return address + flagsOffset;
    }

    long entries()
    {
        return address + entriesOffset;
    }

    @Override
    public void close()
    {
        if (address != 0)
        {
            SystemCallException.check(LibC.get().munmap(address, length), "munmap of a ring");
            address = 0;
        }
    }
}
