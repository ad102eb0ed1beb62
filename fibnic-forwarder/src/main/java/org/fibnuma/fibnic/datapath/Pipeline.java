package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.agent.BatchClock;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.fibnic.adjacency.InterfaceRules;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.ports.PortQueues;
import org.fibnuma.fibnic.stage.FrameClass;
import org.fibnuma.fibnic.stage.Stage;
import org.fibnuma.fibnic.stage.StageObserver;

/**
 * The stages of one worker in the order in which frames pass them, which is the order of {@link Stage}. Received frames
 * begin at {@link #process}. Frames that {@link NeighborHold} releases and the router's own messages begin at the
 * lookup, in {@link #forward}. A stage that is off costs one test for each batch.
 * <p>
 * {@code observer} is null for nearly all batches. Otherwise it is called after each stage: it is {@link TraceObserver}
 * for a batch with traced frames, or the {@link org.fibnuma.fibnic.stage.StageClock} for a batch whose stages are
 * timed. Frames have the same fate with an observer. Stages that send frames or write messages process an observed
 * frame alone: first the frames before it, then the frame, then those after it.
 * <p>
 * HotSpot inlines at most 8,000 bytecodes into a compiled method (DesiredMethodLimit), less than all stages have. The
 * methods of this class are called once for each batch, so that a call that is not inlined costs little.
 */
final class Pipeline
{
    final ChecksumCompletion checksumCompletion;
    /** Null in a router without lossless priorities, as {@link #pauseInput} is. */
    final PriorityTagInput priorityTagInput;
    final VlanInput vlanInput;
    final FrameClassifier frameClassifier;
    final EthernetInput ethernetInput;
    final Ipv4Input ipv4Input;
    final Ipv6Input ipv6Input;
    final AccessInput accessInput;
    final Ipv4ReversePath ipv4ReversePath;
    final FlowInput flowInput;
    final Ipv4Lookup ipv4Lookup;
    final Ipv6Lookup ipv6Lookup;
    final RuleLookup ruleLookup;
    final MultipathSelection multipathSelection;
    final Ipv4Options ipv4Options;
    final Ipv4Rewrite ipv4Rewrite;
    final Ipv6Rewrite ipv6Rewrite;
    final AccessOutput accessOutput;
    final IcmpErrors icmpErrors;
    final Icmpv6Errors icmpv6Errors;
    final NeighborHold neighborHold;
    final PauseInput pauseInput;
    final PuntOutput puntOutput;
    final DropOutput dropOutput;
    final IcmpRedirects icmpRedirects;
    final VlanOutput vlanOutput;
    final Ipv4Fragmenter ipv4Fragmenter;
    final EgressQueues egressQueues;

    /**
     * Frames received from one port in this duty cycle, of interfaces that receive alike, and the classes that they are
     * divided into.
     */
    final FrameBatch frames = new FrameBatch();
    final FrameList ordinaryIpv4 = new FrameList();
    final FrameList ordinaryIpv6 = new FrameList();
    final FrameList exceptions = new FrameList();
    /** Exceptions of {@link EthernetInput} and {@link Ipv6Rewrite} for the IPv6 stages; empty between batches. */
    final FrameList exceptionsIpv6 = new FrameList();
    /** ICMP and ICMPv6 messages of this router that were written in this duty cycle. */
    final FrameBatch messages = new FrameBatch();
    private final FrameBatch released = new FrameBatch();
    /** The classes of released frames and messages. */
    private final FrameList none = new FrameList();
    private final FrameList ipv4 = new FrameList();
    private final FrameList ipv6 = new FrameList();
    private final FateCounters counters;
    private final BatchClock batchClock;

    Pipeline(final ForwarderContext context, final EgressQueues egress, final FrameClassifier classifier)
    {
        egressQueues = egress;
        frameClassifier = classifier;
        counters = egress.counters();
        dropOutput = egress.drops();
        vlanOutput = egress.vlanOutput();
        batchClock = new BatchClock(context.clock);
        checksumCompletion = new ChecksumCompletion(context.places(), counters);
        vlanInput = context.newVlanInput(counters);
        ethernetInput = new EthernetInput(context);
        ipv4Input = new Ipv4Input(context);
        ipv6Input = new Ipv6Input(context.ipv6Fib, context.adjacencies, context.interfaces.hostAddresses());
        accessInput = new AccessInput(context.accessTable, context.worker);
        accessOutput = new AccessOutput(accessInput, counters.ownIngress());
        puntOutput = new PuntOutput(context, batchClock, counters);
        ruleLookup = new RuleLookup(context, counters.ownIngress());
        ipv4ReversePath = new Ipv4ReversePath(context.fib, context.adjacencies, ruleLookup, puntOutput);
        flowInput = new FlowInput(context, ruleLookup, counters);
        ipv4Lookup = new Ipv4Lookup(context.fib);
        ipv6Lookup = new Ipv6Lookup(context.ipv6Fib);
        multipathSelection = new MultipathSelection(context.adjacencies, context.flowHash, batchClock);
        ipv4Options = new Ipv4Options(context);
        ipv4Rewrite = new Ipv4Rewrite(context);
        ipv6Rewrite = new Ipv6Rewrite(context.adjacencies, counters.ownIngress());
        final IcmpMessages icmpMessages = new IcmpMessages(context, ruleLookup, messages, counters);
        icmpErrors = new IcmpErrors(context, ruleLookup, icmpMessages, batchClock, counters);
        icmpv6Errors = new Icmpv6Errors(context, ruleLookup, messages, egress, batchClock, counters);
        icmpRedirects = new IcmpRedirects(
            context, flowInput, icmpMessages, new Icmpv6Redirects(context, ruleLookup, egress, counters), counters);
        neighborHold = new NeighborHold(context, ruleLookup, multipathSelection, batchClock, counters);
        ipv4Fragmenter = new Ipv4Fragmenter(context.adjacencies, context.framePool, egress, dropOutput, counters);
        final boolean isLossless = egress instanceof LosslessEgressQueues;
        priorityTagInput = isLossless ? new PriorityTagInput(counters) : null;
        pauseInput = isLossless ? new PauseInput(
            ((LosslessEgressQueues)egress).ports(), context.framePool, counters, context.clock) : null;
    }

    /** Passes the received frames of one port through all stages; the observer is null for none. */
    void process(final StageObserver observer)
    {
        batchClock.begin();
        if (observer != null)
        {
            observer.begin();
        }
        checksumCompletion.process(frames);
        after(observer, Stage.CHECKSUM_COMPLETION, FrameClass.NONE, frames.size());
        if (priorityTagInput != null)
        {
            priorityTagInput.process(frames);
            after(observer, Stage.PRIORITY_TAG_INPUT, FrameClass.NONE, frames.size());
        }
        vlanInput.process(frames);
        do
        {
            after(observer, Stage.VLAN_INPUT, FrameClass.NONE, frames.size());
            processAlike(vlanInput.ingress(), observer);
        }
        while (vlanInput.next(frames));
        if (observer != null)
        {
            observer.end();
        }
    }

    private static void after(
        final StageObserver observer, final Stage stage, final FrameClass of, final int count)
    {
        if (observer != null)
        {
            observer.after(stage, of, count);
        }
    }

    /** Passes frames on that are received as those of an interface. */
    private void processAlike(final RouterInterface ingress, final StageObserver observer)
    {
        ipv4Lookup.prefetch(frames);
        frameClassifier.process(frames, ingress, ordinaryIpv4, ordinaryIpv6, exceptions);
        after(observer, Stage.FRAME_CLASSIFIER, FrameClass.NONE, frames.size());
        int ipv4Count = ordinaryIpv4.size();
        if (exceptions.size() > 0)
        {
            ipv4Count += check(ingress, observer);
        }
        accessInput.process(frames, ordinaryIpv4, ordinaryIpv6, exceptions, exceptionsIpv6);
        after(observer, Stage.ACCESS_INPUT, FrameClass.NONE, frames.size());
        final int ipv6Count = ordinaryIpv6.size() + exceptionsIpv6.size();
        if (ipv6Count < frames.size())
        {
            ipv4ReversePath.process(frames, ingress, ordinaryIpv4, exceptions);
            after(observer, Stage.IPV4_REVERSE_PATH, FrameClass.ORDINARY_IPV4, frames.size() - ipv6Count);
        }
        flowInput.process(frames, ingress, ordinaryIpv4, ordinaryIpv6, exceptions, exceptionsIpv6);
        after(observer, Stage.FLOW_INPUT, FrameClass.NONE, frames.size());
        route(frames, ingress.rules(), ordinaryIpv4, ordinaryIpv6, exceptions, exceptionsIpv6, observer);
        int ipv6Forwarded = ipv6Count;
        if (exceptions.size() + exceptionsIpv6.size() > 0)
        {
            counters.add(ForwarderCounter.EXCEPTIONS, exceptions.size() + exceptionsIpv6.size());
            ipv6Forwarded -= settle(frames, exceptions, exceptionsIpv6, observer);
        }
        counters.receivedByFamily(frames.ingressPort(0), ipv4Count, ipv6Count);
        counters.ipv6Forwarded(frames.ingressPort(0), ipv6Forwarded);
        flowInput.count(frames);
        if (neighborHold.isHolding() && neighborHold.isOvertakingPossible())
        {
            sendHeldAheadOf(frames);
        }
        send(frames, observer);
    }

    /** Checks the headers of exceptions rule by rule; returns how many have passed as IPv4. */
    private int check(final RouterInterface ingress, final StageObserver observer)
    {
        final int count = exceptions.size();
        ethernetInput.process(frames, ingress, exceptions, exceptionsIpv6);
        after(observer, Stage.ETHERNET_INPUT, FrameClass.EXCEPTION, count);
        final int ipv4Count = ipv4Input.process(frames, exceptions);
        after(observer, Stage.IPV4_INPUT, FrameClass.EXCEPTION, exceptions.size());
        ipv6Input.process(frames, exceptionsIpv6);
        after(observer, Stage.IPV6_INPUT, FrameClass.EXCEPTION_IPV6, exceptionsIpv6.size());
        return ipv4Count;
    }

    /**
     * Looks up and rewrites frames. Ordinary frames that their adjacency does not forward as they are become
     * exceptions.
     *
     * @param rules for all frames, or null for frames of several ingress interfaces, which are exceptions.
     */
    private void route(
        final FrameBatch batch,
        final InterfaceRules rules,
        final FrameList ipv4Ordinary,
        final FrameList ipv6Ordinary,
        final FrameList ipv4Exceptions,
        final FrameList ipv6Exceptions,
        final StageObserver observer)
    {
        final int ipv4Count = ipv4Ordinary.size() + ipv4Exceptions.size();
        if (ipv4Count > 0)
        {
            ipv4Lookup.process(batch, ipv4Ordinary, ipv4Exceptions);
            applyRules(batch, rules, ipv4Ordinary, ipv4Exceptions, false);
            after(observer, Stage.IPV4_LOOKUP, FrameClass.ORDINARY_IPV4, ipv4Count);
            multipathSelection.process(batch, ipv4Ordinary, ipv4Exceptions, false);
            after(observer, Stage.MULTIPATH_SELECTION, FrameClass.ORDINARY_IPV4, ipv4Count);
            flowInput.checkEgress(batch, ipv4Ordinary, ipv4Exceptions, false);
            final int ordinary = ipv4Ordinary.size();
            ipv4Rewrite.process(batch, ipv4Ordinary, ipv4Exceptions);
            after(observer, Stage.IPV4_REWRITE, FrameClass.ORDINARY_IPV4, ordinary);
        }
        final int ipv6Count = ipv6Ordinary.size() + ipv6Exceptions.size();
        if (ipv6Count > 0)
        {
            ipv6Lookup.process(batch, ipv6Ordinary, ipv6Exceptions);
            applyRules(batch, rules, ipv6Ordinary, ipv6Exceptions, true);
            after(observer, Stage.IPV6_LOOKUP, FrameClass.ORDINARY_IPV6, ipv6Count);
            multipathSelection.process(batch, ipv6Ordinary, ipv6Exceptions, true);
            after(observer, Stage.MULTIPATH_SELECTION, FrameClass.ORDINARY_IPV6, ipv6Count);
            flowInput.checkEgress(batch, ipv6Ordinary, ipv6Exceptions, true);
            final int ordinary = ipv6Ordinary.size();
            ipv6Rewrite.process(batch, ipv6Ordinary, ipv6Exceptions);
            after(observer, Stage.IPV6_REWRITE, FrameClass.ORDINARY_IPV6, ordinary);
        }
        if (ipv4Exceptions.size() + ipv6Exceptions.size() > 0)
        {
            flowInput.leaveExceptions(batch, ipv4Exceptions, false);
            flowInput.leaveExceptions(batch, ipv6Exceptions, true);
            ipv4Options.process(batch, ipv4Exceptions);
            after(observer, Stage.IPV4_OPTIONS, FrameClass.EXCEPTION, ipv4Exceptions.size());
            ipv4Rewrite.process(batch, ipv4Exceptions);
            after(observer, Stage.IPV4_REWRITE, FrameClass.EXCEPTION, ipv4Exceptions.size());
            ipv6Rewrite.process(batch, ipv6Exceptions);
            after(observer, Stage.IPV6_REWRITE, FrameClass.EXCEPTION_IPV6, ipv6Exceptions.size());
        }
        accessOutput.process(batch, ipv4Exceptions, ipv6Exceptions);
        after(observer, Stage.ACCESS_OUTPUT, FrameClass.NONE, batch.size());
        flowInput.restoreDropped(batch, ipv4Exceptions, false);
        flowInput.restoreDropped(batch, ipv6Exceptions, true);
    }

    private void applyRules(
        final FrameBatch batch,
        final InterfaceRules rules,
        final FrameList ordinary,
        final FrameList exceptions,
        final boolean isIpv6)
    {
        if (rules == null)
        {
            ruleLookup.processEach(batch, exceptions, isIpv6);
        }
        else if (rules.of(isIpv6) != null)
        {
            ruleLookup.process(batch, rules.of(isIpv6), ordinary, exceptions, isIpv6);
        }
    }

    /**
     * Gives every exception that is not to be sent its fate.
     *
     * @return the number of IPv6 packets that are not forwarded.
     */
    private int settle(
        final FrameBatch batch,
        final FrameList ipv4Exceptions,
        final FrameList ipv6Exceptions,
        final StageObserver observer)
    {
        reportErrors(batch, ipv4Exceptions, false, observer);
        after(observer, Stage.ICMP_ERRORS, FrameClass.EXCEPTION, ipv4Exceptions.size());
        reportErrors(batch, ipv6Exceptions, true, observer);
        after(observer, Stage.ICMPV6_ERRORS, FrameClass.EXCEPTION_IPV6, ipv6Exceptions.size());
        final int ipv6NotForwarded = notForwarded(batch, ipv6Exceptions);
        final FrameList all = ipv4Exceptions;
        all.takeAll(ipv6Exceptions);
        final int count = all.size();
        neighborHold.process(batch, all);
        after(observer, Stage.NEIGHBOR_HOLD, FrameClass.EXCEPTION, count);
        if (pauseInput != null)
        {
            pauseInput.process(batch, all);
            after(observer, Stage.PAUSE_INPUT, FrameClass.EXCEPTION, count);
        }
        puntOutput.process(batch, all);
        after(observer, Stage.PUNT_OUTPUT, FrameClass.EXCEPTION, count);
        dropOutput.process(batch, all);
        after(observer, Stage.DROP_OUTPUT, FrameClass.EXCEPTION, count);
        return ipv6NotForwarded;
    }

    private static int notForwarded(final FrameBatch batch, final FrameList list)
    {
        int count = 0;
        for (int k = 0; k < list.size(); k++)
        {
            count += batch.isForward(list.get(k)) ? 0 : 1;
        }
        return count;
    }

    private void reportErrors(
        final FrameBatch batch, final FrameList list, final boolean isIpv6, final StageObserver observer)
    {
        int next = 0;
        if (observer != null)
        {
            for (int k = observer.nextAlone(list, 0); k < list.size(); k = observer.nextAlone(list, next))
            {
                reportErrors(batch, list, next, k, isIpv6);
                observer.beforeMessage();
                reportErrors(batch, list, k, k + 1, isIpv6);
                observer.afterMessage(list.get(k), isIpv6 ? Stage.ICMPV6_ERRORS : Stage.ICMP_ERRORS);
                next = k + 1;
            }
        }
        reportErrors(batch, list, next, list.size(), isIpv6);
    }

    private void reportErrors(
        final FrameBatch batch, final FrameList list, final int from, final int to, final boolean isIpv6)
    {
        if (isIpv6)
        {
            icmpv6Errors.process(batch, list, from, to);
        }
        else
        {
            icmpErrors.process(batch, list, from, to);
        }
    }

    /** Sends the rewritten frames of a batch, in the order in which they were received. */
    private void send(final FrameBatch batch, final StageObserver observer)
    {
        redirect(batch, observer);
        after(observer, Stage.ICMP_REDIRECTS, FrameClass.NONE, batch.size());
        vlanOutput.process(batch);
        after(observer, Stage.VLAN_OUTPUT, FrameClass.NONE, batch.size());
        int next = 0;
        if (observer != null)
        {
            for (int i = observer.nextSentAlone(batch, 0); i < batch.size(); i = observer.nextSentAlone(batch, next))
            {
                send(batch, next, i, observer);
                observer.beforeSend(i);
                send(batch, i, i + 1, observer);
                observer.afterSend(i);
                next = i + 1;
            }
        }
        send(batch, next, batch.size(), observer);
    }

    private void redirect(final FrameBatch batch, final StageObserver observer)
    {
        int next = 0;
        if (observer != null)
        {
            for (int i = observer.nextSentAlone(batch, 0); i < batch.size(); i = observer.nextSentAlone(batch, next))
            {
                icmpRedirects.process(batch, next, i);
                observer.beforeMessage();
                icmpRedirects.process(batch, i, i + 1);
                observer.afterMessage(i, Stage.ICMP_REDIRECTS);
                next = i + 1;
            }
        }
        icmpRedirects.process(batch, next, batch.size());
    }

    private void send(final FrameBatch batch, final int from, final int to, final StageObserver observer)
    {
        if (from < to)
        {
            final int rest = ipv4Fragmenter.process(batch, from, to);
            after(observer, Stage.IPV4_FRAGMENTER, FrameClass.NONE, to - from);
            egressQueues.process(batch, rest, to);
            after(observer, Stage.EGRESS_QUEUES, FrameClass.NONE, to - from);
        }
    }

    /** Sends the held frames that a batch of rewritten frames would overtake. */
    private void sendHeldAheadOf(final FrameBatch batch)
    {
        boolean more;
        do
        {
            released.clear();
            more = neighborHold.releaseAhead(batch, released);
            forward(released);
        }
        while (more);
    }

    /** Sends held frames whose neighbour was resolved and drops those that waited too long; returns their number. */
    int sendHeld()
    {
        if (!neighborHold.isHolding())
        {
            return 0;
        }
        released.clear();
        batchClock.begin();
        neighborHold.release(released);
        final int count = released.size();
        forward(released);
        return count;
    }

    /** Sends the ICMP and ICMPv6 messages that this router has written. */
    void sendMessages()
    {
        if (messages.size() > 0)
        {
            batchClock.begin();
            forward(messages);
            messages.clear();
        }
    }

    /** Passes frames whose headers need no check through the stages from the lookup on, as exceptions. */
    private void forward(final FrameBatch batch)
    {
        if (batch.size() == 0)
        {
            return;
        }
        ipv4.clear();
        ipv6.clear();
        for (int i = 0; i < batch.size(); i++)
        {
            (EthernetHeaderFlyweight.etherType(batch.address(i)) == EtherType.IPV6 ? ipv6 : ipv4).add(i);
        }
        Ipv4Lookup.readDestinations(batch, ipv4);
        accessInput.refresh();
        route(batch, null, none, none, ipv4, ipv6, null);
        countIpv6(batch);
        settle(batch, ipv4, ipv6, null);
        send(batch, null);
    }

    /** Counts the IPv6 frames that are forwarded, by their ingress ports. */
    private void countIpv6(final FrameBatch batch)
    {
        for (int k = 0; k < ipv6.size(); k++)
        {
            final int i = ipv6.get(k);
            counters.ipv6Forwarded(batch.ingressPort(i), batch.isForward(i) ? 1 : 0);
        }
    }

    /** Uses these ports from now on. */
    void take(final PortQueues ports)
    {
        egressQueues.take(ports);
        checksumCompletion.take(ports);
        puntOutput.take(ports);
    }
}
