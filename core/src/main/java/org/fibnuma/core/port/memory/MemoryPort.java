package org.fibnuma.core.port.memory;

import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.SoftwarePort;

/** One end of a {@link MemoryLink}. */
final class MemoryPort extends SoftwarePort
{
    private final String device;
    private final MemoryLink link;
    private final MemoryLink.Direction[] receiving;
    private final MemoryRxQueue[] rxQueues;
    private final MemoryTxQueue[] txQueues;
    private boolean closed;

    private MemoryPort(
        final PortRequest request,
        final MemoryLink link,
        final MemoryLink.Direction[] receiving,
        final MemoryRxQueue[] rxQueues,
        final MemoryTxQueue[] txQueues)
    {
        super(request, rxQueues, txQueues);
        this.device = MemoryPortProvider.SCHEME + ":" + request.device();
        this.link = link;
        this.receiving = receiving;
        this.rxQueues = rxQueues;
        this.txQueues = txQueues;
    }

    static MemoryPort of(
        final PortRequest request,
        final MemoryLink link,
        final MemoryLink.Direction[] receiving,
        final MemoryLink.Direction[] sending)
    {
        final MemoryRxQueue[] rxQueues = new MemoryRxQueue[receiving.length];
        final MemoryTxQueue[] txQueues = new MemoryTxQueue[receiving.length];
        for (int i = 0; i < receiving.length; i++)
        {
            rxQueues[i] = new MemoryRxQueue(receiving[i], request.pools().get(i), request.index());
            txQueues[i] = new MemoryTxQueue(sending[i], request.pools().get(i));
        }
        return new MemoryPort(request, link, receiving, rxQueues, txQueues);
    }

    @Override
    public String device()
    {
        return device;
    }

    @Override
    public String mode()
    {
        return "memory";
    }

    @Override
    public void start()
    {
        for (final MemoryRxQueue rxQueue : rxQueues)
        {
            rxQueue.start();
        }
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        long count = 0;
        if (counter == PortCounter.RX_DROPPED)
        {
            for (final MemoryRxQueue rxQueue : rxQueues)
            {
                count += rxQueue.dropped();
            }
        }
        return count;
    }

    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            for (final MemoryTxQueue txQueue : txQueues)
            {
                txQueue.reclaim();
            }
            link.closeEnd(receiving);
        }
    }
}
