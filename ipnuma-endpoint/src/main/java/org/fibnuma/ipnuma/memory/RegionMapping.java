package org.fibnuma.ipnuma.memory;

import net.openhft.chronicle.bytes.MappedBytes;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A region's file in this process's memory, for its owner and for clients. Offsets are in the region, from 0; an
 * aligned access of 4 or 8 bytes is atomic and no other is. Safe for any number of threads as far as the memory itself
 * is; after {@link #close} no thread may touch it.
 */
public final class RegionMapping implements AutoCloseable
{
    private final Path file;
    private final MappedBytes bytes;
    private final AtomicBuffer page;
    private final AtomicBuffer region;
    private final long address;
    private final long size;
    private boolean closed;

    private RegionMapping(final Path file, final MappedBytes bytes, final long length)
    {
        final long start = bytes.addressForRead(0);
        this.file = file;
        this.bytes = bytes;
        this.page = new UnsafeBuffer(start, RegionFileLayout.PAGE_LENGTH);
        this.address = start + RegionFileLayout.PAGE_LENGTH;
        this.size = length - RegionFileLayout.PAGE_LENGTH;
        this.region = new UnsafeBuffer(address, (int)size);
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.register(address, size, (int)size);
        }
    }

    /**
     * Maps a region's file for reading and writing.
     *
     * @param file whose first page must be sound.
     * @return the mapping; the caller closes it.
     * @throws RegionException saying in one line what is wrong with the file.
     */
    public static RegionMapping open(final Path file)
    {
        final RegionMapping mapping = map(file);
        final String problem = RegionFileLayout.problem(mapping.page, mapping.size + RegionFileLayout.PAGE_LENGTH);
        if (problem != null)
        {
            mapping.close();
            throw new RegionException("cannot use " + file + ": " + problem);
        }
        return mapping;
    }

    /** Maps a file whose first page is not written yet. */
    static RegionMapping map(final Path file)
    {
        try
        {
            final long length = Files.size(file);
            if (!RegionRequest.isSize(length - RegionFileLayout.PAGE_LENGTH))
            {
                throw new RegionException("cannot use " + file + ": its " + length + " bytes are no region");
            }
            // One chunk without overlap, so that the whole file is one mapping and stays as long as it is.
            final MappedBytes bytes = MappedBytes.mappedBytes(file.toFile(), length, 0);
            bytes.singleThreadedCheckDisabled(true);
            return new RegionMapping(file, bytes, length);
        }
        catch (final IOException ex)
        {
            throw new RegionException("cannot map " + file + ": " + IoFailure.reason(ex), ex);
        }
    }

    AtomicBuffer page()
    {
        return page;
    }

    /** Where the file is. */
    public Path file()
    {
        return file;
    }

    /** Native address of the region's first byte, page aligned. */
    public long address()
    {
        return address;
    }

    /** Bytes of the region. */
    public long size()
    {
        return size;
    }

    /** Name of the region. */
    public String name()
    {
        return RegionFileLayout.name(page);
    }

    /** Region id, 1 to 65,535. */
    public int id()
    {
        return page.getInt(RegionFileLayout.ID_OFFSET);
    }

    /** What peers may do: write 1, read 2, atomic 4, added. */
    public int access()
    {
        return page.getInt(RegionFileLayout.ACCESS_OFFSET);
    }

    /** Of the start of the endpoint that owns it, unsigned; grows. */
    public int epoch()
    {
        return page.getInt(RegionFileLayout.EPOCH_OFFSET);
    }

    /** What the owner last said of it, read with acquire. */
    public RegionState state()
    {
        return RegionState.of(page.getIntVolatile(RegionFileLayout.STATE_OFFSET));
    }

    /**
     * Four bytes, as the sender's machine had them; whatever the peer wrote before them is seen by later reads.
     *
     * @param offset aligned to 4.
     * @return the number.
     */
    public int getIntAcquire(final long offset)
    {
        return UnsafeApi.getIntAcquire(null, at(offset, Integer.BYTES));
    }

    /**
     * Eight bytes, as the sender's machine had them; whatever the peer wrote before them is seen by later reads.
     *
     * @param offset aligned to 8.
     * @return the number.
     */
    public long getLongAcquire(final long offset)
    {
        return UnsafeApi.getLongAcquire(null, at(offset, Long.BYTES));
    }

    /**
     * Stores four bytes after everything that this thread stored before.
     *
     * @param offset aligned to 4.
     * @param value  any.
     */
    public void putIntRelease(final long offset, final int value)
    {
        UnsafeApi.putIntRelease(null, at(offset, Integer.BYTES), value);
    }

    /**
     * Stores eight bytes after everything that this thread stored before.
     *
     * @param offset aligned to 8.
     * @param value  any.
     */
    public void putLongRelease(final long offset, final long value)
    {
        UnsafeApi.putLongRelease(null, at(offset, Long.BYTES), value);
    }

    /**
     * Copies out of the region.
     *
     * @param offset      of the first byte; any alignment.
     * @param destination array.
     * @param index       in the array.
     * @param length      in bytes.
     */
    public void getBytes(final long offset, final byte[] destination, final int index, final int length)
    {
        requireInside(offset, length);
        region.getBytes((int)offset, destination, index, length);
    }

    /**
     * Copies into the region.
     *
     * @param offset of the first byte; any alignment.
     * @param source array.
     * @param index  in the array.
     * @param length in bytes.
     */
    public void putBytes(final long offset, final byte[] source, final int index, final int length)
    {
        requireInside(offset, length);
        region.putBytes((int)offset, source, index, length);
    }

    private long at(final long offset, final int width)
    {
        requireInside(offset, width);
        if ((offset & (width - 1)) != 0)
        {
            throw new IllegalArgumentException("offset " + offset + " is not aligned to " + width + " bytes");
        }
        return address + offset;
    }

    private void requireInside(final long offset, final int length)
    {
        if (offset < 0 || length < 0 || offset > size - length)
        {
            throw new IndexOutOfBoundsException(length + " bytes at " + offset + " leave a region of " + size);
        }
    }

    /** Tells everybody who has it mapped how it ended, unmaps it and removes the file. For its owner. */
    void end(final RegionState state)
    {
        page.putIntRelease(RegionFileLayout.STATE_OFFSET, state.code());
        close();
        try
        {
            Files.deleteIfExists(file);
        }
        catch (final IOException ex)
        {
            throw new RegionException("cannot remove " + file + ": " + IoFailure.reason(ex), ex);
        }
    }

    /** Unmaps it. The file stays. */
    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            if (FrameMemory.BOUNDS_CHECKS)
            {
                FrameBounds.unregister(address);
            }
            bytes.releaseLast();
        }
    }
}
