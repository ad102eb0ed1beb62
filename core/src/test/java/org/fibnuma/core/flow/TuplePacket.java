package org.fibnuma.core.flow;

import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.InternetChecksum;

import java.nio.ByteBuffer;

/**
 * A packet in native memory that has the addresses, protocol and ports of a tuple. Its checksums are computed over all
 * bytes. Accesses outside of the packet fail.
 */
final class TuplePacket implements AutoCloseable
{
    private static final int ICMP = 1;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int ICMPV6 = 58;
    private static final int UDP_LITE = 136;
    private static final int START = 64;

    private final MemoryRegion region = MemoryRegion.ofChunks(1, 2048);
    private int length;
    private int transport;
    private int protocol;
    private boolean isIpv6;

    /** Replaces the packet. The payload follows the transport header; a checksum covers all of it. */
    TuplePacket put(final FlowTuple tuple, final byte... payload)
    {
        isIpv6 = tuple.isIpv6();
        protocol = tuple.protocol();
        final byte[] segment = segment(tuple, payload);
        transport = isIpv6 ? 40 : 20;
        length = transport + segment.length;
        final ByteBuffer packet = ByteBuffer.allocate(length);
        if (isIpv6)
        {
            packet.putInt(0x6123_4567).putShort((short)segment.length).put((byte)protocol).put((byte)64)
                .putLong(tuple.sourceHigh()).putLong(tuple.sourceLow())
                .putLong(tuple.destinationHigh()).putLong(tuple.destinationLow());
        }
        else
        {
            packet.put((byte)0x45).put((byte)0).putShort((short)length).putInt(0x1234_4000)
                .put((byte)64).put((byte)protocol).putShort((short)0)
                .putInt((int)tuple.sourceLow()).putInt((int)tuple.destinationLow());
        }
        bytes(packet.put(segment).array());
        if (!isIpv6)
        {
            FrameMemory.putShortBE(header() + 10, InternetChecksum.of(header(), transport));
        }
        checksum(computed());
        return this;
    }

    private static byte[] segment(final FlowTuple tuple, final byte[] payload)
    {
        final ByteBuffer segment = ByteBuffer.allocate((tuple.protocol() == TCP ? 20 : 8) + payload.length);
        if (tuple.isIcmp())
        {
            segment.putShort((short)tuple.destinationPort()).putShort((short)0)
                .putShort((short)tuple.sourcePort()).putShort((short)7);
        }
        else
        {
            segment.putShort((short)tuple.sourcePort()).putShort((short)tuple.destinationPort());
        }
        switch (tuple.protocol())
        {
            case TCP -> segment.putLong(0x0102_0304_0506_0708L).putShort((short)0x5010).putShort((short)512).putInt(0);
            case UDP -> segment.putShort((short)segment.capacity()).putShort((short)0);
            case UDP_LITE -> segment.putInt(0);
            default -> { }
        }
        return segment.put(payload).array();
    }

    /** Returns the native address of the IP header. */
    long header()
    {
        return region.address() + START;
    }

    /** Returns the native address of the transport header. */
    long transport()
    {
        return header() + transport;
    }

    /** Returns the packet as it is now. */
    byte[] bytes()
    {
        final byte[] bytes = new byte[length];
        FrameMemory.getBytes(header(), bytes);
        return bytes;
    }

    private void bytes(final byte[] packet)
    {
        FrameBounds.frame(header(), packet.length);
        FrameMemory.putBytes(header(), packet);
    }

    private int checksumOffset()
    {
        return protocol == TCP ? 16 : protocol == ICMP || protocol == ICMPV6 ? 2 : 6;
    }

    int checksum()
    {
        return FrameMemory.getShortBE(transport() + checksumOffset());
    }

    TuplePacket checksum(final int checksum)
    {
        FrameMemory.putShortBE(transport() + checksumOffset(), checksum);
        return this;
    }

    /** Returns the checksum that the transport header must have; it is not modified. */
    int computed()
    {
        final int now = checksum();
        checksum(0);
        final int segment = length - transport;
        final long pseudoHeader = isIpv6 ? InternetChecksum.pseudoHeaderSumIpv6(header(), protocol, segment) :
            protocol == ICMP ? 0 : InternetChecksum.pseudoHeaderSum(header(), protocol, segment);
        final int computed = InternetChecksum.finish(InternetChecksum.sum(transport(), segment, pseudoHeader));
        checksum(now);
        return computed == 0 && (protocol == UDP || protocol == UDP_LITE) ? 0xFFFF : computed;
    }

    /** Finds the direction of the packet as a worker does, {@link FlowTable#NONE} if the kernel must have it. */
    int find(final FlowTable table, final int ingress, final int hint)
    {
        final long ports = FlowPacket.ports(transport(), length - transport, protocol);
        if (ports == FlowPacket.KERNEL)
        {
            return FlowTable.NONE;
        }
        return isIpv6 ? table.findIpv6(header() + 8, (int)ports, protocol, ingress, hint) :
            table.findIpv4(header() + 12, (int)ports, protocol, ingress, hint);
    }

    @Override
    public void close()
    {
        region.close();
    }
}
