package org.fibnuma.ipnuma.stream;

import org.agrona.DirectBuffer;

/**
 * Entry of a listening port: the region of the listening program, with an id of 1 to 65,535, into which peers store
 * hello records. Written by the listening program, read by peers.
 */
record PortEntry(int regionId, long key, StreamLayout layout)
{
    /** 8 bytes: owner, 0 if no program listens. */
    static final int OWNER_OFFSET = 0;
    static final int REGION_OFFSET = OWNER_OFFSET + Long.BYTES;
    static final int LAYOUT_OFFSET = REGION_OFFSET + Integer.BYTES;
    static final int KEY_OFFSET = LAYOUT_OFFSET + Integer.BYTES;
    /** 8 bytes: the owner again, written last. Another value means that the entry is incomplete. */
    static final int COMPLETE_OFFSET = KEY_OFFSET + Long.BYTES;
    static final int LENGTH = COMPLETE_OFFSET + Long.BYTES;

    /** Returns the entry at an index of a buffer, or null if no program listens or the entry is invalid. */
    static PortEntry read(final DirectBuffer buffer, final int index)
    {
        final long owner = buffer.getLong(index + OWNER_OFFSET);
        final int regionId = buffer.getInt(index + REGION_OFFSET);
        final StreamLayout layout = StreamLayout.unpack(buffer.getInt(index + LAYOUT_OFFSET));
        if (owner == 0 || owner != buffer.getLong(index + COMPLETE_OFFSET) || layout == null ||
            regionId < 1 || regionId > 0xFFFF)
        {
            return null;
        }
        return new PortEntry(regionId, buffer.getLong(index + KEY_OFFSET), layout);
    }
}
