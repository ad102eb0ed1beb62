package org.fibnuma.ipnuma.memory;

import net.openhft.chronicle.bytes.MappedBytes;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Mapping of a region's file into this process, for its owner and for clients. Offsets are relative to the region. Only
 * aligned accesses of 4 or 8 bytes are atomic. Any number of threads may access the memory, but none after {@link
 * #close}.
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
     * @param file with a valid first page.
     * @return the mapping, which the caller closes.
     * @throws UserException if the file is invalid.
     */
    public static RegionMapping open(final Path file)
    {
        final RegionMapping mapping = map(file);
        final String problem = RegionFileLayout.problem(mapping.page, mapping.size + RegionFileLayout.PAGE_LENGTH);
        if (problem != null)
        {
            mapping.close();
            throw new UserException("cannot use " + file + ": " + problem);
        }
        return mapping;
    }

    /** Maps a file whose first page is not yet written. */
    static RegionMapping map(final Path file)
    {
        try
        {
            final long length = Files.size(file);
            if (!RegionRequest.isSize(length - RegionFileLayout.PAGE_LENGTH))
            {
                throw new UserException("cannot use " + file + ": a region cannot have " + length + " bytes");
            }
            // One chunk without overlap: the whole file is one mapping, and its length does not change.
            final MappedBytes bytes = MappedBytes.mappedBytes(file.toFile(), length, 0);
            bytes.singleThreadedCheckDisabled(true);
            return new RegionMapping(file, bytes, length);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot map " + file + ": " + IoFailure.reason(ex), ex);
        }
    }

    AtomicBuffer page()
    {
        return page;
    }

    /** Returns the path of the file. */
    public Path file()
    {
        return file;
    }

    /** Returns the native address of the region's first byte, page aligned. */
    public long address()
    {
        return address;
    }

    /** Returns the length of the region in bytes. */
    public long size()
    {
        return size;
    }

    /** Returns the name of the region. */
    public String name()
    {
        return RegionFileLayout.name(page);
    }

    /** Returns the region id, 1 to 65,535. */
    public int id()
    {
        return page.getInt(RegionFileLayout.ID_OFFSET);
    }

    /** Returns the access that peers have: the sum of write 1, read 2, atomic 4. */
    public int access()
    {
        return page.getInt(RegionFileLayout.ACCESS_OFFSET);
    }

    /** Returns the epoch of the owner's start, unsigned and growing. */
    public int epoch()
    {
        return page.getInt(RegionFileLayout.EPOCH_OFFSET);
    }

    /** Returns the latest state that the owner has set. */
    public RegionState state()
    {
        return RegionState.of(page.getIntVolatile(RegionFileLayout.STATE_OFFSET));
    }

    /**
     * Loads four bytes at an offset aligned to 4, in the sender's byte order. Later loads return what the peer wrote
     * before.
     */
    public int getIntAcquire(final long offset)
    {
        return UnsafeApi.getIntAcquire(null, at(offset, Integer.BYTES));
    }

    /**
     * Loads eight bytes at an offset aligned to 8, in the sender's byte order. Later loads return what the peer wrote
     * before.
     */
    public long getLongAcquire(final long offset)
    {
        return UnsafeApi.getLongAcquire(null, at(offset, Long.BYTES));
    }

    /** Stores four bytes at an offset aligned to 4, after everything that this thread stored before. */
    public void putIntRelease(final long offset, final int value)
    {
        UnsafeApi.putIntRelease(null, at(offset, Integer.BYTES), value);
    }

    /** Stores eight bytes at an offset aligned to 8, after everything that this thread stored before. */
    public void putLongRelease(final long offset, final long value)
    {
        UnsafeApi.putLongRelease(null, at(offset, Long.BYTES), value);
    }

    /** Copies {@code length} bytes out of the region; {@code offset} may have any alignment. */
    public void getBytes(final long offset, final byte[] destination, final int index, final int length)
    {
        requireInside(offset, length);
        region.getBytes((int)offset, destination, index, length);
    }

    /** Copies {@code length} bytes into the region; {@code offset} may have any alignment. */
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
            throw new IndexOutOfBoundsException(
                length + " bytes at " + offset + " are outside the region of " + size + " bytes");
        }
    }

    /**
     * Sets the last state for all processes that have the file mapped, unmaps the file and removes it. Only for its
     * owner.
     */
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
            throw new UserException("cannot remove " + file + ": " + IoFailure.reason(ex), ex);
        }
    }

    /** Unmaps the file without removing it. */
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
