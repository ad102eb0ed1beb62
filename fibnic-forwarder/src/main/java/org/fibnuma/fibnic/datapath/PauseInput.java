package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.lossless.PortShare;
import org.fibnuma.pfc.wire.MacControl;

/**
 * Consumes MAC control frames among the frames with disposition PUNT, in a router with lossless priorities. They become
 * SETTLED, because IEEE 802.3 clause 31 confines them to one link; PAUSE and PFC frames pause lossless priorities of
 * their ingress port. All other frames are not modified.
 */
final class PauseInput
{
    private final PortShare[] ports;
    private final FramePool pool;
    private final FateCounters counters;
    private final NanoClock clock;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();

    /** Takes the shares of the worker, by port index, and the monotonic clock by which PFC pauses end. */
    PauseInput(
        final PortShare[] ports, final FramePool pool, final FateCounters counters, final NanoClock clock)
    {
        this.ports = ports;
        this.pool = pool;
        this.counters = counters;
        this.clock = clock;
    }

    void process(final FrameBatch batch, final FrameList frames)
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
