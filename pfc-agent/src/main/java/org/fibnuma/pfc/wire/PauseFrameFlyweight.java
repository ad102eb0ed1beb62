package org.fibnuma.pfc.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

/** PAUSE frame (IEEE 802.3 Annex 31B), from the first byte of its Ethernet header. */
public final class PauseFrameFlyweight
{
    /** Offset of the time to stop for, in quanta of 512 bit times. */
    public static final int QUANTA_OFFSET = MacControl.PARAMETERS_OFFSET;
    /** Offset behind the last field. */
    public static final int END_OFFSET = QUANTA_OFFSET + Short.BYTES;

    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private long address;

    /**
     * Lays this view over a frame.
     *
     * @param address of its first byte.
     * @return this.
     */
    public PauseFrameFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /**
     * Writes a whole frame of {@link MacControl#FRAME_LENGTH} bytes.
     *
     * @param source MAC address of the sending port.
     * @param quanta 0 to 65,535; 0 ends a pause.
     * @return this.
     */
    public PauseFrameFlyweight compose(final long source, final int quanta)
    {
        ethernet.wrap(address)
            .destination(MacControl.DESTINATION).source(source).etherType(EtherType.MAC_CONTROL);
        FrameMemory.zero(address + MacControl.OPCODE_OFFSET, MacControl.FRAME_LENGTH - MacControl.OPCODE_OFFSET);
        FrameMemory.putShortBE(address + MacControl.OPCODE_OFFSET, MacControl.OPCODE_PAUSE);
        FrameMemory.putShortBE(address + QUANTA_OFFSET, quanta);
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
     * How long the receiver is to stop.
     *
     * @return quanta of 512 bit times; 0 ends a pause.
     */
    public int quanta()
    {
        return FrameMemory.getShortBE(address + QUANTA_OFFSET);
    }
}
