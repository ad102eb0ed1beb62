package org.fibnuma.core.port.pcap;

import org.fibnuma.core.port.FiniteInput;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.SoftwarePort;

/** Port with one pair of queues that reads a capture file, writes one, or both. */
final class PcapPort extends SoftwarePort<PcapRxQueue, PcapTxQueue> implements FiniteInput
{
    private final PcapRxQueue rxQueue;
    private final PcapTxQueue txQueue;

    /** Takes ownership of the files; either may be null. */
    PcapPort(final PortRequest request, final PcapReader reader, final PcapWriter writer)
    {
        super(PcapPortProvider.SCHEME, request, new PcapRxQueue[1], new PcapTxQueue[1]);
        rxQueue = new PcapRxQueue(reader, request.pools().get(0), request.index());
        txQueue = new PcapTxQueue(writer, request.pools().get(0));
        rxQueues[0] = rxQueue;
        txQueues[0] = txQueue;
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
        return switch (counter)
        {
            case RX_DROPPED -> rxQueue.dropped();
            case TX_INVALID -> txQueue.lost();
            default -> 0;
        };
    }

    @Override
    public void close()
    {
        rxQueue.close();
        txQueue.close();
    }
}
