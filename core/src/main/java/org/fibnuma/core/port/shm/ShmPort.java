package org.fibnuma.core.port.shm;

import org.fibnuma.core.port.DirectLink;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.SoftwarePort;
import org.fibnuma.core.ring.LineRingConsumer;
import org.fibnuma.core.ring.LineRingProducer;

import java.util.Arrays;

/** One end of a {@link ShmLink}. */
final class ShmPort extends SoftwarePort implements DirectLink
{
    private final String device;
    private final ShmLink link;
    private final ShmRxQueue[] rxQueues;
    private final ShmTxQueue[] txQueues;

    private ShmPort(
        final PortRequest request, final ShmLink link, final ShmRxQueue[] rxQueues, final ShmTxQueue[] txQueues)
    {
        super(request, rxQueues, txQueues);
        this.device = ShmPortProvider.SCHEME + ":" + request.device();
        this.link = link;
        this.rxQueues = rxQueues;
        this.txQueues = txQueues;
    }

    static ShmPort of(final PortRequest request, final ShmLink link)
    {
        final ShmRxQueue[] rxQueues = new ShmRxQueue[request.queueCount()];
        final ShmTxQueue[] txQueues = new ShmTxQueue[request.queueCount()];
        for (int i = 0; i < rxQueues.length; i++)
        {
            rxQueues[i] = new ShmRxQueue(link.receiving(i), request.pools().get(i), request.index());
            txQueues[i] = new ShmTxQueue(link.sending(i), request.pools().get(i));
        }
        return new ShmPort(request, link, rxQueues, txQueues);
    }

    @Override
    public String device()
    {
        return device;
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
        switch (counter)
        {
            case RX_DROPPED:
                return Arrays.stream(rxQueues).mapToLong(ShmRxQueue::dropped).sum();
            case TX_INVALID:
                return Arrays.stream(txQueues).mapToLong(ShmTxQueue::tooLong).sum();
            default:
                return 0;
        }
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
