package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.port.KernelQueue;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.ports.PortQueues;
import org.fibnuma.fibnic.rate.TokenBucket;

import java.util.Arrays;
import java.util.Objects;

/**
 * Passes frames with disposition PUNT to the kernel of this host unmodified. They become SETTLED. The queue is the
 * {@link KernelQueue} of the ingress port while that takes the frame, otherwise the one of
 * {@link org.fibnuma.fibnic.ports.KernelPaths}. Frames of a VLAN get their VLAN tags back, unless the queue leads to an
 * interface of several ports, which takes IP packets. The disposition becomes DROP if there is no such queue, if it is
 * full, and beyond the rate of the ingress port. The router's own messages to itself are dropped too.
 */
final class PuntOutput
{
    private final TxQueue[] txQueues;
    private final TxQueue[] distinctQueues;
    /** By port index, null for none. */
    private final KernelQueue[] kernelQueues;
    private int kernelQueueCount;
    private final TokenBucket[] limits;
    private final boolean[] takesTags;
    private final InterfaceTable interfaces;
    private final FateCounters counters;

    /** Takes the paths to the kernel of a worker, and the clock of its batches for their rate limits. */
    PuntOutput(final ForwarderContext context, final NanoClock clock, final FateCounters counters)
    {
        this.takesTags = context.kernelPaths.takesTags(context.places());
        this.interfaces = context.interfaces;
        this.limits = context.kernelPaths.limits(context.places(), clock);
        this.txQueues = context.kernelPaths.txQueues(context.worker, context.places());
        this.distinctQueues = Arrays.stream(txQueues).filter(Objects::nonNull).distinct().toArray(TxQueue[]::new);
        this.kernelQueues = new KernelQueue[txQueues.length];
        this.counters = counters;
    }

    /** Uses these ports from now on. A port with its own interface in the kernel uses that one. */
    void take(final PortQueues ports)
    {
        kernelQueueCount = ports.size();
        for (int port = 0; port < kernelQueueCount; port++)
        {
            kernelQueues[port] = takesTags[port] ? null : ports.kernelQueue(port);
        }
    }

    /**
     * Returns whether a punted frame enters the kernel by an interface of its ingress port, so that the kernel's checks
     * of this interface apply.
     */
    boolean isByPort(final FrameBatch batch, final int i)
    {
        final int ingressPort = batch.ingressPort(i);
        return takesTags[ingressPort] || isByKernelQueue(batch, i, tags(batch, i));
    }

    private boolean isByKernelQueue(final FrameBatch batch, final int i, final long tags)
    {
        final KernelQueue kernelQueue = kernelQueues[batch.ingressPort(i)];
        return kernelQueue != null && kernelQueue.takes(batch.length(i) + VlanTag.length(tags));
    }

    private long tags(final FrameBatch batch, final int i)
    {
        return VlanTag.identity(interfaces.get(batch.ingressInterface(i)).tags());
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
        if (ingressPort == counters.ownIngress())
        {
            batch.drop(i, DropReason.PUNT_NO_PATH.id());
            return;
        }
        final long tags = tags(batch, i);
        final boolean byKernelQueue = isByKernelQueue(batch, i, tags);
        final TxQueue txQueue = byKernelQueue ? kernelQueues[ingressPort] : txQueues[ingressPort];
        if (txQueue == null)
        {
            batch.drop(i, DropReason.PUNT_NO_PATH.id());
        }
        else if (!limits[ingressPort].take())
        {
            batch.drop(i, DropReason.PUNT_RATE.id());
        }
        else if (offer(txQueue, batch, i, byKernelQueue || takesTags[ingressPort] ? tags : 0))
        {
            batch.disposition(i, Disposition.SETTLED);
            counters.add(ForwarderCounter.PUNTED, 1);
        }
        else
        {
            batch.drop(i, DropReason.PUNT_FULL.id());
        }
    }

    /** Offers a frame with the tags of an identity, 0 for none. */
    private static boolean offer(final TxQueue txQueue, final FrameBatch batch, final int i, final long identity)
    {
        final long frame = batch.address(i);
        final int length = batch.length(i);
        if (identity == 0)
        {
            return txQueue.offer(batch.handle(i), frame, length);
        }
        final int added = VlanTag.length(identity);
        final long tags = identity | VlanTag.priorities(VlanTag.stored(frame, length, added));
        return txQueue.offer(batch.handle(i), VlanTag.insert(frame, length, tags), length + added);
    }

    void flush()
    {
        for (final TxQueue txQueue : distinctQueues)
        {
            txQueue.flush();
        }
        for (int port = 0; port < kernelQueueCount; port++)
        {
            if (kernelQueues[port] != null)
            {
                kernelQueues[port].flush();
            }
        }
    }
}
