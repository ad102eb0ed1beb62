package org.fibnuma.fibnic.demo;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;

/**
 * The right host of a network in memory. It counts every frame, answers pings to every address, and discards all other
 * frames. For the thread that owns its frame pool.
 */
final class EchoResponder
{
    private static final int IP_OFFSET = EthernetHeaderFlyweight.LENGTH;
    private static final int ICMP_OFFSET = IP_OFFSET + Ipv4HeaderFlyweight.MIN_LENGTH;
    private static final int TTL = 64;

    private final RxQueue rxQueue;
    private final TxQueue txQueue;
    private final FramePool pool;
    private final FrameBatch batch = new FrameBatch();
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private final IcmpHeaderFlyweight icmp = new IcmpHeaderFlyweight();
    private volatile long received;

    EchoResponder(final Port port, final FramePool pool)
    {
        this.rxQueue = port.rxQueue(0);
        this.txQueue = port.txQueue(0);
        this.pool = pool;
    }

    /** Returns the number of frames received so far; any thread. */
    long received()
    {
        return received;
    }

    /** Receives and processes the frames that have arrived. */
    void poll()
    {
        batch.clear();
        final int count = rxQueue.receive(batch);
        for (int i = 0; i < count; i++)
        {
            if (!isEchoRequest(batch.address(i)) || !answer(i))
            {
                pool.release(batch.handle(i));
            }
        }
        received += count;
        txQueue.flush();
    }

    /** Returns whether a frame is an echo request. The router has checked its headers. */
    private boolean isEchoRequest(final long frame)
    {
        return ipv4.wrap(frame + IP_OFFSET).protocol() == IpProtocol.ICMP &&
            icmp.wrap(frame + ICMP_OFFSET).type() == IcmpHeaderFlyweight.TYPE_ECHO_REQUEST;
    }

    private boolean answer(final int i)
    {
        final long frame = batch.address(i);
        ethernet.wrap(frame);
        final long asked = ethernet.destination();
        ethernet.destination(ethernet.source()).source(asked);
        final int destination = ipv4.destination();
        ipv4.destination(ipv4.source()).source(destination).ttl(TTL).computeChecksum();
        icmp.type(IcmpHeaderFlyweight.TYPE_ECHO_REPLY)
            .computeChecksum(ipv4.totalLength() - Ipv4HeaderFlyweight.MIN_LENGTH);
        return txQueue.offer(batch.handle(i), frame, batch.length(i));
    }
}
