package org.fibnuma.pfc.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

/** PFC frame (IEEE 802.1Qbb, IEEE 802.3 Annex 31D), from the first byte of its Ethernet header. */
public final class PfcFrameFlyweight
{
    /** Offset of the class-enable vector: bit n is set if the time of priority n is valid. */
    public static final int CLASS_ENABLE_OFFSET = MacControl.PARAMETERS_OFFSET;
    /** Offset of the time of priority 0; the times of the other priorities follow. */
    public static final int QUANTA_OFFSET = CLASS_ENABLE_OFFSET + Short.BYTES;
    /** Offset after the last field. */
    public static final int END_OFFSET = QUANTA_OFFSET + MacControl.PRIORITIES * Short.BYTES;

    private static final int CLASS_ENABLE_MASK = 0xFF;

    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private long address;

    /** Sets the address of the frame to read or write. */
    public PfcFrameFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /**
     * Writes a whole frame of {@link MacControl#FRAME_LENGTH} bytes without any priority enabled. The source is the MAC
     * address of the sending port.
     */
    public PfcFrameFlyweight compose(final long source)
    {
        MacControl.compose(ethernet, address, source, MacControl.OPCODE_PFC);
        return this;
    }

    /** Enables a priority, 0 to 7, and sets its pause time in quanta, 0 to 65,535; 0 ends its pause. */
    public PfcFrameFlyweight pause(final int priority, final int quanta)
    {
        FrameMemory.putShortBE(address + CLASS_ENABLE_OFFSET, classEnable() | 1 << priority);
        FrameMemory.putShortBE(address + QUANTA_OFFSET + priority * Short.BYTES, quanta);
        return this;
    }

    /** {@return the opcode of the MAC control frame, 0 to 65,535} */
    public int opcode()
    {
        return FrameMemory.getShortBE(address + MacControl.OPCODE_OFFSET);
    }

    /** {@return the enabled priorities, bit n for priority n, without the reserved upper byte of the field} */
    public int classEnable()
    {
        return FrameMemory.getShortBE(address + CLASS_ENABLE_OFFSET) & CLASS_ENABLE_MASK;
    }

    /** {@return how long a priority, 0 to 7, is to stop, in quanta of 512 bit times; invalid if it is not enabled} */
    public int quanta(final int priority)
    {
        return FrameMemory.getShortBE(address + QUANTA_OFFSET + priority * Short.BYTES);
    }
}
