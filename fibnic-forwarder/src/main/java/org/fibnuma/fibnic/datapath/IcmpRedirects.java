package org.fibnuma.fibnic.datapath;

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
import org.fibnuma.fibnic.rate.IcmpSettings;
import org.fibnuma.fibnic.rate.RedirectTimes;
import org.fibnuma.fibnic.rate.TokenBucket;

/**
 * Sends ICMP host redirects to the senders of rewritten IPv4 frames that leave by their ingress interface (RFC 1812
 * section 5.2.7.2). The interface must send redirects, sender and next hop must be on one of its networks, and the
 * frame must have no source route. Each pair of sender and destination gets at most one redirect per second, and all
 * together are limited by rate. IPv6 frames that leave by their ingress interface go to {@link Icmpv6Redirects}. No
 * disposition changes.
 */
final class IcmpRedirects
{
    private final AdjacencyTable adjacencies;
    private final InterfaceTable interfaces;
    private final RedirectTimes times;
    private final IcmpSettings settings;
    private final TokenBucket limit;
    private final FlowInput flowInput;
    private final IcmpMessages messages;
    private final Icmpv6Redirects ipv6;
    private final FateCounters counters;
    private final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight();
    private final Ipv4OptionsFlyweight options = new Ipv4OptionsFlyweight();

    IcmpRedirects(
        final ForwarderContext context,
        final FlowInput flowInput,
        final IcmpMessages messages,
        final Icmpv6Redirects ipv6,
        final FateCounters counters)
    {
        this.adjacencies = context.adjacencies;
        this.interfaces = context.interfaces;
        this.times = new RedirectTimes(context.clock);
        this.settings = context.icmpSettings;
        this.limit = new TokenBucket(context.icmpErrors, context.clock);
        this.flowInput = flowInput;
        this.messages = messages;
        this.ipv6 = ipv6;
        this.counters = counters;
    }

    /** Sends redirects about the frames from one index to before another. */
    void process(final FrameBatch batch, final int from, final int to)
    {
        final boolean mayReturn =
            !batch.isFromOneInterface() || (batch.egressPorts() & 1L << batch.ingressPort(0)) != 0;
        final int end = mayReturn ? to : from;
        for (int i = from; i < end; i++)
        {
            if (batch.isToBeSent(i) && batch.egressInterface(i) == batch.ingressInterface(i) &&
                !flowInput.isTranslated(batch, i))
            {
                if (EthernetHeaderFlyweight.etherType(batch.address(i)) == EtherType.IPV6)
                {
                    ipv6.process(batch, i);
                }
                else
                {
                    process(batch, i, interfaces.get(batch.ingressInterface(i)));
                }
            }
        }
    }

    private void process(final FrameBatch batch, final int i, final RouterInterface link)
    {
        if (!link.sendsRedirects())
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
            !times.wasSentLately(RedirectTimes.pair(sender, ip.destination())) &&
            options.wrap(header).sourceRoute() == Ipv4OptionsFlyweight.NONE && messages.mayBeAbout(header))
        {
            send(header, own, nextHop);
        }
    }

    private void send(final long header, final int own, final int nextHop)
    {
        if (!messages.hasRoom() || !limit.take())
        {
            counters.add(ForwarderCounter.ICMP_SUPPRESSED, 1);
            return;
        }
        times.sent(RedirectTimes.pair(ip.source(), ip.destination()));
        messages.write(
            header, own, settings.ttl(), IcmpHeaderFlyweight.TYPE_REDIRECT, IcmpHeaderFlyweight.CODE_REDIRECT_HOST,
            nextHop);
    }
}
