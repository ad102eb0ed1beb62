package org.fibnuma.binding.libc;

import org.agrona.UnsafeApi;
import org.fibnuma.core.memory.PageSource;

import static org.fibnuma.binding.libc.SysMman.MADV_HUGEPAGE;
import static org.fibnuma.binding.libc.SysMman.MAP_ANONYMOUS;
import static org.fibnuma.binding.libc.SysMman.MAP_FAILED;
import static org.fibnuma.binding.libc.SysMman.MAP_HUGETLB;
import static org.fibnuma.binding.libc.SysMman.MAP_POPULATE;
import static org.fibnuma.binding.libc.SysMman.MAP_PRIVATE;
import static org.fibnuma.binding.libc.SysMman.PROT_READ;
import static org.fibnuma.binding.libc.SysMman.PROT_WRITE;

/**
 * Allocates memory pages by mmap(2). Allocations of 2 MiB or more are huge pages of the machine's pool if it has
 * enough. Otherwise they are ordinary memory on a 2 MiB boundary, for which the kernel may use transparent huge pages.
 */
public final class MappedPageSource implements PageSource
{
    /** Size in bytes of a huge page on x86-64, and on aarch64 with memory pages of 4 KiB. */
    static final long HUGE_PAGE_SIZE = 2L << 20;

    private static final int PROTECTION = PROT_READ | PROT_WRITE;
    private static final int FLAGS = MAP_PRIVATE | MAP_ANONYMOUS;

    private final LibC libC = LibC.get();

    @Override
    public long allocate(final long size)
    {
        final long mapped = mappedSize(size);
        long address = MAP_FAILED;
        if (mapped >= HUGE_PAGE_SIZE)
        {
            address = libC.mmap(0, mapped, PROTECTION, FLAGS | MAP_HUGETLB | MAP_POPULATE, -1, 0);
            if (address == MAP_FAILED)
            {
                address = mapAligned(mapped);
            }
        }
        else
        {
            address = orThrow(libC.mmap(0, mapped, PROTECTION, FLAGS, -1, 0), mapped);
        }
        touch(address, mapped);
        return address;
    }

    @Override
    public void free(final long address, final long size)
    {
        SystemCallException.check(libC.munmap(address, mappedSize(size)), "munmap");
    }

    private long mapAligned(final long mapped)
    {
        final long block = orThrow(libC.mmap(0, mapped + HUGE_PAGE_SIZE, PROTECTION, FLAGS, -1, 0), mapped);
        final long address = block + HUGE_PAGE_SIZE - 1 & -HUGE_PAGE_SIZE;
        final long before = address - block;
        if (before > 0)
        {
            SystemCallException.check(libC.munmap(block, before), "munmap");
        }
        if (before < HUGE_PAGE_SIZE)
        {
            SystemCallException.check(libC.munmap(address + mapped, HUGE_PAGE_SIZE - before), "munmap");
        }
        // A kernel without transparent huge pages refuses; ordinary pages work as well.
        libC.madvise(address, mapped, MADV_HUGEPAGE);
        return address;
    }

    private static long mappedSize(final long size)
    {
        final long unit = size >= HUGE_PAGE_SIZE ? HUGE_PAGE_SIZE : PAGE_SIZE;
        return size + unit - 1 & -unit;
    }

    private static void touch(final long address, final long size)
    {
        for (long offset = 0; offset < size; offset += PAGE_SIZE)
        {
            UnsafeApi.putByte(address + offset, (byte)0);
        }
    }

    private static long orThrow(final long address, final long size)
    {
        if (address == MAP_FAILED)
        {
            throw new OutOfMemoryError("mmap of " + size + " bytes: " + Errno.text(Errno.last()));
        }
        return address;
    }
}
