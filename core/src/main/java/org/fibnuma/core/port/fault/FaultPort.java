package org.fibnuma.core.port.fault;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.DelegatingPort;
import org.fibnuma.core.port.DirectLink;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Wraps a port and loses, duplicates, reorders, corrupts and delays its frames. Each queue has its own random numbers
 * from the seed and the queue's index, so that every run treats the same frames in the same way. Frames lost on receive
 * are counted as {@link PortCounter#RX_DROPPED} too.
 */
final class FaultPort extends DelegatingPort
{
    private static final long TRANSMIT_SALT = 0x7458_7458_7458_7458L;

    private final String device;
    private final FaultSettings settings;
    private final FaultRxQueue[] rxQueues;
    private final FaultTxQueue[] txQueues;
    private final DelayLine[] received;
    private final DelayLine[] transmitted;
    private boolean closed;

    FaultPort(final Port port, final PortRequest request, final FaultSettings settings)
    {
        super(port);
        this.device = FaultPortProvider.SCHEME + ":" + request.device();
        this.settings = settings;
        rxQueues = new FaultRxQueue[port.queueCount()];
        txQueues = new FaultTxQueue[port.queueCount()];
        received = new DelayLine[port.queueCount()];
        transmitted = new DelayLine[port.queueCount()];
        for (int i = 0; i < rxQueues.length; i++)
        {
            final FramePool pool = request.pools().get(i);
            received[i] = new DelayLine(settings, settings.seed() + i, pool);
            transmitted[i] = new DelayLine(settings, (settings.seed() ^ TRANSMIT_SALT) + i, pool);
            rxQueues[i] = new FaultRxQueue(port.rxQueue(i), received[i]);
            txQueues[i] = new FaultTxQueue(port.txQueue(i), transmitted[i]);
        }
    }

    /** Returns how many received frames of all queues had a fault; any thread. */
    long received(final Fault fault)
    {
        return Arrays.stream(received).mapToLong(line -> line.count(fault)).sum();
    }

    /** Returns how many sent frames of all queues had a fault; any thread. */
    long transmitted(final Fault fault)
    {
        return Arrays.stream(transmitted).mapToLong(line -> line.count(fault)).sum();
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

    /** Returns no {@link DirectLink}: its records would have no faults. */
    @Override
    public <T> Optional<T> capability(final Class<T> type)
    {
        return type == DirectLink.class ? Optional.empty() : super.capability(type);
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
                received[i].clear();
                transmitted[i].clear();
            }
            super.close();
        }
    }
}
