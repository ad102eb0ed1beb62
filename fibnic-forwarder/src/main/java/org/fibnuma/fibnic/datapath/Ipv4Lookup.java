package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv4FibPrefetch;

/**
 * Looks up IPv4 destinations and stores the index of the adjacency of each frame. It sets no disposition;
 * {@link Ipv4Rewrite} acts on the adjacency. Exceptions that are not to be forwarded are looked up too; their result is
 * unused.
 * <p>
 * A full table is larger than the caches, and one memory access takes as long as all other work for ten frames.
 * Therefore {@link #prefetch} runs before the headers are checked, and its cache lines have arrived when
 * {@link #process} reads them.
 */
final class Ipv4Lookup implements AutoCloseable
{
    private static final int DESTINATION_OFFSET =
        EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.DESTINATION_OFFSET;
    private static final int DESTINATION_END = EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH;
    private static final int NO_DESTINATION = 0;
    /** For fewer frames, the call of the prefetch instructions takes as long as waiting for one cache line. */
    private static final int FEWEST_PREFETCHED = 8;

    /** Entries, as a power of 2, for one destination of each batch; their lines of the table fill a cache. */
    private static final int REMEMBERED_BITS = 10;
    private static final int LINE_SHIFT = 14;
    /** 2^32 divided by the golden ratio (Knuth, volume 3, section 6.4). */
    private static final int HASH_FACTOR = 0x9E37_79B9;
    private static final int MOST_RARITY = 64;

    private final Ipv4Fib fib;
    private final Ipv4FibPrefetch fibPrefetch;
    private final int[] remembered = new int[1 << REMEMBERED_BITS];
    private int rarity = MOST_RARITY;

    Ipv4Lookup(final Ipv4Fib fib)
    {
        this.fib = fib;
        this.fibPrefetch = new Ipv4FibPrefetch(fib);
    }

    /**
     * Prefetches the cache lines of the table for the destinations of a batch, before its headers are checked. Nothing
     * is prefetched if the same destinations return so soon that their lines are still cached: the prefetch would cost
     * more than it saves. The first destination of each batch is the sample. Nothing is prefetched either if the first
     * frame is IPv6, because most others are then too.
     */
    void prefetch(final FrameBatch batch)
    {
        if (batch.length(0) >= DESTINATION_END &&
            EthernetHeaderFlyweight.etherType(batch.address(0)) == EtherType.IPV6)
        {
            return;
        }
        final int line = destination(batch, 0) >>> LINE_SHIFT;
        final int place = line * HASH_FACTOR >>> Integer.SIZE - REMEMBERED_BITS;
        rarity = remembered[place] == line ? Math.max(0, rarity - 1) : Math.min(MOST_RARITY, rarity + 1);
        remembered[place] = line;
        if (rarity > MOST_RARITY / 2 && batch.size() >= FEWEST_PREFETCHED)
        {
            fibPrefetch.prefetch(batch, DESTINATION_OFFSET);
        }
    }

    /** Reads the destination of a frame, 0.0.0.0 if the frame is too short for one. */
    static int destination(final FrameBatch batch, final int i)
    {
        return batch.length(i) < DESTINATION_END ?
            NO_DESTINATION : FrameMemory.getIntBE(batch.address(i) + DESTINATION_OFFSET);
    }

    /**
     * Looks up the frames of two classes whose destinations the {@link FrameClassifier} has stored. If these are all
     * frames, the loop reads no indices.
     */
    void process(final FrameBatch batch, final FrameList ordinary, final FrameList exceptions)
    {
        final int size = batch.size();
        if (ordinary.size() + exceptions.size() == size)
        {
            fib.lookup(batch, 0, size);
        }
        else
        {
            fib.lookup(batch, ordinary);
            fib.lookup(batch, exceptions);
        }
    }

    /** Stores the destinations of frames that the {@link FrameClassifier} has not processed. */
    static void readDestinations(final FrameBatch batch, final FrameList frames)
    {
        final int count = frames.size();
        for (int k = 0; k < count; k++)
        {
            final int i = frames.get(k);
            batch.destination(i, destination(batch, i));
        }
    }

    @Override
    public void close()
    {
        fibPrefetch.close();
    }
}
