package org.fibnuma.fibnic.fib;

import java.util.Arrays;

/**
 * Many small unordered lists of prefixes, each for one stride of eight address bits, in four bytes a prefix.
 * <p>
 * A prefix is one {@code int}: its eight index bits, its length within the stride (0 to 8) and its adjacency. The
 * capacity of a list is a power of two; released space is reused for lists of the same capacity. Control thread only.
 */
final class RouteBuckets
{
    /** Returned by {@link #find} when the list has no such prefix. */
    static final int ABSENT = -1;

    private static final int SEGMENT_SHIFT = 16;
    private static final int SEGMENT_INTS = 1 << SEGMENT_SHIFT;
    private static final int SIZE_CLASSES = 10;
    private static final int NONE = -1;
    private static final int CELLS = Ipv4FibLayout.CELL_COUNT;

    private final int[] freeOffsets = new int[SIZE_CLASSES];
    private int[][] segments = new int[0][];
    private int usedInLastSegment = SEGMENT_INTS;
    private int[] offsets;
    private short[] counts;

    RouteBuckets(final int bucketCount)
    {
        offsets = new int[bucketCount];
        counts = new short[bucketCount];
        Arrays.fill(freeOffsets, NONE);
    }

    static int entry(final int index, final int length, final int adjacency)
    {
        return index << 20 | length << 16 | adjacency;
    }

    static int index(final int entry)
    {
        return entry >>> 20;
    }

    static int length(final int entry)
    {
        return entry >>> 16 & 0xF;
    }

    static int adjacency(final int entry)
    {
        return entry & 0xFFFF;
    }

    /** Allocates buckets 0 to {@code bucketCount} - 1. */
    void ensureBuckets(final int bucketCount)
    {
        if (bucketCount > counts.length)
        {
            final int capacity = Math.max(bucketCount, counts.length + (counts.length >> 2));
            offsets = Arrays.copyOf(offsets, capacity);
            counts = Arrays.copyOf(counts, capacity);
        }
    }

    int count(final int bucket)
    {
        return counts[bucket];
    }

    /** Returns the prefix at a position, 0 to count - 1. */
    int entryAt(final int bucket, final int position)
    {
        final int offset = offsets[bucket];
        return segments[offset >>> SEGMENT_SHIFT][(offset & SEGMENT_INTS - 1) + position];
    }

    /** Returns the position of the prefix with this index and length, or {@link #ABSENT}. */
    int find(final int bucket, final int index, final int length)
    {
        final int count = counts[bucket];
        if (count == 0)
        {
            return ABSENT;
        }
        final int key = entry(index, length, 0) >>> 16;
        final int first = offsets[bucket] & SEGMENT_INTS - 1;
        final int[] segment = segments[offsets[bucket] >>> SEGMENT_SHIFT];
        for (int i = 0; i < count; i++)
        {
            if (segment[first + i] >>> 16 == key)
            {
                return i;
            }
        }
        return ABSENT;
    }

    /** Returns the longest prefix up to a length that covers an index, or {@link #ABSENT}. */
    int findCover(final int bucket, final int index, final int longest)
    {
        final int count = counts[bucket];
        int best = ABSENT;
        if (count != 0)
        {
            final int first = offsets[bucket] & SEGMENT_INTS - 1;
            final int[] segment = segments[offsets[bucket] >>> SEGMENT_SHIFT];
            int bestLength = -1;
            for (int i = 0; i < count; i++)
            {
                final int entry = segment[first + i];
                final int length = length(entry);
                if ((index(entry) ^ index) >>> 8 - length == 0 && length <= longest && length > bestLength)
                {
                    best = entry;
                    bestLength = length;
                }
            }
        }
        return best;
    }

    /** Removes from a set the cells that prefixes longer than {@code length} cover. */
    void removeCellsOfLonger(final int bucket, final int length, final CellSet cells)
    {
        final int count = counts[bucket];
        if (count == 0)
        {
            return;
        }
        final int first = offsets[bucket] & SEGMENT_INTS - 1;
        final int[] segment = segments[offsets[bucket] >>> SEGMENT_SHIFT];
        for (int i = 0; i < count; i++)
        {
            final int entry = segment[first + i];
            if (length(entry) > length)
            {
                cells.remove(index(entry), CELLS >>> length(entry));
            }
        }
    }

    void replace(final int bucket, final int position, final int entry)
    {
        final int offset = offsets[bucket];
        segments[offset >>> SEGMENT_SHIFT][(offset & SEGMENT_INTS - 1) + position] = entry;
    }

    void add(final int bucket, final int entry)
    {
        final int count = counts[bucket];
        resize(bucket, count, count + 1);
        counts[bucket] = (short)(count + 1);
        replace(bucket, count, entry);
    }

    void remove(final int bucket, final int position)
    {
        final int count = counts[bucket] - 1;
        replace(bucket, position, entryAt(bucket, count));
        counts[bucket] = (short)count;
        resize(bucket, count + 1, count);
    }

    long bytes()
    {
        return (long)segments.length * SEGMENT_INTS * Integer.BYTES +
            (long)offsets.length * Integer.BYTES + (long)counts.length * Short.BYTES;
    }

    private static int sizeClass(final int count)
    {
        return Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
    }

    private void resize(final int bucket, final int countBefore, final int countAfter)
    {
        final int classBefore = countBefore == 0 ? NONE : sizeClass(countBefore);
        final int classAfter = countAfter == 0 ? NONE : sizeClass(countAfter);
        if (classBefore == classAfter)
        {
            return;
        }
        final int offsetBefore = offsets[bucket];
        if (classAfter != NONE)
        {
            final int offset = allocate(classAfter);
            if (classBefore != NONE)
            {
                System.arraycopy(
                    segments[offsetBefore >>> SEGMENT_SHIFT], offsetBefore & SEGMENT_INTS - 1,
                    segments[offset >>> SEGMENT_SHIFT], offset & SEGMENT_INTS - 1,
                    Math.min(countBefore, countAfter));
            }
            offsets[bucket] = offset;
        }
        if (classBefore != NONE)
        {
            segments[offsetBefore >>> SEGMENT_SHIFT][offsetBefore & SEGMENT_INTS - 1] = freeOffsets[classBefore];
            freeOffsets[classBefore] = offsetBefore;
        }
    }

    private int allocate(final int sizeClass)
    {
        final int free = freeOffsets[sizeClass];
        if (free != NONE)
        {
            freeOffsets[sizeClass] = segments[free >>> SEGMENT_SHIFT][free & SEGMENT_INTS - 1];
            return free;
        }
        if (usedInLastSegment + (1 << sizeClass) > SEGMENT_INTS)
        {
            segments = Arrays.copyOf(segments, segments.length + 1);
            segments[segments.length - 1] = new int[SEGMENT_INTS];
            usedInLastSegment = 0;
        }
        final int offset = (segments.length - 1) << SEGMENT_SHIFT | usedInLastSegment;
        usedInLastSegment += 1 << sizeClass;
        return offset;
    }
}
