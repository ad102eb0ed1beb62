package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.fibnic.fib.Ipv6Fib;

/**
 * Looks up the destinations of the IPv6 frames of a batch and stores the index of the adjacency of each. It sets no
 * disposition; {@link Ipv6Rewrite} acts on the adjacency. It runs after {@link Ipv4Lookup}, which stores an index for
 * every frame of the batch.
 */
final class Ipv6Lookup
{
    private static final int DESTINATION_END = EthernetHeaderFlyweight.LENGTH + Ipv6HeaderFlyweight.LENGTH;

    private final Ipv6Fib fib;
    private final FrameList pending = new FrameList();
    private final Ipv6HeaderFlyweight ip = new Ipv6HeaderFlyweight();

    Ipv6Lookup(final Ipv6Fib fib)
    {
        this.fib = fib;
    }

    /** Looks up ordinary frames, whose destinations the {@link FrameClassifier} has stored, and exceptions. */
    void process(final FrameBatch batch, final FrameList ordinary, final FrameList exceptions)
    {
        if (ordinary.size() > 0)
        {
            fib.lookup(batch, ordinary, pending);
        }
        process(batch, exceptions);
    }

    void process(final FrameBatch batch, final FrameList frames)
    {
        final int count = frames.size();
        for (int k = 0; k < count; k++)
        {
            readDestination(batch, frames.get(k));
        }
        if (count > 0)
        {
            fib.lookup(batch, frames, pending);
        }
    }

    private void readDestination(final FrameBatch batch, final int i)
    {
        final boolean isComplete = batch.length(i) >= DESTINATION_END;
        ip.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH);
        batch.destinationHigh(i, isComplete ? ip.destinationHigh() : 0);
        batch.destinationLow(i, isComplete ? ip.destinationLow() : 0);
    }
}
