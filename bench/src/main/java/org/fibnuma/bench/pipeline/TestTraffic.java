package org.fibnuma.bench.pipeline;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.InternetChecksum;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

/**
 * A host that sends UDP frames of one size to one destination after the other, each with a time stamp in its payload.
 * Used by one thread.
 */
final class TestTraffic
{
    /** Where the time stamp is: the first eight bytes of the UDP payload. */
    static final int STAMP_OFFSET =
        EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH + UdpHeaderFlyweight.LENGTH;

    /** Shortest frame with a time stamp, without FCS. */
    static final int MIN_FRAME_LENGTH = STAMP_OFFSET + Long.BYTES;

    private static final int TTL = 64;
    private static final int LAST_TTL = 1;
    private static final int PORT = 9;

    private final TxQueue txQueue;
    private final FramePool pool;
    private final int[] destinations;
    private final int frameLength;
    private final long sourceMac;
    private final long destinationMac;
    private final int source;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight();
    private final UdpHeaderFlyweight udp = new UdpHeaderFlyweight();
    private int next;

    TestTraffic(
        final TxQueue txQueue,
        final FramePool pool,
        final int[] destinations,
        final int frameLength,
        final long sourceMac,
        final long destinationMac,
        final int source)
    {
        this.txQueue = txQueue;
        this.pool = pool;
        this.destinations = destinations;
        this.frameLength = frameLength;
        this.sourceMac = sourceMac;
        this.destinationMac = destinationMac;
        this.source = source;
    }

    /**
     * Puts a frame on the link; it leaves with the next {@link #flush()}.
     *
     * @param stamp   to put into it.
     * @param expired whether its time to live has run out.
     * @return false where there is no chunk or the link is full.
     */
    boolean offer(final long stamp, final boolean expired)
    {
        final long chunk = pool.allocate();
        if (chunk == FramePool.NONE)
        {
            return false;
        }
        final long frame = chunk + FramePool.HEADROOM;
        write(frame, destinations[next], expired ? LAST_TTL : TTL);
        FrameMemory.putLong(frame + STAMP_OFFSET, stamp);
        if (!txQueue.offer(chunk, frame, frameLength))
        {
            pool.release(chunk);
            return false;
        }
        next = next + 1 < destinations.length ? next + 1 : 0;
        return true;
    }

    private void write(final long frame, final int destination, final int ttl)
    {
        final int ipLength = frameLength - EthernetHeaderFlyweight.LENGTH;
        final long header = frame + EthernetHeaderFlyweight.LENGTH;
        ethernet.wrap(frame).destination(destinationMac).source(sourceMac).etherType(EtherType.IPV4);
        ip.wrap(header)
            .versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5)
            .trafficClass(0)
            .totalLength(ipLength)
            .identification(0)
            .flagsAndFragmentOffset(Ipv4HeaderFlyweight.FLAG_DF)
            .ttl(ttl)
            .protocol(IpProtocol.UDP)
            .checksum(0)
            .source(source)
            .destination(destination)
            .checksum(InternetChecksum.of(header, Ipv4HeaderFlyweight.MIN_LENGTH));
        udp.wrap(header + Ipv4HeaderFlyweight.MIN_LENGTH)
            .ports(PORT, PORT)
            .lengthWithoutChecksum(ipLength - Ipv4HeaderFlyweight.MIN_LENGTH);
    }

    /** Lets what was offered go and takes chunks back. */
    void flush()
    {
        txQueue.flush();
    }
}
