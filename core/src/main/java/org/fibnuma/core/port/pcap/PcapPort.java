package org.fibnuma.core.port.pcap;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

/** A capture file to read, one to write, or both, as a port with one pair of queues. */
final class PcapPort implements Port
{
    private final PortRequest request;
    private final PcapRxQueue rxQueue;
    private final PcapTxQueue txQueue;

    /** Takes the files over; either may be null. */
    PcapPort(final PortRequest request, final PcapReader reader, final PcapWriter writer)
    {
        this.request = request;
        this.rxQueue = new PcapRxQueue(reader, request.pools().get(0), request.index());
        this.txQueue = new PcapTxQueue(writer, request.pools().get(0));
    }

    @Override
    public String name()
    {
        return request.name();
    }

    @Override
    public String device()
    {
        return PcapPortProvider.SCHEME + ":" + request.device();
    }

    /** {@code file}, followed by what is wrong with the files where something is. */
    @Override
    public String mode()
    {
        final String read = rxQueue.problem();
        final String written = txQueue.problem();
        return "file" + (read == null ? "" : "; " + read) + (written == null ? "" : "; " + written);
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
        return 1;
    }

    @Override
    public RxQueue rxQueue(final int queue)
    {
        return rxQueue;
    }

    @Override
    public TxQueue txQueue(final int queue)
    {
        return txQueue;
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
    public void localAddress(final int address, final boolean local)
    {
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
