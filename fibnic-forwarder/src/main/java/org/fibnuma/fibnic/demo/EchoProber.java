package org.fibnuma.fibnic.demo;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.Icmpv6HeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;

/**
 * Sends ICMP and ICMPv6 echo requests, one at a time, and waits for each reply. It spins while it waits, to measure no
 * scheduling delay. For one thread; an interrupt ends a wait early.
 */
final class EchoProber
{
    private static final int IP_OFFSET = EthernetHeaderFlyweight.LENGTH;
    private static final int ICMP_OFFSET = HostFrames.PAYLOAD_OFFSET;
    private static final int QUOTED_ICMP_OFFSET =
        ICMP_OFFSET + IcmpHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH;
    private static final int ICMPV6_OFFSET = HostFrames.IPV6_PAYLOAD_OFFSET;
    private static final int QUOTED_ICMPV6_OFFSET =
        ICMPV6_OFFSET + Icmpv6HeaderFlyweight.LENGTH + Ipv6HeaderFlyweight.LENGTH;
    private static final int IDENTIFIER = 0xF1B0;

    private final RxQueue rxQueue;
    private final TxQueue txQueue;
    private final FramePool pool;
    private final HostFrames frames;
    private final Runnable whileWaiting;
    private final FrameBatch batch = new FrameBatch();
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private final Ipv6HeaderFlyweight ipv6 = new Ipv6HeaderFlyweight();
    private final IcmpHeaderFlyweight icmp = new IcmpHeaderFlyweight();
    private final Icmpv6HeaderFlyweight icmpv6 = new Icmpv6HeaderFlyweight();
    private int sequence;

    /**
     * The reply to a ping.
     *
     * @param from           IPv4 or IPv6 address of the sender of the reply.
     * @param isEcho         true for an echo reply of the host, false for an ICMP error of a router on the path.
     * @param roundTripNanos nanoseconds from before the request was sent until after the reply was read.
     */
    record Reply(IpAddress from, boolean isEcho, long roundTripNanos)
    {
    }

    /**
     * Creates a prober on a started port.
     *
     * @param port         port whose queue 0 sends and receives.
     * @param pool         frame pool of that queue.
     * @param frames       writes the headers.
     * @param whileWaiting called repeatedly until the reply arrives.
     */
    EchoProber(
        final Port port, final FramePool pool, final HostFrames frames, final Runnable whileWaiting)
    {
        this.rxQueue = port.rxQueue(0);
        this.txQueue = port.txQueue(0);
        this.pool = pool;
        this.frames = frames;
        this.whileWaiting = whileWaiting;
    }

    /**
     * Sends one request as soon as the port has room for it, and waits for its reply; returns null if none arrives in
     * time.
     */
    Reply ping(final IpAddress destination, final int hopLimit, final long timeoutNanos)
    {
        final long chunk = pool.allocate();
        if (chunk == FramePool.NONE)
        {
            throw new IllegalStateException("all frames of the left host are on their way");
        }
        sequence = sequence + 1 & 0xFFFF;
        write(chunk + FramePool.HEADROOM, destination, hopLimit);
        final long begin = System.nanoTime();
        long sent = begin;
        boolean isOffered = false;
        while (System.nanoTime() - begin < timeoutNanos && !Thread.currentThread().isInterrupted())
        {
            if (!isOffered)
            {
                sent = System.nanoTime();
                isOffered = txQueue.offer(chunk, chunk + FramePool.HEADROOM, frames.frameLength());
            }
            txQueue.flush();
            whileWaiting.run();
            final Reply reply = receive(sent);
            if (reply != null)
            {
                return reply;
            }
        }
        if (!isOffered)
        {
            pool.release(chunk);
        }
        return null;
    }

    private void write(final long frame, final IpAddress destination, final int hopLimit)
    {
        if (destination.isIpv4())
        {
            frames.write(frame, destination, IpProtocol.ICMP, hopLimit);
            icmp.wrap(frame + ICMP_OFFSET)
                .type(IcmpHeaderFlyweight.TYPE_ECHO_REQUEST)
                .code(0)
                .rest(identifierAndSequence())
                .computeChecksum(frames.frameLength() - ICMP_OFFSET);
        }
        else
        {
            frames.write(frame, destination, IpProtocol.ICMPV6, hopLimit);
            icmpv6.wrap(frame + ICMPV6_OFFSET)
                .type(Icmpv6HeaderFlyweight.TYPE_ECHO_REQUEST)
                .code(0)
                .rest(identifierAndSequence())
                .computeChecksum(frame + IP_OFFSET, frames.frameLength() - ICMPV6_OFFSET);
        }
    }

    private int identifierAndSequence()
    {
        return IDENTIFIER << Short.SIZE | sequence;
    }

    private Reply receive(final long start)
    {
        batch.clear();
        final int count = rxQueue.receive(batch);
        Reply reply = null;
        for (int i = 0; i < count; i++)
        {
            if (reply == null)
            {
                reply = read(batch.address(i), batch.length(i), start);
            }
            pool.release(batch.handle(i));
        }
        return reply;
    }

    private Reply read(final long frame, final int length, final long start)
    {
        return switch (ethernet.wrap(frame).etherType())
        {
            case EtherType.IPV4 -> readIpv4(frame, length, start);
            case EtherType.IPV6 -> readIpv6(frame, length, start);
            default -> null;
        };
    }

    private Reply readIpv4(final long frame, final int length, final long start)
    {
        if (length < ICMP_OFFSET + IcmpHeaderFlyweight.LENGTH ||
            ipv4.wrap(frame + IP_OFFSET).protocol() != IpProtocol.ICMP ||
            ipv4.headerLength() != Ipv4HeaderFlyweight.MIN_LENGTH)
        {
            return null;
        }
        final int type = icmp.wrap(frame + ICMP_OFFSET).type();
        final boolean isEcho =
            type == IcmpHeaderFlyweight.TYPE_ECHO_REPLY && icmp.rest() == identifierAndSequence();
        final boolean isError =
            IcmpHeaderFlyweight.isError(type) && length >= QUOTED_ICMP_OFFSET + IcmpHeaderFlyweight.LENGTH &&
            icmp.wrap(frame + QUOTED_ICMP_OFFSET).rest() == identifierAndSequence();
        return isEcho || isError ?
            new Reply(IpAddress.of(ipv4.source()), isEcho, System.nanoTime() - start) : null;
    }

    private Reply readIpv6(final long frame, final int length, final long start)
    {
        if (length < ICMPV6_OFFSET + Icmpv6HeaderFlyweight.LENGTH ||
            ipv6.wrap(frame + IP_OFFSET).nextHeader() != IpProtocol.ICMPV6)
        {
            return null;
        }
        final int type = icmpv6.wrap(frame + ICMPV6_OFFSET).type();
        final boolean isEcho =
            type == Icmpv6HeaderFlyweight.TYPE_ECHO_REPLY && icmpv6.rest() == identifierAndSequence();
        final boolean isError =
            Icmpv6HeaderFlyweight.isError(type) && length >= QUOTED_ICMPV6_OFFSET + Icmpv6HeaderFlyweight.LENGTH &&
            icmpv6.wrap(frame + QUOTED_ICMPV6_OFFSET).rest() == identifierAndSequence();
        return isEcho || isError ?
            new Reply(new IpAddress(ipv6.sourceHigh(), ipv6.sourceLow()), isEcho, System.nanoTime() - start) : null;
    }
}
