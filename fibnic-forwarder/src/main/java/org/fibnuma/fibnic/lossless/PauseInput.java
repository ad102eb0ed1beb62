package org.fibnuma.fibnic.lossless;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.pfc.wire.MacControl;

/**
 * Frames on their way to the kernel come in. MAC control frames among them end here: pauses stop their port, and all of
 * them are consumed, since nobody passes on what IEEE 802.3 clause 31 keeps on one link. Only in a router with lossless
 * priorities.
 */
public final class PauseInput
{
    private final PortShare[] ports;
    private final FramePool pool;
    private final FateCounters counters;
    private final NanoClock clock;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();

    /**
     * The stage.
     *
     * @param ports    by port index.
     * @param pool     of the worker.
     * @param counters of the worker.
     * @param clock    that pauses end by.
     */
    public PauseInput(
        final PortShare[] ports, final FramePool pool, final FateCounters counters, final NanoClock clock)
    {
        this.ports = ports;
        this.pool = pool;
        this.counters = counters;
        this.clock = clock;
    }

    /**
     * Ends MAC control frames.
     *
     * @param batch  of received frames.
     * @param frames of the batch, among which those with disposition PUNT are examined.
     */
    public void process(final FrameBatch batch, final FrameList frames)
    {
        for (int k = 0; k < frames.size(); k++)
        {
            final int i = frames.get(k);
            if (batch.disposition(i) == Disposition.PUNT && isMacControl(batch, i))
            {
                consume(batch, i);
            }
        }
    }

    private boolean isMacControl(final FrameBatch batch, final int i)
    {
        ethernet.wrap(batch.address(i));
        return batch.ingressPort(i) < ports.length &&
            ethernet.etherType() == EtherType.MAC_CONTROL && ethernet.destination() == MacControl.DESTINATION;
    }

    private void consume(final FrameBatch batch, final int i)
    {
        if (batch.length(i) >= MacControl.FRAME_LENGTH)
        {
            ports[batch.ingressPort(i)].onMacControl(batch.address(i), clock.nanoTime());
        }
        batch.disposition(i, Disposition.SETTLED);
        counters.add(ForwarderCounter.CONSUMED, 1);
        pool.release(batch.handle(i));
    }
}
