package org.fibnuma.core.port;

import org.fibnuma.core.wire.EthernetHeaderFlyweight;

/** Base of ports that are not network interfaces: no MAC address, no filter, and the MTU of Ethernet. */
public abstract class SoftwarePort implements Port
{
    private final PortRequest request;
    private final RxQueue[] rxQueues;
    private final TxQueue[] txQueues;

    /** Makes a port with one queue of each kind for each worker. */
    protected SoftwarePort(final PortRequest request, final RxQueue[] rxQueues, final TxQueue[] txQueues)
    {
        this.request = request;
        this.rxQueues = rxQueues;
        this.txQueues = txQueues;
    }

    @Override
    public final String name()
    {
        return request.name();
    }

    @Override
    public final int interfaceIndex()
    {
        return 0;
    }

    @Override
    public final long macAddress()
    {
        return 0;
    }

    @Override
    public final int mtu()
    {
        return EthernetHeaderFlyweight.MAX_PAYLOAD_LENGTH;
    }

    @Override
    public final int queueCount()
    {
        return rxQueues.length;
    }

    @Override
    public final RxQueue rxQueue(final int queue)
    {
        return rxQueues[queue];
    }

    @Override
    public final TxQueue txQueue(final int queue)
    {
        return txQueues[queue];
    }
}
