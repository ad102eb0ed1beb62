package org.fibnuma.fibnic.fib;

import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.IntArrayList;

/**
 * The prefixes of the FIB with their adjacencies. {@link RangePainter} finds the next shorter prefix in it when a
 * prefix is withdrawn. It is a multibit trie of four strides of eight address bits; each node is a list in
 * {@link RouteBuckets}. Stride 0 holds lengths 0 to 8. Stride 1 holds lengths 9 to 16, one node for each /8. Stride 2
 * holds lengths 17 to 24, one node for each /16. Stride 3 holds lengths 25 to 32, one node for each /24 that has such
 * prefixes. Control thread only.
 */
final class PrefixTrie
{
    static final int STRIDES = 4;

    /** Stride of the prefixes longer than /24. */
    static final int LONGER_STRIDE = 3;

    private static final int STRIDE_1_BUCKETS = 1;
    private static final int STRIDE_2_BUCKETS = STRIDE_1_BUCKETS + (1 << 8);
    private static final int STRIDE_3_BUCKETS = STRIDE_2_BUCKETS + (1 << 16);
    private static final int NO_BUCKET = -1;

    private final RouteBuckets buckets = new RouteBuckets(STRIDE_3_BUCKETS);
    private final Int2IntHashMap longerBucketBySlot = new Int2IntHashMap(NO_BUCKET);
    private final IntArrayList freeLongerBuckets = new IntArrayList();
    private final short[] longerSlotsBelow16 = new short[1 << 16];
    /** By /8: number of prefixes longer than /8. */
    private final int[] longerBelow8 = new int[1 << 8];
    private int longerBuckets;
    private int size;

    /** Returns the stride of the nodes that hold prefixes of a length. */
    static int strideOf(final int length)
    {
        return length == 0 ? 0 : length - 1 >>> 3;
    }

    /** Returns the eight bits of an address that index a stride's node. */
    static int cellOf(final int address, final int stride)
    {
        return address >>> 24 - 8 * stride & 0xFF;
    }

    int size()
    {
        return size;
    }

    /** Adds a prefix or replaces its adjacency; returns the previous adjacency, or 0. */
    int put(final int prefix, final int length, final int adjacency)
    {
        final int stride = strideOf(length);
        final int cell = cellOf(prefix, stride);
        final int lengthInStride = length - 8 * stride;
        final int bucket = stride == LONGER_STRIDE ? openLongerBucket(prefix >>> 8) : bucketOf(prefix, stride);
        final int position = buckets.find(bucket, cell, lengthInStride);
        final int entry = RouteBuckets.entry(cell, lengthInStride, adjacency);
        if (position == RouteBuckets.ABSENT)
        {
            buckets.add(bucket, entry);
            size++;
            longerBelow8[prefix >>> 24] += stride == 0 ? 0 : 1;
            return 0;
        }
        final int replaced = RouteBuckets.adjacency(buckets.entryAt(bucket, position));
        buckets.replace(bucket, position, entry);
        return replaced;
    }

    /** Removes a prefix; returns its adjacency, or 0 where there is no such prefix. */
    int remove(final int prefix, final int length)
    {
        final int stride = strideOf(length);
        final int bucket = bucketOf(prefix, stride);
        final int position = find(bucket, prefix, length);
        if (position == RouteBuckets.ABSENT)
        {
            return 0;
        }
        final int removed = RouteBuckets.adjacency(buckets.entryAt(bucket, position));
        buckets.remove(bucket, position);
        size--;
        longerBelow8[prefix >>> 24] -= stride == 0 ? 0 : 1;
        if (stride == LONGER_STRIDE && buckets.count(bucket) == 0)
        {
            closeLongerBucket(prefix >>> 8, bucket);
        }
        return removed;
    }

    /** Returns the adjacency of exactly this prefix, or 0. */
    int get(final int prefix, final int length)
    {
        final int bucket = bucketOf(prefix, strideOf(length));
        final int position = find(bucket, prefix, length);
        return position == RouteBuckets.ABSENT ? 0 : RouteBuckets.adjacency(buckets.entryAt(bucket, position));
    }

    /** Returns the adjacency of the longest prefix up to a length (-1 to 32) that covers an address, or 0. */
    int coverOf(final int address, final int longest)
    {
        int stride = longest < 0 ? -1 : strideOf(longest);
        int longestInStride = longest - 8 * stride;
        while (stride >= 0)
        {
            final int bucket = bucketOf(address, stride);
            final int cover = bucket == NO_BUCKET ?
                RouteBuckets.ABSENT : buckets.findCover(bucket, cellOf(address, stride), longestInStride);
            if (cover != RouteBuckets.ABSENT)
            {
                return RouteBuckets.adjacency(cover);
            }
            stride--;
            longestInStride = 8;
        }
        return 0;
    }

    /** Removes from a set of a node's cells those that prefixes of the node longer than {@code length} cover. */
    void removeCellsOfLonger(final int address, final int stride, final int length, final CellSet cells)
    {
        final int bucket = bucketOf(address, stride);
        if (bucket != NO_BUCKET)
        {
            buckets.removeCellsOfLonger(bucket, length - 8 * stride, cells);
        }
    }

    /** Returns whether a /24 has longer prefixes. */
    boolean hasLonger(final int slot)
    {
        return longerBucketBySlot.get(slot) != NO_BUCKET;
    }

    /** Returns the number of /24s with longer prefixes in the /16 of an address. */
    int longerSlotsBelow16(final int address)
    {
        return longerSlotsBelow16[address >>> 16];
    }

    /** Returns whether the cell of an address in stride 0 or 1, a /8 or /16, has no longer prefixes. */
    boolean hasNoneBelow(final int address, final int stride)
    {
        return stride == 0 ?
            longerBelow8[address >>> 24] == 0 :
            buckets.count(bucketOf(address, stride + 1)) == 0 && longerSlotsBelow16(address) == 0;
    }

    /** Returns every /24 that has longer prefixes, in no order. */
    int[] slotsWithLonger()
    {
        final int[] slots = new int[longerBucketBySlot.size()];
        int count = 0;
        final Int2IntHashMap.KeyIterator iterator = longerBucketBySlot.keySet().iterator();
        while (iterator.hasNext())
        {
            slots[count++] = iterator.nextValue();
        }
        return slots;
    }

    /**
     * Passes the prefixes that belong to a /16 to a consumer, in no order: those of lengths 17 to 32 inside it, and
     * with the first /16 of a /8 those of lengths 0 to 16 that begin in the /8.
     *
     * @return number of prefixes.
     */
    int forEachOf16(final int block, final Ipv4RouteConsumer consumer)
    {
        int count = 0;
        if ((block & 0xFF) == 0)
        {
            final int cell = block >>> 8;
            count += forEachOf(0, cell, cell, 0, 0, consumer);
            count += forEachOf(STRIDE_1_BUCKETS + cell, 0, 0xFF, cell << 24, 1, consumer);
        }
        count += forEachOf(STRIDE_2_BUCKETS + block, 0, 0xFF, block << 16, 2, consumer);
        int slots = longerSlotsBelow16[block];
        for (int slot = block << 8; slots > 0; slot++)
        {
            final int bucket = longerBucketBySlot.get(slot);
            if (bucket != NO_BUCKET)
            {
                count += forEachOf(bucket, 0, 0xFF, slot << 8, LONGER_STRIDE, consumer);
                slots--;
            }
        }
        return count;
    }

    long bytes()
    {
        return buckets.bytes() + (long)longerSlotsBelow16.length * Short.BYTES +
            (long)longerBelow8.length * Integer.BYTES + (long)longerBucketBySlot.capacity() * 2 * Integer.BYTES +
            (long)freeLongerBuckets.capacity() * Integer.BYTES;
    }

    /** Passes the prefixes of a node that begin in a range of its cells to a consumer; returns their number. */
    private int forEachOf(
        final int bucket,
        final int firstCell,
        final int lastCell,
        final int base,
        final int stride,
        final Ipv4RouteConsumer consumer)
    {
        int count = 0;
        for (int i = 0; i < buckets.count(bucket); i++)
        {
            final int entry = buckets.entryAt(bucket, i);
            final int cell = RouteBuckets.index(entry);
            if (cell >= firstCell && cell <= lastCell)
            {
                consumer.onRoute(
                    base | cell << 24 - 8 * stride,
                    RouteBuckets.length(entry) + 8 * stride,
                    RouteBuckets.adjacency(entry));
                count++;
            }
        }
        return count;
    }

    private int find(final int bucket, final int prefix, final int length)
    {
        final int stride = strideOf(length);
        return bucket == NO_BUCKET ?
            RouteBuckets.ABSENT : buckets.find(bucket, cellOf(prefix, stride), length - 8 * stride);
    }

    private int bucketOf(final int address, final int stride)
    {
        return switch (stride)
        {
            case 0 -> 0;
            case 1 -> STRIDE_1_BUCKETS + (address >>> 24);
            case 2 -> STRIDE_2_BUCKETS + (address >>> 16);
            default -> longerBucketBySlot.get(address >>> 8);
        };
    }

    private int openLongerBucket(final int slot)
    {
        int bucket = longerBucketBySlot.get(slot);
        if (bucket == NO_BUCKET)
        {
            bucket = freeLongerBuckets.isEmpty() ?
                STRIDE_3_BUCKETS + longerBuckets++ : freeLongerBuckets.popInt();
            buckets.ensureBuckets(bucket + 1);
            longerBucketBySlot.put(slot, bucket);
            longerSlotsBelow16[slot >>> 8]++;
        }
        return bucket;
    }

    private void closeLongerBucket(final int slot, final int bucket)
    {
        longerBucketBySlot.remove(slot);
        freeLongerBuckets.addInt(bucket);
        longerSlotsBelow16[slot >>> 8]--;
    }
}
