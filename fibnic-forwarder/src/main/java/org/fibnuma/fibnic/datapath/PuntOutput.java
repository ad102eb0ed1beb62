package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.rate.TokenBucket;

import java.util.Arrays;
import java.util.Objects;

/**
 * Passes frames with disposition PUNT to the kernel of this host unmodified, through the queue that leads there from
 * their ingress port. They become SETTLED. If there is no such queue, if it is full, or beyond the rate of the ingress
 * port, the disposition becomes DROP. The router's own messages to itself are dropped too.
 */
final class PuntOutput
{
    private final TxQueue[] txQueues;
    private final TxQueue[] distinctQueues;
    private final TokenBucket[] limits;
    private final FateCounters counters;

    /** Takes, by ingress port, the queue to the kernel, null if there is none, and its rate limit. */
    PuntOutput(final TxQueue[] txQueues, final TokenBucket[] limits, final FateCounters counters)
    {
        this.limits = limits;
        this.txQueues = txQueues;
        this.distinctQueues =
            Arrays.stream(txQueues).filter(Objects::nonNull).distinct().toArray(TxQueue[]::new);
        this.counters = counters;
    }

    void process(final FrameBatch batch, final FrameList frames)
    {
        for (int k = 0; k < frames.size(); k++)
        {
            final int i = frames.get(k);
            if (batch.disposition(i) == Disposition.PUNT)
            {
                punt(batch, i);
            }
        }
    }

    private void punt(final FrameBatch batch, final int i)
    {
        final int ingressPort = batch.ingressPort(i);
        final TxQueue txQueue = ingressPort == counters.ownIngress() ? null : txQueues[ingressPort];
        if (txQueue == null)
        {
            batch.drop(i, DropReason.PUNT_NO_PATH.id());
        }
        else if (!limits[ingressPort].take())
        {
            batch.drop(i, DropReason.PUNT_RATE.id());
        }
        else if (txQueue.offer(batch.handle(i), batch.address(i), batch.length(i)))
        {
            batch.disposition(i, Disposition.SETTLED);
            counters.add(ForwarderCounter.PUNTED, 1);
        }
        else
        {
            batch.drop(i, DropReason.PUNT_FULL.id());
        }
    }

    void flush()
    {
        for (final TxQueue txQueue : distinctQueues)
        {
            txQueue.flush();
        }
    }
}
