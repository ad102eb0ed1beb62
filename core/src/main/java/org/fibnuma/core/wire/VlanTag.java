package org.fibnuma.core.wire;

/**
 * IEEE 802.1Q tag between the MAC addresses and the EtherType of a frame (clause 9): EtherType, then PCP, DEI and VID.
 */
public final class VlanTag
{
    /** Length of the tag in bytes. */
    public static final int LENGTH = 4;
    /** Offset of PCP, DEI and VID in a tagged frame. */
    public static final int CONTROL_OFFSET = EthernetHeaderFlyweight.LENGTH;
    /** Offset of the payload's EtherType in a tagged frame. */
    public static final int INNER_ETHER_TYPE_OFFSET = CONTROL_OFFSET + Short.BYTES;
    /** Shift of the priority code point in the control field. */
    public static final int PCP_SHIFT = 13;
    /** Mask of the VLAN identifier in the control field; VID 0 marks a tag that has a priority only. */
    public static final int VID_MASK = 0xFFF;

    private VlanTag()
    {
    }
}
