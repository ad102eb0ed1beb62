package org.fibnuma.fibnic.adjacency;

import org.agrona.collections.IntObjConsumer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.fibnuma.core.wire.IpAddress;

/** Reads the requests of {@link NeighborResolveProxy}. Control thread. */
public final class NeighborResolvePoller
{
    private final RingBuffer commands;
    private final MessageHandler onMessage;

    /**
     * Reads the requests of some workers.
     *
     * @param commands  that the proxies write.
     * @param onResolve called with the number of the interface and the address of a neighbour, once a second while
     *                  frames wait for it.
     */
    public NeighborResolvePoller(final RingBuffer commands, final IntObjConsumer<IpAddress> onResolve)
    {
        this.commands = commands;
        this.onMessage = (type, buffer, index, length) -> onResolve.accept(
            buffer.getInt(index + NeighborResolveProxy.INTERFACE_OFFSET),
            new IpAddress(
                buffer.getLong(index + NeighborResolveProxy.ADDRESS_HIGH_OFFSET),
                buffer.getLong(index + NeighborResolveProxy.ADDRESS_LOW_OFFSET)));
    }

    /** Handles waiting requests up to a limit; returns the number of handled ones. */
    public int poll(final int limit)
    {
        return commands.read(onMessage, limit);
    }
}
