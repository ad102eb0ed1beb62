package org.fibnuma.pfc.wire;

import org.fibnuma.core.wire.EthernetHeaderFlyweight;

/** What all MAC control frames have in common (IEEE 802.3 clause 31 and Annex 31A). */
public final class MacControl
{
    /** {@code 01:80:c2:00:00:01}, where every PAUSE and PFC frame goes; no bridge passes it on. */
    public static final long DESTINATION = 0x0180_C200_0001L;
    /** Offset of the opcode from the first byte of the frame. */
    public static final int OPCODE_OFFSET = EthernetHeaderFlyweight.LENGTH;
    /** Offset of what the opcode defines. */
    public static final int PARAMETERS_OFFSET = OPCODE_OFFSET + Short.BYTES;
    /** Opcode of PAUSE: the whole link stops (IEEE 802.3 Annex 31B). */
    public static final int OPCODE_PAUSE = 0x0001;
    /** Opcode of PFC: named priorities stop (IEEE 802.1Qbb, IEEE 802.3 Annex 31D). Some data sheets print 0x1001. */
    public static final int OPCODE_PFC = 0x0101;
    /** Bytes of every MAC control frame before its FCS; what is not used is zero. */
    public static final int FRAME_LENGTH = EthernetHeaderFlyweight.MIN_FRAME_LENGTH;
    /** Priorities of a link (IEEE 802.1Q priority code points), each of which PFC stops by itself. */
    public static final int PRIORITIES = 8;
    /** Longest pause that a frame can ask for, in quanta. */
    public static final int MAX_QUANTA = 0xFFFF;

    private MacControl()
    {
    }
}
