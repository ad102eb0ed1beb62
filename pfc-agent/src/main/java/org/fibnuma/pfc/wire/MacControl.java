package org.fibnuma.pfc.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

/** Fields that all MAC control frames have in common (IEEE 802.3 clause 31 and Annex 31A). */
public final class MacControl
{
    /** {@code 01:80:c2:00:00:01}, the destination of all PAUSE and PFC frames, which bridges do not forward. */
    public static final long DESTINATION = 0x0180_C200_0001L;
    /** Offset of the opcode from the first byte of the frame. */
    public static final int OPCODE_OFFSET = EthernetHeaderFlyweight.LENGTH;
    /** Offset of the fields that the opcode defines. */
    public static final int PARAMETERS_OFFSET = OPCODE_OFFSET + Short.BYTES;
    /** Opcode of PAUSE: the whole link stops (IEEE 802.3 Annex 31B). */
    public static final int OPCODE_PAUSE = 0x0001;
    /** Opcode of PFC: single priorities stop (IEEE 802.1Qbb, IEEE 802.3 Annex 31D). Some data sheets print 0x1001. */
    public static final int OPCODE_PFC = 0x0101;
    /** Bytes of every MAC control frame without FCS; unused bytes are zero. */
    public static final int FRAME_LENGTH = EthernetHeaderFlyweight.MIN_FRAME_LENGTH;
    /** Priorities of a link (IEEE 802.1Q priority code points), which PFC pauses one by one. */
    public static final int PRIORITIES = 8;
    /** Longest pause that a frame can request, in quanta. */
    public static final int MAX_QUANTA = 0xFFFF;

    private MacControl()
    {
    }

    /** Writes the header and opcode of a frame and zeros after them. */
    static void compose(
        final EthernetHeaderFlyweight ethernet, final long address, final long source, final int opcode)
    {
        ethernet.wrap(address).destination(DESTINATION).source(source).etherType(EtherType.MAC_CONTROL);
        FrameMemory.zero(address + OPCODE_OFFSET, FRAME_LENGTH - OPCODE_OFFSET);
        FrameMemory.putShortBE(address + OPCODE_OFFSET, opcode);
    }
}
