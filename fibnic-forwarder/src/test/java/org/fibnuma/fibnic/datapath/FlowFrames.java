package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.wire.IpAddress;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Tuples of flows, and their packets with correct checksums, made without any of the code under test. */
final class FlowFrames
{
    static final int TCP = 6;
    static final int UDP = 17;
    static final int ICMP = 1;
    static final int ICMPV6 = 58;
    static final int SCTP = 132;
    static final int UDP_LITE = 136;
    static final int ACK = 0x10;
    private static final int HOP_LIMIT_AFTER = 63;
    private static final int TTL = TestFrame.ETHERNET + 8;
    private static final int HOP_LIMIT = TestFrame.ETHERNET + 7;

    private FlowFrames()
    {
    }

    static FlowTuple tuple(
        final int protocol, final String source, final int sourcePort, final String destination, final int port)
    {
        final IpAddress from = IpAddress.parse(source);
        final IpAddress to = IpAddress.parse(destination);
        return new FlowTuple(from.high(), from.low(), to.high(), to.low(), protocol, sourcePort, port);
    }

    /** A packet of a tuple with some data, to the router's MAC address of a port. */
    static byte[] frame(final int port, final FlowTuple tuple)
    {
        return frame(port, tuple, ACK, 11);
    }

    static byte[] frame(final int port, final FlowTuple tuple, final int flags, final int data)
    {
        return tuple.isIpv6() ? ipv6(port, tuple, flags, data).bytes() : ipv4(port, tuple, flags, data).bytes();
    }

    static TestFrame ipv4(final int port, final FlowTuple tuple, final int flags, final int data)
    {
        final byte[] pseudoHeader = ByteBuffer.allocate(8)
            .putInt((int)tuple.sourceLow()).putInt((int)tuple.destinationLow()).array();
        return TestFrame.ipv4().to("02:00:00:00:01:0" + port).protocol(tuple.protocol())
            .source((int)tuple.sourceLow()).destination((int)tuple.destinationLow())
            .payload(segment(tuple, flags, data, pseudoHeader));
    }

    static TestFrame6 ipv6(final int port, final FlowTuple tuple, final int flags, final int data)
    {
        final byte[] pseudoHeader = ByteBuffer.allocate(32)
            .putLong(tuple.sourceHigh()).putLong(tuple.sourceLow())
            .putLong(tuple.destinationHigh()).putLong(tuple.destinationLow()).array();
        return TestFrame6.ipv6().to("02:00:00:00:01:0" + port).nextHeader(tuple.protocol())
            .source(IpAddress.format(tuple.sourceHigh(), tuple.sourceLow()))
            .destination(IpAddress.format(tuple.destinationHigh(), tuple.destinationLow()))
            .payload(segment(tuple, flags, data, pseudoHeader));
    }

    private static byte[] segment(final FlowTuple tuple, final int flags, final int data, final byte[] addresses)
    {
        final int header = tuple.protocol() == TCP ? 20 : tuple.protocol() == SCTP ? 16 : 8;
        final ByteBuffer segment = ByteBuffer.allocate(header + data);
        if (tuple.isIcmp())
        {
            segment.putShort((short)tuple.destinationPort()).putShort((short)0)
                .putShort((short)tuple.sourcePort()).putShort((short)3);
        }
        else
        {
            segment.putShort((short)tuple.sourcePort()).putShort((short)tuple.destinationPort());
        }
        switch (tuple.protocol())
        {
            case TCP -> segment.putLong(0xFFFF_0001_8000_0002L)
                .put((byte)0x50).put((byte)flags).putShort((short)4096).putInt(0);
            case UDP -> segment.putShort((short)(header + data)).putShort((short)0);
            case UDP_LITE -> segment.putInt(0);
            // The checksum is CRC32c and covers no addresses.
            case SCTP -> segment.putLong(0x0102_0304_0506_0708L).putInt(0x0003_0010);
            default -> { }
        }
        for (int i = 0; i < data; i++)
        {
            segment.put((byte)(i * 37 + 5));
        }
        if (tuple.protocol() != SCTP)
        {
            final int offset = tuple.protocol() == TCP ? 16 : tuple.isIcmp() ? 2 : 6;
            segment.putShort(offset, (short)checksum(tuple.protocol(), segment.array(), addresses));
        }
        return segment.array();
    }

    private static int checksum(final int protocol, final byte[] segment, final byte[] addresses)
    {
        final ByteBuffer summed = ByteBuffer.allocate(addresses.length + 8 + segment.length);
        if (protocol != ICMP)
        {
            summed.put(addresses).putInt(protocol).putInt(segment.length);
        }
        summed.put(segment);
        final int checksum = TestFrame.checksumOf(summed.array(), 0, summed.position());
        return checksum == 0 && (protocol == UDP || protocol == UDP_LITE) ? 0xFFFF : checksum;
    }

    /** The packet of a tuple as it leaves by a port to the host of its link. */
    static byte[] forwarded(final int port, final FlowTuple tuple)
    {
        return forwarded(port, frame(port, tuple));
    }

    /** A frame as it leaves by a port to the host of its link, one hop later. */
    static byte[] forwarded(final int port, final byte[] frame)
    {
        final byte[] forwarded = frame.clone();
        ByteBuffer.wrap(forwarded)
            .putLong(0, RouterFixture.hostMac(port) << 16 | RouterFixture.routerMac(port) >>> 32)
            .putInt(8, (int)RouterFixture.routerMac(port));
        final boolean isIpv6 = TestFrame.u16(frame, 12) == 0x86DD;
        forwarded[isIpv6 ? HOP_LIMIT : TTL] = HOP_LIMIT_AFTER;
        return isIpv6 ? forwarded : withHeaderChecksum(forwarded);
    }

    /** The same frame with a correct header checksum. */
    static byte[] withHeaderChecksum(final byte[] frame)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(frame.clone());
        buffer.putShort(TestFrame.ETHERNET + 10, (short)0);
        buffer.putShort(TestFrame.ETHERNET + 10, (short)TestFrame.checksumOf(buffer.array(), TestFrame.ETHERNET, 20));
        return buffer.array();
    }

    /** The IP packet of a frame. */
    static byte[] packet(final byte[] frame)
    {
        return Arrays.copyOfRange(frame, TestFrame.ETHERNET, frame.length);
    }
}
