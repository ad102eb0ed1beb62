package org.fibnuma.pfc.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

/** PFC frame (IEEE 802.1Qbb, IEEE 802.3 Annex 31D), from the first byte of its Ethernet header. */
public final class PfcFrameFlyweight
{
    /** Offset of the vector whose bit n says that the frame speaks of priority n. */
    public static final int CLASS_ENABLE_OFFSET = MacControl.PARAMETERS_OFFSET;
    /** Offset of the time of priority 0; those of the others follow. */
    public static final int QUANTA_OFFSET = CLASS_ENABLE_OFFSET + Short.BYTES;
    /** Offset behind the last field. */
    public static final int END_OFFSET = QUANTA_OFFSET + MacControl.PRIORITIES * Short.BYTES;

    private static final int CLASS_ENABLE_MASK = 0xFF;

    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private long address;

    /**
     * Lays this view over a frame.
     *
     * @param address of its first byte.
     * @return this.
     */
    public PfcFrameFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /**
     * Writes a whole frame of {@link MacControl#FRAME_LENGTH} bytes which speaks of no priority yet.
     *
     * @param source MAC address of the sending port.
     * @return this.
     */
    public PfcFrameFlyweight compose(final long source)
    {
        ethernet.wrap(address)
            .destination(MacControl.DESTINATION).source(source).etherType(EtherType.MAC_CONTROL);
        FrameMemory.zero(address + MacControl.OPCODE_OFFSET, MacControl.FRAME_LENGTH - MacControl.OPCODE_OFFSET);
        FrameMemory.putShortBE(address + MacControl.OPCODE_OFFSET, MacControl.OPCODE_PFC);
        return this;
    }

    /**
     * Lets the frame speak of a priority.
     *
     * @param priority 0 to 7.
     * @param quanta   how long it is to stop, 0 to 65,535; 0 ends its pause.
     * @return this.
     */
    public PfcFrameFlyweight pause(final int priority, final int quanta)
    {
        FrameMemory.putShortBE(address + CLASS_ENABLE_OFFSET, classEnable() | 1 << priority);
        FrameMemory.putShortBE(address + QUANTA_OFFSET + priority * Short.BYTES, quanta);
        return this;
    }

    /**
     * What kind of MAC control frame it is.
     *
     * @return the opcode, 0 to 65,535.
     */
    public int opcode()
    {
        return FrameMemory.getShortBE(address + MacControl.OPCODE_OFFSET);
    }

    /**
     * Which priorities the frame speaks of.
     *
     * @return bit n for priority n; the reserved upper byte of the field is left out.
     */
    public int classEnable()
    {
        return FrameMemory.getShortBE(address + CLASS_ENABLE_OFFSET) & CLASS_ENABLE_MASK;
    }

    /**
     * How long a priority is to stop.
     *
     * @param priority 0 to 7.
     * @return quanta of 512 bit times; to be ignored where its bit of {@link #classEnable()} is 0.
     */
    public int quanta(final int priority)
    {
        return FrameMemory.getShortBE(address + QUANTA_OFFSET + priority * Short.BYTES);
    }
}
