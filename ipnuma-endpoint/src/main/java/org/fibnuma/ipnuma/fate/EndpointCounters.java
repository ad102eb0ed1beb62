package org.fibnuma.ipnuma.fate;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/** The counters of an endpoint. Its thread owns them. Other threads read the values of the last {@link #publish}. */
public final class EndpointCounters
{
    /** Type id of {@link EndpointCounter} 0 in a counters file. */
    public static final int ENDPOINT_TYPE = 2000;
    /** Type id of {@link DropReason} 0. */
    public static final int DROP_TYPE = 2100;

    private static final int COUNTERS = EndpointCounter.values().length;

    private final long[] values = new long[COUNTERS + DropReason.values().length];
    private final AtomicCounter[] published = new AtomicCounter[values.length];
    private long changed;

    /** Creates all counters with value 0 in a counters file. */
    public EndpointCounters(final CountersManager counters)
    {
        for (final EndpointCounter counter : EndpointCounter.values())
        {
            published[counter.id()] = counters.newCounter(counter.label(), ENDPOINT_TYPE + counter.id());
        }
        for (final DropReason reason : DropReason.values())
        {
            published[COUNTERS + reason.id()] =
                counters.newCounter(labelOf(reason), DROP_TYPE + reason.id());
        }
    }

    /** Returns the label of a reason's counter in the file. */
    public static String labelOf(final DropReason reason)
    {
        return "drop " + reason.label();
    }

    /** Adds to a counter. */
    public void add(final EndpointCounter counter, final long count)
    {
        add(counter.id(), count);
    }

    /** Counts a dropped frame by its reason. */
    public void dropped(final DropReason reason)
    {
        add(COUNTERS + reason.id(), 1);
    }

    private void add(final int index, final long count)
    {
        values[index] += count;
        changed |= 1L << index;
    }

    /** Publishes the counters that have changed since the last call, with release stores. */
    public void publish()
    {
        while (changed != 0)
        {
            final int i = Long.numberOfTrailingZeros(changed);
            published[i].setRelease(values[i]);
            changed &= changed - 1;
        }
    }

    /** Returns a counter's value, on the endpoint's thread. */
    public long get(final EndpointCounter counter)
    {
        return values[counter.id()];
    }

    /** Returns the number of frames dropped for a reason, on the endpoint's thread. */
    public long get(final DropReason reason)
    {
        return values[COUNTERS + reason.id()];
    }

    /** Returns whether every received frame has one disposition, on the endpoint's thread between two duty cycles. */
    public boolean isBalanced()
    {
        long fates = get(EndpointCounter.DELIVERED) + get(EndpointCounter.ARP);
        for (int i = COUNTERS; i < values.length; i++)
        {
            fates += values[i];
        }
        return fates == get(EndpointCounter.RECEIVED);
    }
}
