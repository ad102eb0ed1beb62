package org.fibnuma.core.traffic;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

/**
 * Sends UDP frames: one to each destination in turn, with another source UDP port for each. All headers are written for
 * every frame, because a chunk from the pool may have any content. For the thread that owns the queue.
 */
public final class TrafficSender
{
    private static final int TTL = 64;
    /** RFC 863: a server on this UDP port discards what it receives. */
    private static final int DISCARD_PORT = 9;

    private final UdpHeaderFlyweight udp = new UdpHeaderFlyweight();
    private final TxQueue txQueue;
    private final FramePool pool;
    private final HostFrames frames;
    private final IpAddress[] destinations;
    private int next;

    /**
     * Creates a sender for a queue of an open port with the frame pool of that queue. There is at least one
     * destination, of either family.
     */
    public TrafficSender(
        final TxQueue txQueue, final FramePool pool, final HostFrames frames, final IpAddress[] destinations)
    {
        this.txQueue = txQueue;
        this.pool = pool;
        this.frames = frames;
        this.destinations = destinations;
    }

    /**
     * Sends up to a number of frames and flushes the queue. Returns the number of frames sent; fewer than {@code count}
     * if the queue is full or the pool is empty.
     */
    public int send(final int count)
    {
        int sent = 0;
        while (sent < count)
        {
            final long chunk = pool.allocate();
            if (chunk == FramePool.NONE)
            {
                break;
            }
            final long frame = chunk + FramePool.HEADROOM;
            write(frame);
            if (!txQueue.offer(chunk, frame, frames.frameLength()))
            {
                pool.release(chunk);
                break;
            }
            next = next + 1 == destinations.length ? 0 : next + 1;
            sent++;
        }
        txQueue.flush();
        return sent;
    }

    private void write(final long frame)
    {
        final IpAddress destination = destinations[next];
        final int offset = frames.write(frame, destination, IpProtocol.UDP, TTL);
        udp.wrap(frame + offset)
            .ports(next & 0xFFFF, DISCARD_PORT)
            .lengthWithoutChecksum(frames.frameLength() - offset);
        if (!destination.isIpv4())
        {
            // RFC 8200 section 8.1: UDP over IPv6 has a checksum.
            udp.computeChecksumOverIpv6(frame + EthernetHeaderFlyweight.LENGTH);
        }
    }
}
