package org.fibnuma.core.port.fault;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.DelegatingPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;

import java.util.Locale;

/**
 * Wraps a port and loses, duplicates, reorders, corrupts and delays its frames. Each queue has its own random numbers
 * from the seed and the queue's index, so that every run treats the same frames in the same way. Frames lost on receive
 * are counted as {@link PortCounter#RX_DROPPED} too.
 */
public final class FaultPort extends DelegatingPort
{
    private static final long TRANSMIT_SALT = 0x7458_7458_7458_7458L;

    private final String device;
    private final FaultSettings settings;
    private final FaultRxQueue[] rxQueues;
    private final FaultTxQueue[] txQueues;
    private boolean closed;

    FaultPort(final Port port, final PortRequest request, final FaultSettings settings)
    {
        super(port);
        this.device = FaultPortProvider.SCHEME + ":" + request.device();
        this.settings = settings;
        rxQueues = new FaultRxQueue[port.queueCount()];
        txQueues = new FaultTxQueue[port.queueCount()];
        for (int i = 0; i < rxQueues.length; i++)
        {
            final FramePool pool = request.pools().get(i);
            rxQueues[i] = new FaultRxQueue(port.rxQueue(i), new DelayLine(settings, settings.seed() + i, pool));
            txQueues[i] = new FaultTxQueue(
                port.txQueue(i), new DelayLine(settings, (settings.seed() ^ TRANSMIT_SALT) + i, pool));
        }
    }

    /** Returns how many received frames of all queues had a fault; any thread. */
    public long received(final Fault fault)
    {
        long count = 0;
        for (final FaultRxQueue queue : rxQueues)
        {
            count += queue.line().count(fault);
        }
        return count;
    }

    /** Returns how many sent frames of all queues had a fault; any thread. */
    public long transmitted(final Fault fault)
    {
        long count = 0;
        for (final FaultTxQueue queue : txQueues)
        {
            count += queue.line().count(fault);
        }
        return count;
    }

    @Override
    public String device()
    {
        return device;
    }

    @Override
    public String mode()
    {
        final StringBuilder mode = new StringBuilder(super.mode());
        for (final Fault fault : Fault.values())
        {
            if (settings.percent(fault) > 0)
            {
                mode.append(String.format(Locale.ROOT, ", %s %s%%", fault.label(), settings.percent(fault)));
            }
        }
        return mode.toString();
    }

    @Override
    public RxQueue rxQueue(final int queue)
    {
        return settings.onReceive() && !settings.isHarmless() ? rxQueues[queue] : super.rxQueue(queue);
    }

    @Override
    public TxQueue txQueue(final int queue)
    {
        return settings.onTransmit() && !settings.isHarmless() ? txQueues[queue] : super.txQueue(queue);
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        final long count = super.deviceCounter(counter);
        return counter == PortCounter.RX_DROPPED ? count + received(Fault.LOSS) : count;
    }

    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            for (int i = 0; i < rxQueues.length; i++)
            {
                rxQueues[i].line().clear();
                txQueues[i].line().clear();
            }
            super.close();
        }
    }
}
