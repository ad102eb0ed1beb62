package org.fibnuma.core.memory;

import org.agrona.BitUtil;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Predicate;

/**
 * The bytes that a frame occupies in every chunk of every registered region. An access beyond a frame fails although
 * the rest of the chunk is valid memory. Used only if {@link FrameMemory#BOUNDS_CHECKS} is true. The thread that owns a
 * chunk writes its window.
 */
public final class FrameBounds
{
    /** Access to memory for a limited time. */
    @FunctionalInterface
    public interface Access extends AutoCloseable
    {
        Access NONE = () -> {};

        /** Ends the access. */
        @Override
        void close();
    }

    /** In the order of their addresses; of two that overlap, the one that starts later is searched first. */
    private static volatile Region[] regions = new Region[0];

    private FrameBounds()
    {
    }

    /**
     * Registers a region and makes all bytes of every chunk accessible.
     *
     * @param address   native address of the first byte.
     * @param size      in bytes.
     * @param chunkSize in bytes, a divisor of {@code size}; equal to {@code size} for memory without frames.
     */
    public static synchronized void register(final long address, final long size, final int chunkSize)
    {
        add(new Region(address, size, chunkSize));
    }

    private static void add(final Region region)
    {
        final Region[] now = Arrays.copyOf(regions, regions.length + 1);
        now[now.length - 1] = region;
        Arrays.sort(now, Comparator.comparingLong(each -> each.address));
        regions = now;
    }

    /**
     * Makes memory outside of all regions accessible, such as a caller's, until the access is closed.
     *
     * @param address native address of the first byte.
     * @param length  in bytes, more than 0.
     */
    public static synchronized Access access(final long address, final int length)
    {
        final Region region = new Region(address, length, length);
        add(region);
        return () -> remove(other -> other == region);
    }

    /** Unregisters the region that starts at an address: any later access to it fails. */
    public static synchronized void unregister(final long address)
    {
        remove(region -> region.address == address);
    }

    private static synchronized void remove(final Predicate<Region> removed)
    {
        regions = Arrays.stream(regions).filter(removed.negate()).toArray(Region[]::new);
    }

    /**
     * Sets the bytes of its chunk that a frame occupies, from the native address of its first byte. The length is in
     * bytes.
     */
    public static void frame(final long address, final int length)
    {
        final Region region = find(address);
        if (region == null)
        {
            throw new IndexOutOfBoundsException("frame outside every region: 0x" + Long.toHexString(address));
        }
        region.window(address, length);
    }

    static void check(final long address, final int length)
    {
        if (length == 0)
        {
            // Accesses nothing; the address may be the end of a region.
            return;
        }
        final Region region = find(address);
        if (region == null || !region.allows(address, length))
        {
            throw new IndexOutOfBoundsException(
                "0x" + Long.toHexString(address) + " + " + length +
                (region == null ? " is in no region" : " leaves " + region.describe(address)));
        }
    }

    private static Region find(final long address)
    {
        final Region[] sorted = regions;
        int first = 0;
        int end = sorted.length;
        while (first < end)
        {
            final int middle = first + end >>> 1;
            if (sorted[middle].address <= address)
            {
                first = middle + 1;
            }
            else
            {
                end = middle;
            }
        }
        // The first one has the address, unless another region contains the first one and the address follows it.
        for (int i = end - 1; i >= 0; i--)
        {
            if (address - sorted[i].address < sorted[i].size)
            {
                return sorted[i];
            }
        }
        return null;
    }

    private static final class Region
    {
        private static final int DIVIDES = -1;

        private final long address;
        private final long size;
        private final int chunkSize;
        /** Binary logarithm of the chunk size, 63 if there is one chunk, {@link #DIVIDES} for other sizes. */
        private final int shift;
        private final int[] low;
        private final int[] high;

        Region(final long address, final long size, final int chunkSize)
        {
            this.shift = size == chunkSize ? Long.SIZE - 1 :
                BitUtil.isPowerOfTwo(chunkSize) ? Integer.numberOfTrailingZeros(chunkSize) : DIVIDES;
            this.address = address;
            this.size = size;
            this.chunkSize = chunkSize;
            this.low = new int[(int)(size / chunkSize)];
            this.high = new int[low.length];
            Arrays.fill(high, chunkSize);
        }

        void window(final long frame, final int length)
        {
            final int chunk = chunk(frame);
            final int offset = offset(frame, chunk);
            if (length < 0 || length > chunkSize - offset)
            {
                throw new IndexOutOfBoundsException("a frame of " + length + " bytes at " + offset +
                    " leaves its chunk of " + chunkSize);
            }
            low[chunk] = offset;
            high[chunk] = offset + length;
        }

        boolean allows(final long first, final int length)
        {
            final int chunk = chunk(first);
            final int offset = offset(first, chunk);
            return length >= 0 && offset >= low[chunk] && length <= high[chunk] - offset;
        }

        /** Returns the chunk of an address in the region. A division would take longer than the rest of the check. */
        private int chunk(final long first)
        {
            return (int)(shift == DIVIDES ? (first - address) / chunkSize : first - address >>> shift);
        }

        private int offset(final long first, final int chunk)
        {
            return (int)(first - address - (long)chunk * chunkSize);
        }

        String describe(final long first)
        {
            final int chunk = chunk(first);
            final long start = address + (long)chunk * chunkSize;
            return "[0x" + Long.toHexString(start + low[chunk]) + ", 0x" + Long.toHexString(start + high[chunk]) + ")";
        }
    }
}
