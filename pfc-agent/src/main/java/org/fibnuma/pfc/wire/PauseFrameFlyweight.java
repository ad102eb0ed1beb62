package org.fibnuma.pfc.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

/** PAUSE frame (IEEE 802.3 Annex 31B), from the first byte of its Ethernet header. */
public final class PauseFrameFlyweight
{
    /** Offset of the pause time in quanta of 512 bit times. */
    public static final int QUANTA_OFFSET = MacControl.PARAMETERS_OFFSET;
    /** Offset after the last field. */
    public static final int END_OFFSET = QUANTA_OFFSET + Short.BYTES;

    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private long address;

    /** Sets the address of the frame to read or write. */
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
     */
    public PauseFrameFlyweight compose(final long source, final int quanta)
    {
        MacControl.compose(ethernet, address, source, MacControl.OPCODE_PAUSE);
        FrameMemory.putShortBE(address + QUANTA_OFFSET, quanta);
        return this;
    }

    /** {@return how long the receiver is to stop, in quanta of 512 bit times; 0 ends a pause} */
    public int quanta()
    {
        return FrameMemory.getShortBE(address + QUANTA_OFFSET);
    }
}
