package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/** UDP header (RFC 768). */
public final class UdpHeaderFlyweight
{
    public static final int SOURCE_PORT_OFFSET = 0;
    public static final int DESTINATION_PORT_OFFSET = SOURCE_PORT_OFFSET + Short.BYTES;
    /** Offset of the length of header and data. */
    public static final int LENGTH_OFFSET = DESTINATION_PORT_OFFSET + Short.BYTES;
    /** Offset of the checksum; 0 means none. */
    public static final int CHECKSUM_OFFSET = LENGTH_OFFSET + Short.BYTES;
    public static final int LENGTH = CHECKSUM_OFFSET + Short.BYTES;

    private long address;

    /** Places this view over the header at a native address and returns this view. */
    public UdpHeaderFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /** Returns the source UDP port, 0 to 65,535. */
    public int sourcePort()
    {
        return FrameMemory.getShortBE(address + SOURCE_PORT_OFFSET);
    }

    /** Returns the destination UDP port, 0 to 65,535. */
    public int destinationPort()
    {
        return FrameMemory.getShortBE(address + DESTINATION_PORT_OFFSET);
    }

    /** Sets both UDP ports, 0 to 65,535 each. */
    public UdpHeaderFlyweight ports(final int sourcePort, final int destinationPort)
    {
        FrameMemory.putShortBE(address + SOURCE_PORT_OFFSET, sourcePort);
        FrameMemory.putShortBE(address + DESTINATION_PORT_OFFSET, destinationPort);
        return this;
    }

    /** Returns the length of header and data in bytes. */
    public int length()
    {
        return FrameMemory.getShortBE(address + LENGTH_OFFSET);
    }

    /** Returns the checksum over pseudo-header, header and data, 0 to 65,535; 0 means none. */
    public int checksum()
    {
        return FrameMemory.getShortBE(address + CHECKSUM_OFFSET);
    }

    /** Sets the length of header and data in bytes, and the checksum to 0 (none). */
    public UdpHeaderFlyweight lengthWithoutChecksum(final int length)
    {
        FrameMemory.putShortBE(address + LENGTH_OFFSET, length);
        FrameMemory.putShortBE(address + CHECKSUM_OFFSET, 0);
        return this;
    }

    /**
     * Computes the checksum of a datagram directly after the IPv6 header at a native address, and stores it. The
     * length, the data and both addresses of the header are set already.
     */
    public UdpHeaderFlyweight computeChecksumOverIpv6(final long ipv6Header)
    {
        FrameMemory.putShortBE(address + CHECKSUM_OFFSET, 0);
        final int length = length();
        final int checksum = InternetChecksum.finish(InternetChecksum.sum(
            address, length, InternetChecksum.pseudoHeaderSumIpv6(ipv6Header, IpProtocol.UDP, length)));
        // RFC 8200 section 8.1: a result of 0 is sent as 0xFFFF.
        FrameMemory.putShortBE(address + CHECKSUM_OFFSET, checksum == 0 ? 0xFFFF : checksum);
        return this;
    }
}
