package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.util.Arrays;
import java.util.Objects;

/**
 * Frames for this host's kernel come in, as they were received, and go to the port that leads there from where they
 * came in. Without such a port, while it is full, or beyond the rate of a port, they are dropped. A message of our own
 * that would go to ourselves is dropped too.
 */
final class PuntOutput
{
    private final TxQueue[] txQueues;
    private final TxQueue[] distinctQueues;
    private final TokenBucket[] limits;
    private final FateCounters counters;

    /** With the queue of each ingress port, null where there is none, and its limit. */
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
