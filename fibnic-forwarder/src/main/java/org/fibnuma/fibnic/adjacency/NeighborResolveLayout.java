package org.fibnuma.fibnic.adjacency;

/** The message from {@link NeighborResolveProxy} to {@link NeighborResolvePoller}, in machine order. */
final class NeighborResolveLayout
{
    static final int MESSAGE_TYPE = 1;

    static final int PORT_OFFSET = 0;
    static final int ADDRESS_OFFSET = PORT_OFFSET + Integer.BYTES;
    static final int LENGTH = ADDRESS_OFFSET + Integer.BYTES;

    private NeighborResolveLayout()
    {
    }
}
