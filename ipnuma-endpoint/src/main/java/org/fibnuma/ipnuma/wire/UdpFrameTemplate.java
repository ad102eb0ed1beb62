package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Ethernet, IPv4 and UDP headers of all frames to one peer, built once and stored as five longs. Only the lengths, the
 * ECN bits and therefore the header checksum differ from frame to frame. Don't Fragment is set. The identification (RFC
 * 6864 section 4.1) and the UDP checksum are 0. Immutable, for any thread.
 */
public final class UdpFrameTemplate
{
    /** Bytes before the UDP payload. */
    public static final int HEADER_LENGTH =
        EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH + UdpHeaderFlyweight.LENGTH;
    /** ECN: the sender ignores marks (RFC 3168 section 5). */
    public static final int NOT_ECN_CAPABLE = 0;
    /** ECN: the sender reduces its rate if a router marks. */
    public static final int ECN_CAPABLE = 2;

    private static final int IPV4_OFFSET = EthernetHeaderFlyweight.LENGTH;
    private static final int UDP_OFFSET = IPV4_OFFSET + Ipv4HeaderFlyweight.MIN_LENGTH;
    private static final int TOTAL_LENGTH_OFFSET = IPV4_OFFSET + Ipv4HeaderFlyweight.TOTAL_LENGTH_OFFSET;
    private static final int TRAFFIC_CLASS_OFFSET = IPV4_OFFSET + Ipv4HeaderFlyweight.TRAFFIC_CLASS_OFFSET;
    private static final int CHECKSUM_OFFSET = IPV4_OFFSET + Ipv4HeaderFlyweight.CHECKSUM_OFFSET;
    private static final int UDP_LENGTH_OFFSET = UDP_OFFSET + UdpHeaderFlyweight.LENGTH_OFFSET;
    private static final int LAST_SHORT_OFFSET = 5 * Long.BYTES;
    private static final int IPV4_AND_UDP_LENGTH = Ipv4HeaderFlyweight.MIN_LENGTH + UdpHeaderFlyweight.LENGTH;
    private static final int TTL = 64;

    private final long bytes0;
    private final long bytes8;
    private final long bytes16;
    private final long bytes24;
    private final long bytes32;
    private final int bytes40;
    /** One's-complement sum of the IPv4 header with length, ECN and checksum 0, not folded. */
    private final int headerSum;

    /**
     * Builds the headers.
     *
     * @param sourceMac       of this port, 48 bits.
     * @param destinationMac  of the peer or of the gateway to it, 48 bits.
     * @param sourceIpv4      of this endpoint.
     * @param destinationIpv4 of the peer.
     * @param sourcePort      UDP port, 0 to 65,535.
     * @param destinationPort UDP port, 0 to 65,535.
     */
    public UdpFrameTemplate(
        final long sourceMac,
        final long destinationMac,
        final int sourceIpv4,
        final int destinationIpv4,
        final int sourcePort,
        final int destinationPort)
    {
        final ByteBuffer header = ByteBuffer.allocate(HEADER_LENGTH + Short.BYTES).order(ByteOrder.BIG_ENDIAN);
        putMac(header, destinationMac);
        putMac(header, sourceMac);
        header.putShort((short)EtherType.IPV4);
        header.putShort((short)(Ipv4HeaderFlyweight.VERSION_4_IHL_5 << 8)).putShort((short)0);
        header.putShort((short)0).putShort((short)Ipv4HeaderFlyweight.FLAG_DF);
        header.put((byte)TTL).put((byte)IpProtocol.UDP).putShort((short)0);
        header.putInt(sourceIpv4).putInt(destinationIpv4);
        header.putShort((short)sourcePort).putShort((short)destinationPort).putInt(0);
        headerSum = sumOf(header);
        header.order(ByteOrder.nativeOrder());
        bytes0 = header.getLong(0);
        bytes8 = header.getLong(Long.BYTES);
        bytes16 = header.getLong(2 * Long.BYTES);
        bytes24 = header.getLong(3 * Long.BYTES);
        bytes32 = header.getLong(4 * Long.BYTES);
        bytes40 = header.getShort(LAST_SHORT_OFFSET);
    }

    /**
     * Writes the headers before a UDP payload.
     *
     * @param frameAddress     of the frame, {@link #HEADER_LENGTH} bytes before the payload.
     * @param udpPayloadLength in bytes, 0 to 65,507.
     * @param ecn              {@link #NOT_ECN_CAPABLE} or {@link #ECN_CAPABLE}.
     * @return bytes of headers and payload, without padding to Ethernet's minimum of 60.
     */
    public int write(final long frameAddress, final int udpPayloadLength, final int ecn)
    {
        FrameMemory.putLong(frameAddress, bytes0);
        FrameMemory.putLong(frameAddress + Long.BYTES, bytes8);
        FrameMemory.putLong(frameAddress + 2 * Long.BYTES, bytes16);
        FrameMemory.putLong(frameAddress + 3 * Long.BYTES, bytes24);
        FrameMemory.putLong(frameAddress + 4 * Long.BYTES, bytes32);
        FrameMemory.putShort(frameAddress + LAST_SHORT_OFFSET, bytes40);
        final int totalLength = IPV4_AND_UDP_LENGTH + udpPayloadLength;
        FrameMemory.putByte(frameAddress + TRAFFIC_CLASS_OFFSET, ecn);
        FrameMemory.putShortBE(frameAddress + TOTAL_LENGTH_OFFSET, totalLength);
        FrameMemory.putShortBE(frameAddress + CHECKSUM_OFFSET, ~fold(headerSum + totalLength + ecn));
        FrameMemory.putShortBE(frameAddress + UDP_LENGTH_OFFSET, UdpHeaderFlyweight.LENGTH + udpPayloadLength);
        return HEADER_LENGTH + udpPayloadLength;
    }

    private static int sumOf(final ByteBuffer header)
    {
        int sum = 0;
        for (int offset = IPV4_OFFSET; offset < UDP_OFFSET; offset += Short.BYTES)
        {
            sum += header.getShort(offset) & 0xFFFF;
        }
        return sum;
    }

    private static int fold(final int sum)
    {
        // The sum of at most eleven 16-bit fields has a carry of up to four bits. Adding it may carry once more.
        final int once = (sum & 0xFFFF) + (sum >>> 16);
        return once + (once >>> 16);
    }

    private static void putMac(final ByteBuffer header, final long mac)
    {
        for (int shift = (MacAddress.LENGTH - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE)
        {
            header.put((byte)(mac >>> shift));
        }
    }
}
