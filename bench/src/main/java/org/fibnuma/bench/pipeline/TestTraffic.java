package org.fibnuma.bench.pipeline;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.ArpFlyweight;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.InternetChecksum;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

/**
 * A host that sends UDP frames of one length to one destination after the other, each with a time stamp in the payload.
 * Headers are copied from a template, because the generator shares its core with the sink. Used by one thread.
 */
public final class TestTraffic
{
    /** Offset of the time stamp, the first eight bytes of the UDP payload. */
    public static final int STAMP_OFFSET =
        EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH + UdpHeaderFlyweight.LENGTH;

    private static final int IP = EthernetHeaderFlyweight.LENGTH;
    private static final int TEMPLATE_WORDS = (STAMP_OFFSET + Long.BYTES - 1) / Long.BYTES;
    private static final int TTL = 64;
    private static final int LAST_TTL = 1;
    private static final int PORT = 9;
    /** Four options of type 1 (RFC 791 section 3.1). */
    private static final int NO_OPERATIONS = 0x0101_0101;
    private static final int FRAGMENT_OFFSET = 100;

    private final TxQueue txQueue;
    private final FramePool pool;
    private final int[] destinations;
    private final int frameLength;
    private final int source;
    private final Ipv6TestFrames ipv6Frames;
    private final long[] template = new long[TEMPLATE_WORDS];
    private final long sumWithoutDestination;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight();
    private final ArpFlyweight arp = new ArpFlyweight();
    private int next;

    /**
     * Creates the traffic of one link, without IPv6.
     *
     * @param txQueue        of this end.
     * @param pool           of that queue.
     * @param destinations   IPv4 addresses, at least one.
     * @param frameLength    in bytes, without FCS; enough for the time stamp.
     * @param sourceMac      of the frames.
     * @param destinationMac of the frames: the router's.
     * @param source         IPv4 address of the frames.
     */
    public TestTraffic(
        final TxQueue txQueue,
        final FramePool pool,
        final int[] destinations,
        final int frameLength,
        final long sourceMac,
        final long destinationMac,
        final int source)
    {
        this(txQueue, pool, destinations, frameLength, sourceMac, destinationMac, source, null);
    }

    /** Creates the traffic of one link, with IPv6 frames unless {@code ipv6Frames} is null. */
    TestTraffic(
        final TxQueue txQueue,
        final FramePool pool,
        final int[] destinations,
        final int frameLength,
        final long sourceMac,
        final long destinationMac,
        final int source,
        final Ipv6TestFrames ipv6Frames)
    {
        this.txQueue = txQueue;
        this.pool = pool;
        this.destinations = destinations;
        this.frameLength = frameLength;
        this.source = source;
        this.ipv6Frames = ipv6Frames;
        final long chunk = pool.allocate();
        final long frame = chunk + FramePool.HEADROOM;
        writeHeaders(frame, sourceMac, destinationMac, source);
        sumWithoutDestination = InternetChecksum.sum(frame + IP, Ipv4HeaderFlyweight.MIN_LENGTH, 0);
        for (int i = 0; i < TEMPLATE_WORDS; i++)
        {
            template[i] = FrameMemory.getLong(frame + i * Long.BYTES);
        }
        pool.release(chunk);
    }

    private void writeHeaders(final long frame, final long sourceMac, final long destinationMac, final int source)
    {
        final int ipLength = frameLength - IP;
        ethernet.wrap(frame)
            .destination(destinationMac).source(sourceMac).etherType(EtherType.IPV4);
        ip.wrap(frame + IP)
            .versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5)
            .trafficClass(0)
            .totalLength(ipLength)
            .identification(0)
            .flagsAndFragmentOffset(Ipv4HeaderFlyweight.FLAG_DF)
            .ttl(TTL)
            .protocol(IpProtocol.UDP)
            .checksum(0)
            .source(source)
            .destination(0);
        new UdpHeaderFlyweight().wrap(frame + IP + Ipv4HeaderFlyweight.MIN_LENGTH)
            .ports(PORT, PORT)
            .lengthWithoutChecksum(ipLength - Ipv4HeaderFlyweight.MIN_LENGTH);
    }

    /**
     * Offers a frame to the link; {@link #flush()} sends it.
     *
     * @param stamp for the payload of IPv4 frames.
     * @param kind  of the frame; an IPv6 kind only with IPv6 frames.
     * @return false if there is no free chunk or the link is full.
     */
    public boolean offer(final long stamp, final TestFrameKind kind)
    {
        final long chunk = pool.allocate();
        if (chunk == FramePool.NONE)
        {
            return false;
        }
        final long frame = chunk + FramePool.HEADROOM;
        final int length = kind.isIpv6() ? ipv6Frames.write(frame, kind) : writeIpv4(frame, stamp, kind);
        if (!txQueue.offer(chunk, frame, length))
        {
            pool.release(chunk);
            return false;
        }
        return true;
    }

    private int writeIpv4(final long frame, final long stamp, final TestFrameKind kind)
    {
        write(frame, destinations[next]);
        next = next + 1 < destinations.length ? next + 1 : 0;
        FrameMemory.putLong(frame + STAMP_OFFSET, stamp);
        if (kind == TestFrameKind.ARP)
        {
            writeRequest(frame);
        }
        else if (kind != TestFrameKind.IPV4)
        {
            change(frame, kind);
        }
        return frameLength;
    }

    private void write(final long frame, final int destination)
    {
        for (int i = 0; i < TEMPLATE_WORDS; i++)
        {
            FrameMemory.putLong(frame + i * Long.BYTES, template[i]);
        }
        ip.wrap(frame + IP).destination(destination);
        final int destinationWord = FrameMemory.getInt(frame + IP + Ipv4HeaderFlyweight.DESTINATION_OFFSET);
        ip.checksum(InternetChecksum.finish(sumWithoutDestination + (destinationWord & 0xFFFF_FFFFL)));
    }

    private void change(final long frame, final TestFrameKind kind)
    {
        switch (kind)
        {
            case EXPIRED:
                ip.ttl(LAST_TTL);
                break;
            case UNRESOLVED:
                ip.destination(LoadedRouter.UNRESOLVED_HOST);
                break;
            case OPTIONS:
                ip.versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5 + 1);
                FrameMemory.putInt(frame + IP + Ipv4HeaderFlyweight.MIN_LENGTH, NO_OPERATIONS);
                break;
            default:
                ip.flagsAndFragmentOffset(FRAGMENT_OFFSET);
                break;
        }
        ip.computeChecksum();
    }

    /** Turns the frame into an ARP request of its sender for the host's own network; the rest of it is padding. */
    private void writeRequest(final long frame)
    {
        ethernet.wrap(frame).destination(MacAddress.BROADCAST).etherType(EtherType.ARP);
        arp.wrap(frame + IP).start(ArpFlyweight.REQUEST).sender(ethernet.source(), source).target(0, source + 1);
    }

    /** Sends the offered frames and releases chunks of sent ones. */
    public void flush()
    {
        txQueue.flush();
    }
}
