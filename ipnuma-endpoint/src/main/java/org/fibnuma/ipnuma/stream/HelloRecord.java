package org.fibnuma.ipnuma.stream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.fibnuma.ipnuma.table.PageMap;

/**
 * Request for a connection. The connecting program stores it into a hello slot that it has claimed by a compare and
 * swap of the first 8 bytes.
 *
 * @param peerId   PC ID of the connecting program's endpoint.
 * @param regionId of the connecting program's region.
 * @param key      of that region.
 * @param layout   of that region.
 * @param slot     for the connection in that region.
 * @param tag      of that slot.
 * @param fromPort port of the connecting end.
 * @param port     to connect to.
 */
record HelloRecord(
    int peerId, int regionId, long key, StreamLayout layout, int slot, int tag, int fromPort, int port)
{
    /** 8 bytes: claim, 0 while the slot is free. */
    static final int CLAIM_OFFSET = 0;
    /** First byte of the record behind the claim. */
    static final int BODY_OFFSET = CLAIM_OFFSET + Long.BYTES;
    /** 8 bytes: the claim again, which takes effect last. */
    static final int COMPLETE_OFFSET = StreamLayout.HELLO_LENGTH - Long.BYTES;
    static final int BODY_LENGTH = StreamLayout.HELLO_LENGTH - BODY_OFFSET;

    private static final int KEY_OFFSET = BODY_OFFSET;
    private static final int PEER_OFFSET = KEY_OFFSET + Long.BYTES;
    private static final int REGION_OFFSET = PEER_OFFSET + Integer.BYTES;
    private static final int LAYOUT_OFFSET = REGION_OFFSET + Integer.BYTES;
    private static final int SLOT_OFFSET = LAYOUT_OFFSET + Integer.BYTES;
    private static final int TAG_OFFSET = SLOT_OFFSET + Integer.BYTES;
    private static final int FROM_OFFSET = TAG_OFFSET + Integer.BYTES;
    private static final int PORT_OFFSET = FROM_OFFSET + Integer.BYTES;

    void write(final MutableDirectBuffer buffer, final long claim)
    {
        buffer.putLong(CLAIM_OFFSET, claim);
        buffer.putLong(KEY_OFFSET, key);
        buffer.putInt(PEER_OFFSET, peerId);
        buffer.putInt(REGION_OFFSET, regionId);
        buffer.putInt(LAYOUT_OFFSET, layout.pack());
        buffer.putInt(SLOT_OFFSET, slot);
        buffer.putInt(TAG_OFFSET, tag);
        buffer.putInt(FROM_OFFSET, fromPort);
        buffer.putInt(PORT_OFFSET, port);
        buffer.putLong(COMPLETE_OFFSET, claim);
    }

    /** Returns the record of a copied slot, or null if a value is out of range. */
    static HelloRecord read(final DirectBuffer copy)
    {
        final int peerId = copy.getInt(PEER_OFFSET);
        final int regionId = copy.getInt(REGION_OFFSET);
        final StreamLayout layout = StreamLayout.unpack(copy.getInt(LAYOUT_OFFSET));
        final int slot = copy.getInt(SLOT_OFFSET);
        final int tag = copy.getInt(TAG_OFFSET);
        final int fromPort = copy.getInt(FROM_OFFSET);
        final int port = copy.getInt(PORT_OFFSET);
        final boolean valid = isIn(peerId, PageMap.MAX_PC_ID) && isIn(regionId, 0xFFFF) && layout != null &&
            slot >= 0 && slot < layout.connections() && isIn(tag, SlotHeader.MAX_TAG) &&
            isIn(fromPort, IpnumaSocketAddress.MAX_PORT) && isIn(port, IpnumaSocketAddress.MAX_PORT);
        return valid ?
            new HelloRecord(peerId, regionId, copy.getLong(KEY_OFFSET), layout, slot, tag, fromPort, port) : null;
    }

    private static boolean isIn(final int value, final int max)
    {
        return value >= 1 && value <= max;
    }
}
