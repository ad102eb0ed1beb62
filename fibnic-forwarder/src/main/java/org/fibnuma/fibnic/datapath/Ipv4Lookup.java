package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv4FibPrefetch;

/**
 * Frames with a sound IPv4 header come in; all go on, with the index of their adjacency beside them. What that
 * adjacency means is for {@link Ipv4Rewrite} to say.
 * <p>
 * A full table is larger than the caches, and an access to memory takes as long as everything else that is done for
 * ten frames. So the stage has a first half, before the headers are looked at: there it asks for the parts of the table
 * that the destinations lead to, and by the time of the second half they have come. Frames that turn out to carry
 * nothing to look up are looked up all the same; nobody reads the result.
 */
final class Ipv4Lookup implements AutoCloseable
{
    private static final int DESTINATION_OFFSET =
        EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.DESTINATION_OFFSET;
    private static final int DESTINATION_END = EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH;
    private static final int NO_DESTINATION = 0;
    /** For fewer frames, calling the prefetch instructions takes as long as waiting for one line of the table. */
    private static final int FEWEST_PREFETCHED = 8;

    /** One destination of each of this many batches is remembered: their lines of the table are a cache's size. */
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
     * Prefetches the table's cache lines for the destinations of a batch, before its headers are checked. Nothing is
     * prefetched while destinations repeat so soon that the caches still hold their lines: then a prefetch costs more
     * than it saves. One destination of each batch is the sample.
     */
    void prefetch(final FrameBatch batch)
    {
        final int line = destination(batch, 0) >>> LINE_SHIFT;
        final int place = line * HASH_FACTOR >>> Integer.SIZE - REMEMBERED_BITS;
        rarity = remembered[place] == line ? Math.max(0, rarity - 1) : Math.min(MOST_RARITY, rarity + 1);
        remembered[place] = line;
        if (rarity > MOST_RARITY / 2)
        {
            prefetchAll(batch);
        }
    }

    private void prefetchAll(final FrameBatch batch)
    {
        readDestinations(batch);
        if (batch.size() >= FEWEST_PREFETCHED)
        {
            fibPrefetch.prefetch(batch);
        }
    }

    /** Stores the destinations of frames that do not come from the {@link FrameClassifier}. */
    void readDestinations(final FrameBatch batch)
    {
        final int size = batch.size();
        for (int i = 0; i < size; i++)
        {
            batch.destination(i, destination(batch, i));
        }
    }

    private static int destination(final FrameBatch batch, final int i)
    {
        return batch.length(i) < DESTINATION_END ?
            NO_DESTINATION : FrameMemory.getIntBE(batch.address(i) + DESTINATION_OFFSET);
    }

    void process(final FrameBatch batch)
    {
        fib.lookup(batch, 0, batch.size());
    }

    @Override
    public void close()
    {
        fibPrefetch.close();
    }
}
