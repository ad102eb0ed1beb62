package org.fibnuma.fibnic.demo;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.Icmpv6HeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;

/**
 * The right host of a network in memory. It counts every frame, answers pings to every address, and discards other
 * frames. For the thread that owns its frame pool.
 */
final class EchoResponder
{
    private static final int IP_OFFSET = EthernetHeaderFlyweight.LENGTH;
    private static final int ICMP_OFFSET = IP_OFFSET + Ipv4HeaderFlyweight.MIN_LENGTH;
    private static final int ICMPV6_OFFSET = IP_OFFSET + Ipv6HeaderFlyweight.LENGTH;
    private static final int HOP_LIMIT = 64;

    private final RxQueue rxQueue;
    private final TxQueue txQueue;
    private final FramePool pool;
    private final FrameBatch batch = new FrameBatch();
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private final Ipv6HeaderFlyweight ipv6 = new Ipv6HeaderFlyweight();
    private final IcmpHeaderFlyweight icmp = new IcmpHeaderFlyweight();
    private final Icmpv6HeaderFlyweight icmpv6 = new Icmpv6HeaderFlyweight();
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
            final long frame = batch.address(i);
            final boolean isAnswered =
                ethernet.wrap(frame).etherType() == EtherType.IPV6 ? answerIpv6(frame) : answerIpv4(frame);
            if (!isAnswered || !txQueue.offer(batch.handle(i), frame, batch.length(i)))
            {
                pool.release(batch.handle(i));
            }
        }
        received += count;
        txQueue.flush();
    }

    /** Makes the reply of an echo request; returns false for other frames. The router has checked the headers. */
    private boolean answerIpv4(final long frame)
    {
        if (ipv4.wrap(frame + IP_OFFSET).protocol() != IpProtocol.ICMP ||
            icmp.wrap(frame + ICMP_OFFSET).type() != IcmpHeaderFlyweight.TYPE_ECHO_REQUEST)
        {
            return false;
        }
        swapMacAddresses();
        final int destination = ipv4.destination();
        ipv4.destination(ipv4.source()).source(destination).ttl(HOP_LIMIT).computeChecksum();
        icmp.type(IcmpHeaderFlyweight.TYPE_ECHO_REPLY)
            .computeChecksum(ipv4.totalLength() - Ipv4HeaderFlyweight.MIN_LENGTH);
        return true;
    }

    private boolean answerIpv6(final long frame)
    {
        if (ipv6.wrap(frame + IP_OFFSET).nextHeader() != IpProtocol.ICMPV6 ||
            icmpv6.wrap(frame + ICMPV6_OFFSET).type() != Icmpv6HeaderFlyweight.TYPE_ECHO_REQUEST)
        {
            return false;
        }
        swapMacAddresses();
        final long high = ipv6.destinationHigh();
        final long low = ipv6.destinationLow();
        ipv6.destination(ipv6.sourceHigh(), ipv6.sourceLow()).source(high, low).hopLimit(HOP_LIMIT);
        icmpv6.type(Icmpv6HeaderFlyweight.TYPE_ECHO_REPLY)
            .computeChecksum(frame + IP_OFFSET, ipv6.payloadLength());
        return true;
    }

    private void swapMacAddresses()
    {
        final long destination = ethernet.destination();
        ethernet.destination(ethernet.source()).source(destination);
    }
}
