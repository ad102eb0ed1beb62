package org.fibnuma.fibnic.adjacency;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.fibnuma.core.wire.IpAddress;

/**
 * Sends requests of a worker to the control thread to resolve a neighbour's link-layer address. The result is a change
 * of the {@link AdjacencyTable} or the FIB. Never blocks, allocates nothing.
 */
public final class NeighborResolveProxy
{
    static final int INTERFACE_OFFSET = 0;
    static final int ADDRESS_HIGH_OFFSET = INTERFACE_OFFSET + Long.BYTES;
    static final int ADDRESS_LOW_OFFSET = ADDRESS_HIGH_OFFSET + Long.BYTES;
    private static final int LENGTH = ADDRESS_LOW_OFFSET + Long.BYTES;
    private static final int MESSAGE_TYPE = 1;

    private final RingBuffer commands;

    /** Takes the ring that a {@link NeighborResolvePoller} reads; for several workers it has several producers. */
    public NeighborResolveProxy(final RingBuffer commands)
    {
        this.commands = commands;
    }

    /**
     * Requests the resolution of a neighbour.
     *
     * @param number of the interface by which the neighbour is reached, see
     *               {@link org.fibnuma.core.frame.InterfaceNumber}.
     * @param high   first half of the address of the neighbour, as {@link IpAddress#high}.
     * @param low    second half of the address, as {@link IpAddress#low}.
     * @return false if the ring is full; try again later.
     */
    public boolean resolve(final int number, final long high, final long low)
    {
        final int index = commands.tryClaim(MESSAGE_TYPE, LENGTH);
        if (index < 0)
        {
            return false;
        }
        final AtomicBuffer buffer = commands.buffer();
        buffer.putInt(index + INTERFACE_OFFSET, number);
        buffer.putLong(index + ADDRESS_HIGH_OFFSET, high);
        buffer.putLong(index + ADDRESS_LOW_OFFSET, low);
        commands.commit(index);
        return true;
    }
}
