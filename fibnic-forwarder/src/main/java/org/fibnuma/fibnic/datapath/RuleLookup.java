package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fib.FibRules;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;

/**
 * Applies the rules of policy routing of the ingress interface to frames that {@link Ipv4Lookup} or {@link Ipv6Lookup}
 * have looked up in the main table, and stores the index of the adjacency of each. For most interfaces there are none.
 */
final class RuleLookup
{
    private static final int SOURCE = EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.SOURCE_OFFSET;
    private static final int DESTINATION = EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.DESTINATION_OFFSET;

    private final Ipv4Fib fib;
    private final Ipv6Fib ipv6Fib;
    private final AdjacencyTable adjacencies;
    private final InterfaceTable interfaces;
    private final int ownIngress;
    private final Ipv6HeaderFlyweight ipv6 = new Ipv6HeaderFlyweight();

    /** Looks up by the FIBs of a context; frames with the ingress interface {@code ownIngress} are the host's own. */
    RuleLookup(final ForwarderContext context, final int ownIngress)
    {
        this.fib = context.fib;
        this.ipv6Fib = context.ipv6Fib;
        this.adjacencies = context.adjacencies;
        this.interfaces = context.interfaces;
        this.ownIngress = ownIngress;
    }

    /**
     * Applies the rules to received frames of one family.
     *
     * @param rules of the ingress interface of all of them.
     */
    void process(
        final FrameBatch batch,
        final FibRules rules,
        final FrameList ordinary,
        final FrameList exceptions,
        final boolean isIpv6)
    {
        process(batch, rules, ordinary, isIpv6);
        process(batch, rules, exceptions, isIpv6);
    }

    private void process(
        final FrameBatch batch, final FibRules rules, final FrameList frames, final boolean isIpv6)
    {
        for (int k = 0; k < frames.size(); k++)
        {
            final int i = frames.get(k);
            batch.adjacency(i, apply(rules, batch.address(i), batch.adjacency(i), isIpv6));
        }
    }

    /** Applies to each frame the rules of its ingress interface, or those for the host's own packets. */
    void processEach(final FrameBatch batch, final FrameList frames, final boolean isIpv6)
    {
        for (int k = 0; k < frames.size(); k++)
        {
            final int i = frames.get(k);
            final FibRules rules = rulesOf(batch.ingressInterface(i), isIpv6);
            if (rules != null)
            {
                batch.adjacency(i, batch.ingressInterface(i) == ownIngress ?
                    applyToOwn(rules, batch.address(i), batch.adjacency(i), isIpv6) :
                    apply(rules, batch.address(i), batch.adjacency(i), isIpv6));
            }
        }
    }

    /**
     * As in the kernel, the source of an error is selected by the route, so that rules see the address 0
     * (icmp_route_lookup in net/ipv4/icmp.c, icmp6_send in net/ipv6/icmp.c, Linux 6.1).
     */
    private int applyToOwn(final FibRules rules, final long frame, final int ofMain, final boolean isIpv6)
    {
        if (isIpv6)
        {
            ipv6.wrap(frame + EthernetHeaderFlyweight.LENGTH);
            return rules.lookup(ofMain, isOfHost(ofMain), 0, 0, ipv6.destinationHigh(), ipv6.destinationLow());
        }
        return rules.lookup(
            ofMain, isOfHost(ofMain), 0, 0, FibRules.inHigh(FrameMemory.getIntBE(frame + DESTINATION)), 0);
    }

    /** Returns the adjacency by which the host itself sends to an IPv4 address. */
    int ownRoute(final int address)
    {
        final int ofMain = fib.lookup(address);
        final FibRules rules = interfaces.ownRules().ipv4();
        return rules == null ? ofMain :
            rules.lookup(ofMain, isOfHost(ofMain), 0, 0, FibRules.inHigh(address), 0);
    }

    /** Returns the adjacency by which the host itself sends to an IPv6 address. */
    int ownRoute(final long high, final long low)
    {
        final int ofMain = ipv6Fib.lookup(high, low);
        final FibRules rules = interfaces.ownRules().ipv6();
        return rules == null ? ofMain : rules.lookup(ofMain, isOfHost(ofMain), 0, 0, high, low);
    }

    /** Returns the adjacency of a frame by all tables that it meets. */
    int route(final long frame, final int ingressInterface, final boolean isIpv6)
    {
        final FibRules rules = rulesOf(ingressInterface, isIpv6);
        ipv6.wrap(frame + EthernetHeaderFlyweight.LENGTH);
        final int ofMain = isIpv6 ? ipv6Fib.lookup(ipv6.destinationHigh(), ipv6.destinationLow()) :
            fib.lookup(FrameMemory.getIntBE(frame + DESTINATION));
        return rules == null ? ofMain : apply(rules, frame, ofMain, isIpv6);
    }

    /**
     * Returns the adjacency by which the source of an IPv4 frame would be reached. A reverse-path check looks up with
     * both addresses exchanged, as a packet of the host itself (__fib_validate_source in net/ipv4/fib_frontend.c, Linux
     * 6.1).
     *
     * @param ofMain adjacency that the main table has for the source.
     */
    int routeBack(final long frame, final int ofMain)
    {
        final FibRules rules = interfaces.ownRules().ipv4();
        return rules == null ? ofMain : rules.lookup(ofMain, isOfHost(ofMain),
            FibRules.inHigh(FrameMemory.getIntBE(frame + DESTINATION)), 0,
            FibRules.inHigh(FrameMemory.getIntBE(frame + SOURCE)), 0);
    }

    private FibRules rulesOf(final int ingressInterface, final boolean isIpv6)
    {
        return (ingressInterface == ownIngress ? interfaces.ownRules() : interfaces.get(ingressInterface).rules())
            .of(isIpv6);
    }

    private int apply(final FibRules rules, final long frame, final int ofMain, final boolean isIpv6)
    {
        if (isIpv6)
        {
            ipv6.wrap(frame + EthernetHeaderFlyweight.LENGTH);
            return rules.lookup(ofMain, isOfHost(ofMain), ipv6.sourceHigh(), ipv6.sourceLow(),
                ipv6.destinationHigh(), ipv6.destinationLow());
        }
        return rules.lookup(ofMain, isOfHost(ofMain),
            FibRules.inHigh(FrameMemory.getIntBE(frame + SOURCE)), 0,
            FibRules.inHigh(FrameMemory.getIntBE(frame + DESTINATION)), 0);
    }

    private boolean isOfHost(final int adjacency)
    {
        return switch (adjacencies.get(adjacency).kind())
        {
            case LOCAL, BROADCAST, PUNT -> true;
            default -> false;
        };
    }
}
