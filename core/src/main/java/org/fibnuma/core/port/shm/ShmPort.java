package org.fibnuma.core.port.shm;

import org.fibnuma.core.port.DirectLink;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.SoftwarePort;
import org.fibnuma.core.ring.LineRingConsumer;
import org.fibnuma.core.ring.LineRingProducer;

import java.util.Arrays;

/** One end of a {@link ShmLink}. */
final class ShmPort extends SoftwarePort<ShmRxQueue, ShmTxQueue> implements DirectLink
{
    private final ShmLink link;

    ShmPort(final PortRequest request, final ShmLink link)
    {
        super(
            ShmPortProvider.SCHEME,
            request,
            new ShmRxQueue[request.queueCount()],
            new ShmTxQueue[request.queueCount()]);
        this.link = link;
        for (int i = 0; i < rxQueues.length; i++)
        {
            rxQueues[i] = new ShmRxQueue(link.receiving(i), request.pools().get(i), request.index());
            txQueues[i] = new ShmTxQueue(link.sending(i), request.pools().get(i));
        }
    }

    @Override
    public void announce(final int ipv4)
    {
        link.announce(ipv4);
    }

    @Override
    public boolean leadsTo(final int ipv4)
    {
        return ipv4 != 0 && link.announcedByOther() == ipv4;
    }

    @Override
    public LineRingProducer producer()
    {
        return link.producer();
    }

    @Override
    public LineRingConsumer consumer()
    {
        return link.consumer();
    }

    @Override
    public String mode()
    {
        return "shared memory";
    }

    @Override
    public void start()
    {
        for (final ShmRxQueue rxQueue : rxQueues)
        {
            rxQueue.start();
        }
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        return switch (counter)
        {
            case RX_DROPPED -> Arrays.stream(rxQueues).mapToLong(ShmRxQueue::dropped).sum();
            case TX_INVALID -> Arrays.stream(txQueues).mapToLong(ShmTxQueue::tooLong).sum();
            default -> 0;
        };
    }

    @Override
    public void close()
    {
        for (final ShmTxQueue txQueue : txQueues)
        {
            txQueue.flush();
        }
        link.close();
    }
}
