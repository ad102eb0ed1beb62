package org.fibnuma.core.port.memory;

import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.SoftwarePort;

import java.util.Arrays;

/** One end of a {@link MemoryLink}. */
final class MemoryPort extends SoftwarePort<MemoryRxQueue, MemoryTxQueue>
{
    private final MemoryLink link;
    private final MemoryLink.Direction[] receiving;
    private boolean closed;

    MemoryPort(
        final PortRequest request,
        final MemoryLink link,
        final MemoryLink.Direction[] receiving,
        final MemoryLink.Direction[] sending)
    {
        super(
            MemoryPortProvider.SCHEME,
            request,
            new MemoryRxQueue[receiving.length],
            new MemoryTxQueue[receiving.length]);
        this.link = link;
        this.receiving = receiving;
        for (int i = 0; i < receiving.length; i++)
        {
            rxQueues[i] = new MemoryRxQueue(receiving[i], request.pools().get(i), request.index());
            txQueues[i] = new MemoryTxQueue(sending[i], request.pools().get(i));
        }
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
        return counter == PortCounter.RX_DROPPED ?
            Arrays.stream(rxQueues).mapToLong(MemoryRxQueue::dropped).sum() : 0;
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
