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

    private final Ipv4Fib fib;
    private final Ipv4FibPrefetch fibPrefetch;
    private final int[] destinations = new int[FrameBatch.CAPACITY];
    private final int[] found = new int[FrameBatch.CAPACITY];

    Ipv4Lookup(final Ipv4Fib fib)
    {
        this.fib = fib;
        this.fibPrefetch = new Ipv4FibPrefetch(fib, FrameBatch.CAPACITY);
    }

    /** Before anything is known of the frames; the same batch comes to {@link #process} next. */
    void prefetch(final FrameBatch batch)
    {
        final int size = batch.size();
        for (int i = 0; i < size; i++)
        {
            destinations[i] = batch.length(i) < DESTINATION_END ?
                NO_DESTINATION : FrameMemory.getIntBE(batch.address(i) + DESTINATION_OFFSET);
        }
        fibPrefetch.prefetch(destinations, size);
    }

    void process(final FrameBatch batch)
    {
        final int size = batch.size();
        fib.lookup(destinations, found, size);
        batch.adjacencies(found);
    }

    @Override
    public void close()
    {
        fibPrefetch.close();
    }
}
