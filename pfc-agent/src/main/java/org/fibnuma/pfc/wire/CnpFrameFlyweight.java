package org.fibnuma.pfc.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

/**
 * Congestion notification packet of RoCEv2 (InfiniBand Architecture, Annex A17.9.3), from the first byte of its IPv4
 * header: IPv4, UDP, base transport header, 16 zero bytes, invariant CRC. It notifies a sender that a router has marked
 * its packets.
 */
public final class CnpFrameFlyweight
{
    /** UDP destination port of RoCEv2 (IANA: roce). */
    public static final int UDP_PORT = 4791;
    /** Bytes from the IPv4 header to the end of the CRC. */
    public static final int LENGTH = 60;
    /** Opcode, the first byte of the base transport header. */
    public static final int OPCODE = 0x81;
    /** Offset of the byte with the BECN bit in the base transport header. */
    public static final int BECN_OFFSET = 4;

    private static final int TRANSPORT_OFFSET = Ipv4HeaderFlyweight.MIN_LENGTH + UdpHeaderFlyweight.LENGTH;
    private static final int PARTITION_KEY_OFFSET = TRANSPORT_OFFSET + 2;
    private static final int QUEUE_PAIR_OFFSET = TRANSPORT_OFFSET + 4;
    private static final int CRC_OFFSET = LENGTH - InvariantCrc.LENGTH;
    private static final int DEFAULT_PARTITION = 0xFFFF;
    private static final int BECN = 0x40;
    private static final int QUEUE_PAIR_MASK = 0xFF_FFFF;

    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private final UdpHeaderFlyweight udp = new UdpHeaderFlyweight();
    private final InvariantCrc crc = new InvariantCrc();
    private long address;

    /** Sets the address of the packet to read or write: the first byte of its IPv4 header. */
    public CnpFrameFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /**
     * Writes a whole packet with UDP source port 0.
     *
     * @param trafficClass   DSCP and ECN bits; a network may give notifications a priority of their own.
     * @param identification of the IPv4 packet, 0 to 65,535.
     * @param source         IPv4 address of the receiver of the marked packets, in host byte order.
     * @param destination    IPv4 address of the sender of the marked packets.
     * @param queuePair      of the sender, 24 bits.
     */
    public CnpFrameFlyweight compose(
        final int trafficClass,
        final int identification,
        final int source,
        final int destination,
        final int queuePair)
    {
        FrameMemory.zero(address, LENGTH);
        ipv4.wrap(address)
            .versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5).trafficClass(trafficClass).totalLength(LENGTH)
            .identification(identification).flagsAndFragmentOffset(Ipv4HeaderFlyweight.FLAG_DF)
            .ttl(64).protocol(IpProtocol.UDP).source(source).destination(destination).computeChecksum();
        udp.wrap(address + Ipv4HeaderFlyweight.MIN_LENGTH)
            .ports(0, UDP_PORT).lengthWithoutChecksum(LENGTH - Ipv4HeaderFlyweight.MIN_LENGTH);
        FrameMemory.putByte(address + TRANSPORT_OFFSET, OPCODE);
        FrameMemory.putShortBE(address + PARTITION_KEY_OFFSET, DEFAULT_PARTITION);
        FrameMemory.putIntBE(address + QUEUE_PAIR_OFFSET, BECN << 24 | queuePair & QUEUE_PAIR_MASK);
        InvariantCrc.write(address + CRC_OFFSET, crc.of(address, CRC_OFFSET));
        return this;
    }

    /** {@return whether the bytes, {@code length} from the IPv4 header on, are a notification with a correct CRC} */
    public boolean isValid(final int length)
    {
        return length >= LENGTH &&
            ipv4.wrap(address).versionAndIhl() == Ipv4HeaderFlyweight.VERSION_4_IHL_5 &&
            ipv4.totalLength() == LENGTH &&
            ipv4.protocol() == IpProtocol.UDP &&
            udp.wrap(address + Ipv4HeaderFlyweight.MIN_LENGTH).destinationPort() == UDP_PORT &&
            (FrameMemory.getByte(address + TRANSPORT_OFFSET) & 0xFF) == OPCODE &&
            InvariantCrc.read(address + CRC_OFFSET) == crc.of(address, CRC_OFFSET);
    }

    /** {@return the queue pair of the sender of the marked packets, 24 bits} */
    public int queuePair()
    {
        return FrameMemory.getIntBE(address + QUEUE_PAIR_OFFSET) & QUEUE_PAIR_MASK;
    }
}
