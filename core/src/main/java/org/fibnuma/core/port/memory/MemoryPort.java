package org.fibnuma.core.port.memory;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

/** One end of a {@link MemoryLink}. */
final class MemoryPort implements Port
{
    private final PortRequest request;
    private final MemoryLink link;
    private final MemoryLink.Direction[] receiving;
    private final MemoryRxQueue[] rxQueues;
    private final MemoryTxQueue[] txQueues;
    private boolean closed;

    MemoryPort(
        final PortRequest request,
        final MemoryLink link,
        final MemoryLink.Direction[] receiving,
        final MemoryLink.Direction[] sending)
    {
        this.request = request;
        this.link = link;
        this.receiving = receiving;
        this.rxQueues = new MemoryRxQueue[receiving.length];
        this.txQueues = new MemoryTxQueue[receiving.length];
        for (int i = 0; i < receiving.length; i++)
        {
            rxQueues[i] = new MemoryRxQueue(receiving[i], request.pools().get(i), request.index());
            txQueues[i] = new MemoryTxQueue(sending[i], request.pools().get(i));
        }
    }

    @Override
    public String name()
    {
        return request.name();
    }

    @Override
    public String device()
    {
        return MemoryPortProvider.SCHEME + ":" + request.device();
    }

    @Override
    public String mode()
    {
        return "memory";
    }

    @Override
    public int interfaceIndex()
    {
        return 0;
    }

    @Override
    public long macAddress()
    {
        return 0;
    }

    @Override
    public int mtu()
    {
        return EthernetHeaderFlyweight.MAX_PAYLOAD_LENGTH;
    }

    @Override
    public int queueCount()
    {
        return rxQueues.length;
    }

    @Override
    public RxQueue rxQueue(final int queue)
    {
        return rxQueues[queue];
    }

    @Override
    public TxQueue txQueue(final int queue)
    {
        return txQueues[queue];
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
    public void localAddress(final int address, final boolean local)
    {
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
