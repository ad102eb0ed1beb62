package org.fibnuma.core.port;

import org.fibnuma.core.wire.EthernetHeaderFlyweight;

/**
 * Base of ports that are not network interfaces: no MAC address, no filter, and the MTU of Ethernet.
 *
 * @param <R> class of the receive queues
 * @param <T> class of the transmit queues
 */
public abstract class SoftwarePort<R extends RxQueue, T extends TxQueue> implements Port
{
    /** One for each worker. */
    protected final R[] rxQueues;
    /** One for each worker. */
    protected final T[] txQueues;
    private final String scheme;
    private final PortRequest request;

    /** Makes a port of a scheme. The arrays may be filled later. */
    protected SoftwarePort(final String scheme, final PortRequest request, final R[] rxQueues, final T[] txQueues)
    {
        this.scheme = scheme;
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
    public final String device()
    {
        return scheme + ":" + request.device();
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
