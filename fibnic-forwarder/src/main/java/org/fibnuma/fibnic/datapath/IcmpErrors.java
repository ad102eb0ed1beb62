package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv4OptionsFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.rate.IcmpSettings;
import org.fibnuma.fibnic.rate.TokenBucket;

/**
 * Writes ICMP errors about frames with disposition DROP whose reason has one, through {@link IcmpMessages}. The frames
 * stay dropped. The source is the preferred source of the route to the sender. Without one it is an address of the
 * interface that the error leaves by (RFC 1812 section 4.3.2.4), else of any interface, else 192.0.0.8 (RFC 7600).
 * <p>
 * There is no error about an ICMP error or a fragment other than the first (section 4.3.2.7). Packets and frames to a
 * group and packets from a source that is not unicast are dropped for reasons without an error. Errors are limited by
 * rate (section 4.3.2.8), except those that {@link IcmpSettings} exempts.
 */
final class IcmpErrors
{
    /** 192.0.0.8, the source of a router without any IPv4 address (RFC 7600 section 4.8). */
    private static final int DUMMY_ADDRESS = 0xC000_0008;

    private final RuleLookup ruleLookup;
    private final AdjacencyTable adjacencies;
    private final InterfaceTable interfaces;
    private final IcmpSettings icmp;
    private final TokenBucket limit;
    private final IcmpMessages messages;
    private final FateCounters counters;
    private final Ipv4HeaderFlyweight original = new Ipv4HeaderFlyweight();
    private final Ipv4OptionsFlyweight options = new Ipv4OptionsFlyweight();

    IcmpErrors(
        final ForwarderContext context,
        final RuleLookup ruleLookup,
        final IcmpMessages messages,
        final NanoClock clock,
        final FateCounters counters)
    {
        this.ruleLookup = ruleLookup;
        this.adjacencies = context.adjacencies;
        this.interfaces = context.interfaces;
        this.icmp = context.icmpSettings;
        this.limit = new TokenBucket(context.icmpErrors, clock);
        this.messages = messages;
        this.counters = counters;
    }

    /** Reports on the dropped frames of a list from one position to before another. */
    void process(final FrameBatch batch, final FrameList frames, final int from, final int to)
    {
        for (int k = from; k < to; k++)
        {
            final int i = frames.get(k);
            if (batch.disposition(i) == Disposition.DROP && batch.ingressInterface(i) != counters.ownIngress())
            {
                final DropReason reason = DropReason.of(batch.dropReason(i));
                if (reason.icmpType() != DropReason.SILENT)
                {
                    reportOrPunt(batch, i, reason);
                }
            }
        }
    }

    /**
     * Leaves a frame to the kernel if its sender is behind an interface that is no port: the kernel finds the same
     * error and reports it. If an access list prohibits the frame, this stage reports it, as the kernel has no list.
     */
    private void reportOrPunt(final FrameBatch batch, final int i, final DropReason reason)
    {
        final int sender = original.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH).source();
        if (reason != DropReason.ACCESS_PROHIBITED && adjacencies.mayBeKernels(ruleLookup.ownRoute(sender)))
        {
            batch.disposition(i, Disposition.PUNT);
        }
        else
        {
            report(batch, i, reason);
        }
    }

    private void report(final FrameBatch batch, final int i, final DropReason reason)
    {
        final long header = batch.address(i) + EthernetHeaderFlyweight.LENGTH;
        if (!messages.mayBeAbout(header))
        {
            return;
        }
        final int source = sourceOfAnswer(original.wrap(header).source(), batch.ingressInterface(i));
        final int rest = rest(batch, i, reason);
        // An MTU of 0 means unknown (RFC 1191 section 3); it is 0 if the route has just changed.
        final boolean complete = reason != DropReason.IPV4_TOO_BIG || rest != 0;
        final boolean isLimited = icmp.isLimited(reason.icmpType(), reason == DropReason.IPV4_TOO_BIG);
        if (!complete || !messages.hasRoom() || isLimited && !limit.take())
        {
            counters.add(ForwarderCounter.ICMP_SUPPRESSED, 1);
            return;
        }
        messages.write(header, source, icmp.ttl(), reason.icmpType(), reason.icmpCode(), rest);
    }

    /** Returns the address that the kernel would send from by the route to the sender. */
    private int sourceOfAnswer(final int sender, final int ingress)
    {
        int source = icmp.usesInboundAddress() ?
            interfaces.sourceFor(ingress, sender, RouteOptions.SCOPE_LINK) : RouterInterface.NO_ADDRESS;
        if (source == RouterInterface.NO_ADDRESS)
        {
            final Adjacency back = messages.routeTo(sender);
            source = back.egressInterface() < 0 ?
                interfaces.sourceFor(ingress, sender, RouteOptions.SCOPE_UNIVERSE) : interfaces.sourceBy(back);
        }
        return source == RouterInterface.NO_ADDRESS ? DUMMY_ADDRESS : source;
    }

    private int rest(final FrameBatch batch, final int i, final DropReason reason)
    {
        switch (reason)
        {
            case IPV4_TOO_BIG:
                return adjacencies.get(batch.adjacency(i)).mtu();
            case IPV4_BAD_OPTION:
                return options.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH).octetInError() <<
                    IcmpHeaderFlyweight.POINTER_SHIFT;
            default:
                return 0;
        }
    }
}
