package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.fate.FateCounters;

/** Counts frames with disposition DROP by reason and releases their chunks to the pool. They become SETTLED. */
final class DropOutput
{
    private final FramePool pool;
    private final FateCounters counters;
    private final CapturePoint capturePoint;

    DropOutput(final FramePool pool, final FateCounters counters, final CapturePoint capturePoint)
    {
        this.pool = pool;
        this.counters = counters;
        this.capturePoint = capturePoint;
    }

    CapturePoint capturePoint()
    {
        return capturePoint;
    }

    void process(final FrameBatch batch, final FrameList frames)
    {
        for (int k = 0; k < frames.size(); k++)
        {
            final int i = frames.get(k);
            if (batch.disposition(i) == Disposition.DROP)
            {
                drop(batch, i, batch.dropReason(i));
            }
        }
    }

    /** Counts a message of this router as dropped and releases its chunk. */
    void dropOwn(final long chunk, final int reason)
    {
        counters.dropped(counters.ownIngress(), reason);
        pool.release(chunk);
    }

    /**
     * Counts a rewritten frame that could not be sent as dropped, and releases its chunk. An IPv6 frame, with or
     * without VLAN tags, was counted as forwarded with its batch: this count is taken back.
     */
    void dropUnsent(final FrameBatch batch, final int i, final int reason)
    {
        if (VlanTag.payloadType(batch.address(i), batch.length(i)) == EtherType.IPV6)
        {
            counters.ipv6Forwarded(batch.ingressPort(i), -1);
        }
        drop(batch, i, reason);
    }

    /** Counts a frame that waited in a FIFO, and was counted as forwarded, as dropped. Releases its chunk. */
    void dropQueued(final int ingress, final long handle, final long address, final int length, final int reason)
    {
        counters.queueDropped(ingress);
        if (capturePoint.isOn())
        {
            capturePoint.dropped(ingress, address, length, reason);
        }
        counters.dropped(ingress, reason);
        pool.release(handle);
    }

    /** Counts a frame as dropped and releases its chunk, for stages after {@link #process}. */
    void drop(final FrameBatch batch, final int i, final int reason)
    {
        if (capturePoint.isOn())
        {
            capturePoint.dropped(batch.ingressPort(i), batch.address(i), batch.length(i), reason);
        }
        counters.dropped(batch.ingressPort(i), reason);
        pool.release(batch.handle(i));
        batch.disposition(i, Disposition.SETTLED);
    }
}
