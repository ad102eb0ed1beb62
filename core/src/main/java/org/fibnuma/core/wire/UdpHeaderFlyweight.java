package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/** UDP header (RFC 768). */
public final class UdpHeaderFlyweight
{
    /** Offset of the source port. */
    public static final int SOURCE_PORT_OFFSET = 0;
    /** Offset of the destination port. */
    public static final int DESTINATION_PORT_OFFSET = SOURCE_PORT_OFFSET + Short.BYTES;
    /** Offset of the length of header and data. */
    public static final int LENGTH_OFFSET = DESTINATION_PORT_OFFSET + Short.BYTES;
    /** Offset of the checksum; 0 stands for none. */
    public static final int CHECKSUM_OFFSET = LENGTH_OFFSET + Short.BYTES;
    /** Length of the header. */
    public static final int LENGTH = CHECKSUM_OFFSET + Short.BYTES;

    private long address;

    /**
     * Lays this view over a header.
     *
     * @param address of its first byte.
     * @return this.
     */
    public UdpHeaderFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /**
     * Source port.
     *
     * @return 0 to 65,535.
     */
    public int sourcePort()
    {
        return FrameMemory.getShortBE(address + SOURCE_PORT_OFFSET);
    }

    /**
     * Destination port.
     *
     * @return 0 to 65,535.
     */
    public int destinationPort()
    {
        return FrameMemory.getShortBE(address + DESTINATION_PORT_OFFSET);
    }

    /**
     * Sets both ports.
     *
     * @param sourcePort      0 to 65,535.
     * @param destinationPort 0 to 65,535.
     * @return this.
     */
    public UdpHeaderFlyweight ports(final int sourcePort, final int destinationPort)
    {
        FrameMemory.putShortBE(address + SOURCE_PORT_OFFSET, sourcePort);
        FrameMemory.putShortBE(address + DESTINATION_PORT_OFFSET, destinationPort);
        return this;
    }

    /**
     * Length of header and data.
     *
     * @return bytes.
     */
    public int length()
    {
        return FrameMemory.getShortBE(address + LENGTH_OFFSET);
    }

    /**
     * Checksum over pseudo-header, header and data.
     *
     * @return 0 for none, to 65,535.
     */
    public int checksum()
    {
        return FrameMemory.getShortBE(address + CHECKSUM_OFFSET);
    }

    /**
     * Sets the length of header and data, and the checksum to "none".
     *
     * @param length in bytes.
     * @return this.
     */
    public UdpHeaderFlyweight lengthWithoutChecksum(final int length)
    {
        FrameMemory.putShortBE(address + LENGTH_OFFSET, length);
        FrameMemory.putShortBE(address + CHECKSUM_OFFSET, 0);
        return this;
    }
}
