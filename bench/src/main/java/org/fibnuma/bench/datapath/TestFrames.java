package org.fibnuma.bench.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.acl.AccessKeys;
import org.fibnuma.fibnic.acl.AccessPacket;
import org.fibnuma.fibnic.acl.AccessRule;

import java.util.SplittableRandom;

/**
 * Short frames of {@link #COUNT} packets, which are received in turn, {@link #BATCH} at once. Each is copied to a chunk
 * of the pool, so that its headers are in the cache, as after the copy by a device. Used by one thread.
 */
final class TestFrames implements AutoCloseable
{
    static final int COUNT = 1 << 16;
    /** As many frames as an egress FIFO holds by default. */
    static final int BATCH = 64;
    static final long ROUTER_MAC = MacAddress.parse("02:00:00:00:01:00");

    private static final long HOST_MAC = MacAddress.parse("02:00:00:00:03:00");
    private static final int CHUNK = 2048;
    private static final int SLOT = 96;
    private static final int IPV4_LENGTH = 60;
    private static final int IPV6_LENGTH = 80;
    private static final int TTL = 64;
    private static final int DSCPS = 64;
    private static final int ECN_BITS = 2;
    /** Four options of type 1 (RFC 791 section 3.1). */
    private static final int NO_OPERATIONS = 0x0101_0101;

    private final MemoryRegion slots = MemoryRegion.ofBytes(COUNT * SLOT);
    private final MemoryRegion chunks = MemoryRegion.ofChunks(2 * BATCH, CHUNK);
    private final FramePool pool = new FramePool(chunks, CHUNK, 0, 2 * BATCH);
    private final byte[] lengths = new byte[COUNT];
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private int next;

    /** Returns a UDP packet with random ports and a random DSCP. */
    static AccessPacket udp(final IpAddress source, final IpAddress destination, final SplittableRandom random)
    {
        return new AccessPacket(source, destination, IpProtocol.UDP,
            random.nextInt(1, 1 << Short.SIZE), random.nextInt(1, 1 << Short.SIZE),
            0, random.nextInt(DSCPS), AccessKeys.WHOLE);
    }

    /** Writes UDP frames of IPv4 between random hosts. */
    void setRandom()
    {
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < COUNT; i++)
        {
            set(i, udp(IpAddress.of(random.nextInt()), IpAddress.of(random.nextInt()), random), 0);
        }
    }

    /** Writes the frame at an index, 0 to {@link #COUNT} - 1, with one VLAN tag or 0 for none. */
    void set(final int i, final AccessPacket packet, final long tag)
    {
        final long frame = slots.address() + (long)i * SLOT;
        final int packetLength = (packet.isIpv6() ? IPV6_LENGTH : IPV4_LENGTH) - EthernetHeaderFlyweight.LENGTH;
        final long header = frame + VlanTag.length(tag) + EthernetHeaderFlyweight.LENGTH;
        lengths[i] = (byte)(header - frame + packetLength);
        ethernet.wrap(frame).destination(ROUTER_MAC).source(HOST_MAC);
        if (tag != 0)
        {
            FrameMemory.putIntBE(frame + EthernetHeaderFlyweight.ETHER_TYPE_OFFSET, (int)tag);
        }
        FrameMemory.putShortBE(header - Short.BYTES, packet.isIpv6() ? EtherType.IPV6 : EtherType.IPV4);
        writeTransport(packet.isIpv6() ? writeIpv6(header, packet, packetLength) :
            writeIpv4(header, packet, packetLength), packet);
    }

    private static long writeIpv6(final long header, final AccessPacket packet, final int packetLength)
    {
        new Ipv6HeaderFlyweight().wrap(header)
            .versionClassFlow(packet.dscp() << ECN_BITS, 0)
            .payloadLength(packetLength - Ipv6HeaderFlyweight.LENGTH)
            .nextHeader(packet.protocol())
            .hopLimit(TTL)
            .source(packet.source().high(), packet.source().low())
            .destination(packet.destination().high(), packet.destination().low());
        return header + Ipv6HeaderFlyweight.LENGTH;
    }

    private long writeIpv4(final long header, final AccessPacket packet, final int packetLength)
    {
        ipv4.wrap(header)
            .versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5)
            .trafficClass(packet.dscp() << ECN_BITS)
            .totalLength(packetLength)
            .identification(0)
            .flagsAndFragmentOffset(Ipv4HeaderFlyweight.FLAG_DF)
            .ttl(TTL)
            .protocol(packet.protocol())
            .source(packet.source().ipv4())
            .destination(packet.destination().ipv4())
            .computeChecksum();
        return header + Ipv4HeaderFlyweight.MIN_LENGTH;
    }

    private static void writeTransport(final long transport, final AccessPacket packet)
    {
        if (AccessRule.hasPorts(packet.protocol()))
        {
            FrameMemory.putShortBE(transport, packet.sourcePort());
            FrameMemory.putShortBE(transport + Short.BYTES, packet.destinationPort());
        }
        else
        {
            FrameMemory.putByte(transport, packet.sourcePort());
            FrameMemory.putByte(transport + Byte.BYTES, packet.destinationPort());
        }
    }

    /** Gives an untagged IPv4 frame options, in place of its transport header. */
    void addOptions(final int i)
    {
        final long header = slots.address() + (long)i * SLOT + EthernetHeaderFlyweight.LENGTH;
        FrameMemory.putInt(header + Ipv4HeaderFlyweight.MIN_LENGTH, NO_OPERATIONS);
        ipv4.wrap(header).versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5 + 1).computeChecksum();
    }

    /** Adds the next {@link #BATCH} frames to an empty batch; returns their number. */
    int receive(final FrameBatch batch)
    {
        for (int k = 0; k < BATCH; k++)
        {
            final int i = next + k;
            final long chunk = pool.allocate();
            FrameMemory.copyShort(slots.address() + (long)i * SLOT, chunk + FramePool.HEADROOM, lengths[i]);
            batch.prepare(k, chunk, chunk + FramePool.HEADROOM, lengths[i]);
        }
        batch.extend(BATCH, 0);
        next = next + BATCH & COUNT - 1;
        return BATCH;
    }

    /** Removes all frames from a batch. */
    void release(final FrameBatch batch)
    {
        for (int i = 0; i < batch.size(); i++)
        {
            pool.release(batch.handle(i));
        }
        batch.clear();
    }

    /** Returns the pool of the received frames. */
    FramePool pool()
    {
        return pool;
    }

    @Override
    public void close()
    {
        slots.close();
        chunks.close();
    }
}
