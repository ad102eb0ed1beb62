package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv4OptionsFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.util.concurrent.TimeUnit;

/**
 * Sends ICMP host redirects to the senders of rewritten IPv4 frames that leave by their ingress port (RFC 1812 section
 * 5.2.7.2), if the interface sends redirects, sender and next hop are on one of its networks, and the frame has no
 * source route. Each pair of sender and destination gets at most one redirect per second, and all together are limited
 * by rate. No disposition changes.
 */
final class IcmpRedirects
{
    static final long REPEAT_NS = TimeUnit.SECONDS.toNanos(1);

    /** Recently notified pairs by hash: two pairs that share an entry only repeat messages sooner. */
    private static final int PLACE_BITS = 8;
    /** 2^64 divided by the golden ratio (Knuth, volume 3, section 6.4). */
    private static final long HASH_FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private final AdjacencyTable adjacencies;
    private final InterfaceTable interfaces;
    private final NanoClock clock;
    private final TokenBucket limit;
    private final IcmpMessages messages;
    private final FateCounters counters;
    private final long[] pairs = new long[1 << PLACE_BITS];
    private final long[] sentNs = new long[1 << PLACE_BITS];
    private final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight();
    private final Ipv4OptionsFlyweight options = new Ipv4OptionsFlyweight();

    IcmpRedirects(final ForwarderContext context, final IcmpMessages messages, final FateCounters counters)
    {
        this.adjacencies = context.adjacencies();
        this.interfaces = context.interfaces();
        this.clock = context.clock();
        this.limit = new TokenBucket(context.icmpErrorsPerSecond(), context.icmpErrorBurst(), context.clock());
        this.messages = messages;
        this.counters = counters;
    }

    void process(final FrameBatch batch)
    {
        final boolean mayReturn =
            !batch.isFromOnePort() || (batch.egressPorts() & 1L << batch.ingressPort(0)) != 0;
        final int size = mayReturn ? batch.size() : 0;
        for (int i = 0; i < size; i++)
        {
            if ((batch.isForward(i) || batch.disposition(i) == Disposition.FRAGMENT) &&
                batch.egressPort(i) == batch.ingressPort(i))
            {
                process(batch, i, interfaces.get(batch.ingressPort(i)));
            }
        }
    }

    private void process(final FrameBatch batch, final int i, final RouterInterface link)
    {
        if (!link.sendsRedirects() || EthernetHeaderFlyweight.etherType(batch.address(i)) == EtherType.IPV6)
        {
            return;
        }
        final long header = batch.address(i) + EthernetHeaderFlyweight.LENGTH;
        final Adjacency adjacency = adjacencies.get(batch.adjacency(i));
        final int sender = ip.wrap(header).source();
        final int nextHop = adjacency.ipv4NextHop(ip.destination());
        final int own = link.addressBetween(sender, nextHop);
        final boolean hasIpv4Address = adjacency.nextHop().isNone() || adjacency.nextHop().isIpv4();
        if (hasIpv4Address && own != RouterInterface.NO_ADDRESS && sender != nextHop &&
            !wasSentLately(sender, ip.destination()) &&
            options.wrap(header).sourceRoute() == Ipv4OptionsFlyweight.NONE && messages.mayBeAbout(header))
        {
            send(header, own, nextHop);
        }
    }

    private boolean wasSentLately(final int sender, final int destination)
    {
        final long pair = pair(sender, destination);
        final int place = place(pair);
        return pairs[place] == pair && clock.nanoTime() - sentNs[place] < REPEAT_NS;
    }

    private void send(final long header, final int own, final int nextHop)
    {
        if (!messages.hasRoom() || !limit.take())
        {
            counters.add(ForwarderCounter.ICMP_SUPPRESSED, 1);
            return;
        }
        final long pair = pair(ip.source(), ip.destination());
        pairs[place(pair)] = pair;
        sentNs[place(pair)] = clock.nanoTime();
        messages.write(
            header, own, IcmpHeaderFlyweight.TYPE_REDIRECT, IcmpHeaderFlyweight.CODE_REDIRECT_HOST, nextHop);
    }

    private static long pair(final int sender, final int destination)
    {
        return (long)sender << Integer.SIZE | destination & 0xFFFF_FFFFL;
    }

    private static int place(final long pair)
    {
        return (int)(pair * HASH_FACTOR >>> Long.SIZE - PLACE_BITS);
    }
}
