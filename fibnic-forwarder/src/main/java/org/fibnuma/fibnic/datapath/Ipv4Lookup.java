package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.fib.Ipv4Fib;

/**
 * Frames with a sound IPv4 header come in; all go on, with the index of their adjacency beside them. What that
 * adjacency means is for {@link Ipv4Rewrite} to say.
 */
final class Ipv4Lookup
{
    private final Ipv4Fib fib;
    private final int[] frames = new int[FrameBatch.CAPACITY];
    private final int[] destinations = new int[FrameBatch.CAPACITY];
    private final int[] found = new int[FrameBatch.CAPACITY];
    private final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight();

    Ipv4Lookup(final Ipv4Fib fib)
    {
        this.fib = fib;
    }

    void process(final FrameBatch batch)
    {
        final int size = batch.size();
        int count = 0;
        for (int i = 0; i < size; i++)
        {
            if (batch.isForward(i))
            {
                frames[count] = i;
                destinations[count] = ip.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH).destination();
                count++;
            }
        }
        fib.lookup(destinations, found, count);
        for (int i = 0; i < count; i++)
        {
            batch.adjacency(frames[i], found[i]);
        }
    }
}
