package org.fibnuma.core.wire;

/** The tag between the addresses and the EtherType of a frame (IEEE 802.1Q clause 9): EtherType, then PCP, DEI, VID. */
public final class VlanTag
{
    /** Bytes that it adds to a frame. */
    public static final int LENGTH = 4;
    /** Offset of PCP, DEI and VID in a tagged frame. */
    public static final int CONTROL_OFFSET = EthernetHeaderFlyweight.LENGTH;
    /** Offset of what is the EtherType in the frame without the tag. */
    public static final int INNER_ETHER_TYPE_OFFSET = CONTROL_OFFSET + Short.BYTES;
    /** Where the priority code point starts in the control field. */
    public static final int PCP_SHIFT = 13;
    /** The VLAN identifier in the control field; 0 in a tag that says a priority only. */
    public static final int VID_MASK = 0xFFF;

    private VlanTag()
    {
    }
}
