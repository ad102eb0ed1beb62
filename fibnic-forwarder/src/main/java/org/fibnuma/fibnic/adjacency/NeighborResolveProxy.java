package org.fibnuma.fibnic.adjacency;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/**
 * A worker's door to the control thread: asks it to resolve a neighbour's link-layer address. The answer comes as a
 * change of the {@link AdjacencyTable} or the FIB. Never blocks, allocates nothing.
 */
public final class NeighborResolveProxy
{
    private final RingBuffer commands;

    /**
     * A door to whoever reads a ring.
     *
     * @param commands read by a {@link NeighborResolvePoller}; one that several producers may write where there are
     *                 several workers.
     */
    public NeighborResolveProxy(final RingBuffer commands)
    {
        this.commands = commands;
    }

    /**
     * Asks for a neighbour.
     *
     * @param port    index of the port that it is behind.
     * @param address its IPv4 address.
     * @return false where the ring is full: ask again later.
     */
    public boolean resolve(final int port, final int address)
    {
        final int index = commands.tryClaim(NeighborResolveLayout.MESSAGE_TYPE, NeighborResolveLayout.LENGTH);
        if (index < 0)
        {
            return false;
        }
        final AtomicBuffer buffer = commands.buffer();
        buffer.putInt(index + NeighborResolveLayout.PORT_OFFSET, port);
        buffer.putInt(index + NeighborResolveLayout.ADDRESS_OFFSET, address);
        commands.commit(index);
        return true;
    }
}
