package org.fibnuma.core.port.pcap;

import org.fibnuma.core.port.FiniteInput;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.SoftwarePort;
import org.fibnuma.core.port.TxQueue;

/** Port with one pair of queues that reads a capture file, writes one, or both. */
final class PcapPort extends SoftwarePort implements FiniteInput
{
    private final String device;
    private final PcapRxQueue rxQueue;
    private final PcapTxQueue txQueue;

    /** Takes ownership of the files; either may be null. */
    PcapPort(final PortRequest request, final PcapReader reader, final PcapWriter writer)
    {
        this(
            request,
            new PcapRxQueue(reader, request.pools().get(0), request.index()),
            new PcapTxQueue(writer, request.pools().get(0)));
    }

    private PcapPort(final PortRequest request, final PcapRxQueue rxQueue, final PcapTxQueue txQueue)
    {
        super(request, new RxQueue[]{rxQueue}, new TxQueue[]{txQueue});
        this.device = PcapPortProvider.SCHEME + ":" + request.device();
        this.rxQueue = rxQueue;
        this.txQueue = txQueue;
    }

    @Override
    public String device()
    {
        return device;
    }

    /** Returns {@code file}, followed by the problems of the files, if any. */
    @Override
    public String mode()
    {
        final String read = rxQueue.problem();
        final String written = txQueue.problem();
        return "file" + (read == null ? "" : "; " + read) + (written == null ? "" : "; " + written);
    }

    @Override
    public void start()
    {
        rxQueue.start();
    }

    @Override
    public boolean exhausted()
    {
        return rxQueue.exhausted();
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        switch (counter)
        {
            case RX_DROPPED:
                return rxQueue.dropped();
            case TX_INVALID:
                return txQueue.lost();
            default:
                return 0;
        }
    }

    @Override
    public void close()
    {
        rxQueue.close();
        txQueue.close();
    }
}
