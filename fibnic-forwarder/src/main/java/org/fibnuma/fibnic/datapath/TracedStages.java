package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.acl.ActiveList;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.lossless.PauseInput;
import org.fibnuma.fibnic.lossless.PriorityTagInput;
import org.fibnuma.fibnic.trace.FrameTraces;
import org.fibnuma.fibnic.trace.TraceClass;
import org.fibnuma.fibnic.trace.TraceEvent;
import org.fibnuma.fibnic.trace.TraceStage;

/**
 * Processes a batch with traced frames: the stages of the worker in the order of {@code doWork()}, and after each of
 * them {@link FrameTraces} compares the traced frames with what they were before it. Frames have the same fate as
 * without a trace. Where a stage sends frames or writes messages, it processes the frames before a traced one, the
 * traced one, and those behind it one after the other, so that what it did belongs to one frame.
 * <p>
 * A worker calls it only for batches with traced frames, so that {@code doWork()} has none of it. A test compares the
 * order of the stages with that of {@code doWork()}, another one the sent bytes and all counters.
 */
final class TracedStages
{
    private static final int NONE = FrameTraces.NONE;

    private final ForwarderAgent agent;
    /** Null in a router without lossless priorities, as {@link #pauseInput} is. */
    private final PriorityTagInput priorityTagInput;
    private final PauseInput pauseInput;
    private final AdjacencyTable adjacencies;
    private final InterfaceTable interfaces;
    private final FateCounters counters;
    private final FrameBatch frames;
    private final FrameList ordinaryIpv4;
    private final FrameList ordinaryIpv6;
    private final FrameList exceptions;
    private final FrameList exceptionsIpv6;
    private final FrameList part = new FrameList();
    /** By index in the batch. */
    private final TraceClass[] classes = new TraceClass[FrameBatch.CAPACITY];
    private final long[] dropsBefore = new long[DropReason.count()];
    private long suppressedBefore;
    private long originatedBefore;
    private int messagesBefore;
    private FrameTraces traces;

    TracedStages(
        final ForwarderAgent agent,
        final ForwarderContext context,
        final PriorityTagInput priorityTagInput,
        final PauseInput pauseInput)
    {
        this.agent = agent;
        this.priorityTagInput = priorityTagInput;
        this.pauseInput = pauseInput;
        adjacencies = context.adjacencies();
        interfaces = context.interfaces();
        counters = agent.counters;
        frames = agent.frames;
        ordinaryIpv4 = agent.ordinaryIpv4;
        ordinaryIpv6 = agent.ordinaryIpv6;
        exceptions = agent.exceptions;
        exceptionsIpv6 = agent.exceptionsIpv6;
    }

    /**
     * Processes the received frames of the worker if any of them is to be traced. The tap of the worker is on.
     *
     * @return false if nothing was done: the caller processes the frames.
     */
    boolean process()
    {
        traces = agent.captureTap.traces();
        if (traces == null || !traces.mark(frames))
        {
            return false;
        }
        receive();
        traces.finish();
        return true;
    }

    private void receive()
    {
        traces.locate(frames);
        unclassify();
        agent.batchClock.begin();
        agent.checksumCompletion.process(frames);
        note(TraceStage.CHECKSUM_COMPLETION);
        if (priorityTagInput != null)
        {
            priorityTagInput.process(frames);
            note(TraceStage.PRIORITY_TAG_INPUT);
        }
        agent.vlanInput.process(frames);
        do
        {
            traces.locate(frames);
            unclassify();
            note(TraceStage.VLAN_INPUT);
            processInterface();
        }
        while (agent.vlanInput.next(frames));
    }

    private void processInterface()
    {
        agent.ipv4Lookup.prefetch(frames);
        agent.frameClassifier.process(frames, ordinaryIpv4, ordinaryIpv6, exceptions);
        classify();
        noteAll(TraceStage.FRAME_CLASSIFIER);

        int ipv4Count = ordinaryIpv4.size();
        if (exceptions.size() > 0)
        {
            ipv4Count += checkExceptions();
        }
        agent.accessInput.process(frames, ordinaryIpv4, ordinaryIpv6, exceptions, exceptionsIpv6);
        noteAccess(TraceStage.ACCESS_INPUT);
        final int ipv6Count = ordinaryIpv6.size() + exceptionsIpv6.size();
        if (ipv6Count < frames.size())
        {
            routeIpv4();
        }
        if (ipv6Count > 0)
        {
            routeIpv6();
        }
        if (exceptions.size() + exceptionsIpv6.size() > 0)
        {
            rewriteExceptions();
        }
        agent.accessOutput.process(frames, exceptions, exceptionsIpv6);
        noteAccess(TraceStage.ACCESS_OUTPUT);
        int ipv6Forwarded = ipv6Count;
        if (exceptions.size() + exceptionsIpv6.size() > 0)
        {
            ipv6Forwarded -= endExceptions();
        }
        send(ipv4Count, ipv6Count, ipv6Forwarded);
    }

    private int checkExceptions()
    {
        agent.ethernetInput.process(frames, exceptions, exceptionsIpv6);
        classify();
        noteExceptions(TraceStage.ETHERNET_INPUT, TraceClass.EXCEPTION);
        final int ipv4Count = agent.ipv4Input.process(frames, exceptions);
        noteExceptions(TraceStage.IPV4_INPUT, TraceClass.EXCEPTION);
        agent.ipv6Input.process(frames, exceptionsIpv6);
        noteExceptions(TraceStage.IPV6_INPUT, TraceClass.EXCEPTION_IPV6);
        return ipv4Count;
    }

    private void routeIpv4()
    {
        final boolean isPathChecked = agent.ipv4ReversePath.checks(frames.ingressInterface(0));
        agent.ipv4ReversePath.process(frames, ordinaryIpv4, exceptions);
        classify();
        noteForwarded(TraceStage.IPV4_REVERSE_PATH, false, isPathChecked);
        agent.ipv4Lookup.process(frames, ordinaryIpv4, exceptions);
        noteLookup(TraceStage.IPV4_LOOKUP, false);
        agent.multipathSelection.process(frames, ordinaryIpv4, exceptions, false);
        noteSelection(false);
        agent.ipv4Rewrite.process(frames, ordinaryIpv4, exceptions);
        classify();
        noteRewrite(TraceStage.IPV4_REWRITE, false);
    }

    private void routeIpv6()
    {
        agent.ipv6Lookup.process(frames, ordinaryIpv6, exceptionsIpv6);
        noteLookup(TraceStage.IPV6_LOOKUP, true);
        agent.multipathSelection.process(frames, ordinaryIpv6, exceptionsIpv6, true);
        noteSelection(true);
        agent.ipv6Rewrite.process(frames, ordinaryIpv6, exceptionsIpv6);
        classify();
        noteRewrite(TraceStage.IPV6_REWRITE, false);
    }

    private void rewriteExceptions()
    {
        agent.ipv4Options.process(frames, exceptions);
        note(TraceStage.IPV4_OPTIONS);
        agent.ipv4Rewrite.process(frames, exceptions);
        noteRewrite(TraceStage.IPV4_REWRITE, true);
        agent.ipv6Rewrite.process(frames, exceptionsIpv6);
        noteRewrite(TraceStage.IPV6_REWRITE, true);
    }

    /** Gives every exception its fate and returns the number of IPv6 packets that are not forwarded. */
    private int endExceptions()
    {
        counters.add(ForwarderCounter.EXCEPTIONS, exceptions.size() + exceptionsIpv6.size());
        reportErrors(exceptions, false);
        reportErrors(exceptionsIpv6, true);
        final int notForwarded = ForwarderAgent.notForwarded(frames, exceptionsIpv6);
        exceptions.takeAll(exceptionsIpv6);
        agent.neighborHold.process(frames, exceptions);
        noteFate(TraceStage.NEIGHBOR_HOLD, TraceEvent.HELD);
        if (pauseInput != null)
        {
            pauseInput.process(frames, exceptions);
            noteFate(TraceStage.PAUSE_INPUT, TraceEvent.CONSUMED);
        }
        agent.puntOutput.process(frames, exceptions);
        noteFate(TraceStage.PUNT_OUTPUT, TraceEvent.PUNTED);
        agent.dropOutput.process(frames, exceptions);
        noteFate(TraceStage.DROP_OUTPUT, TraceEvent.DROPPED);
        return notForwarded;
    }

    private void reportErrors(final FrameList list, final boolean isIpv6)
    {
        part.clear();
        for (int k = 0; k < list.size(); k++)
        {
            final int n = traces.number(list.get(k));
            if (n != NONE)
            {
                reportPart(isIpv6);
                beginMessage();
            }
            part.add(list.get(k));
            if (n != NONE)
            {
                reportPart(isIpv6);
                noteMessage(n, isIpv6 ? TraceStage.ICMPV6_ERRORS : TraceStage.ICMP_ERRORS);
            }
        }
        reportPart(isIpv6);
    }

    private void reportPart(final boolean isIpv6)
    {
        if (!isIpv6)
        {
            agent.icmpErrors.process(frames, part);
        }
        else
        {
            agent.icmpv6Errors.process(frames, part);
        }
        part.clear();
    }

    /** Does what {@link ForwarderAgent#send} does. */
    private void send(final int ipv4Count, final int ipv6Count, final int ipv6Forwarded)
    {
        agent.countFamilies(ipv4Count, ipv6Count, ipv6Forwarded);
        agent.sendHeldAheadOf(frames);
        redirect();
        agent.vlanOutput.process(frames);
        note(TraceStage.VLAN_OUTPUT);
        int next = 0;
        for (int i = 0; i < frames.size(); i++)
        {
            if (isTracedAndSent(i))
            {
                sendRange(next, i);
                sendTraced(traces.number(i), i);
                next = i + 1;
            }
        }
        sendRange(next, frames.size());
    }

    private boolean isTracedAndSent(final int i)
    {
        final int n = traces.number(i);
        return n != NONE && traces.index(n) != NONE &&
            (frames.isForward(i) || frames.disposition(i) == Disposition.FRAGMENT);
    }

    private void redirect()
    {
        int next = 0;
        for (int i = 0; i < frames.size(); i++)
        {
            if (isTracedAndSent(i))
            {
                agent.icmpRedirects.process(frames, next, i);
                beginMessage();
                agent.icmpRedirects.process(frames, i, i + 1);
                noteMessage(traces.number(i), TraceStage.ICMP_REDIRECTS);
                next = i + 1;
            }
        }
        agent.icmpRedirects.process(frames, next, frames.size());
    }

    private void sendRange(final int from, final int to)
    {
        if (from < to)
        {
            agent.egressQueues.process(frames, agent.ipv4Fragmenter.process(frames, from, to), to);
        }
    }

    private void sendTraced(final int n, final int i)
    {
        final int number = frames.egressInterface(i);
        final int port = InterfaceNumber.portOf(number);
        final boolean isFragmented = frames.disposition(i) == Disposition.FRAGMENT;
        final long forwardedBefore = counters.get(ForwarderCounter.FORWARDED);
        final long fragmentsBefore = counters.get(ForwarderCounter.FRAGMENTS);
        final int waitingBefore = agent.egressQueues.waiting(port);
        for (int id = 0; id < dropsBefore.length; id++)
        {
            dropsBefore[id] = counters.get(DropReason.of(id));
        }
        sendRange(i, i + 1);
        if (!traces.addStep(n, isFragmented ? TraceStage.IPV4_FRAGMENTER : TraceStage.EGRESS_QUEUES))
        {
            return;
        }
        traces.egress(n, number, interfaces.get(number).tags());
        final boolean isQueued = agent.egressQueues.waiting(port) > waitingBefore;
        if (counters.get(ForwarderCounter.FORWARDED) == forwardedBefore)
        {
            traces.reason(n, reasonOfDrop());
            traces.event(n, TraceEvent.DROPPED, 0);
        }
        else if (isFragmented)
        {
            traces.event(
                n, TraceEvent.FRAGMENTED, (int)(counters.get(ForwarderCounter.FRAGMENTS) - fragmentsBefore));
        }
        else
        {
            traces.event(n, isQueued ? TraceEvent.QUEUED : TraceEvent.SENT, 0);
        }
    }

    private int reasonOfDrop()
    {
        int id = 0;
        while (id < dropsBefore.length - 1 && counters.get(DropReason.of(id)) == dropsBefore[id])
        {
            id++;
        }
        return id;
    }

    private void unclassify()
    {
        for (int i = 0; i < frames.size(); i++)
        {
            classes[i] = TraceClass.NONE;
        }
    }

    private void classify()
    {
        classify(ordinaryIpv4, TraceClass.ORDINARY_IPV4);
        classify(ordinaryIpv6, TraceClass.ORDINARY_IPV6);
        classify(exceptions, TraceClass.EXCEPTION);
        classify(exceptionsIpv6, TraceClass.EXCEPTION_IPV6);
    }

    private void classify(final FrameList list, final TraceClass klass)
    {
        for (int k = 0; k < list.size(); k++)
        {
            classes[list.get(k)] = klass;
        }
    }

    private boolean observe(final int n, final TraceStage stage, final boolean isShown)
    {
        final int i = traces.index(n);
        final boolean isAdded = traces.observe(n, stage, frames, classes[i], isShown);
        if (isAdded)
        {
            traces.ingressTags(n, interfaces.get(frames.ingressInterface(i)).tags());
        }
        return isAdded;
    }

    /** Shows the stage for the frames that it has changed. */
    private void note(final TraceStage stage)
    {
        for (int n = 0; n < traces.size(); n++)
        {
            if (traces.index(n) != NONE)
            {
                observe(n, stage, false);
            }
        }
    }

    private void noteAll(final TraceStage stage)
    {
        for (int n = 0; n < traces.size(); n++)
        {
            if (traces.index(n) != NONE)
            {
                observe(n, stage, true);
            }
        }
    }

    /** Shows the stage for the exceptions that it has checked. */
    private void noteExceptions(final TraceStage stage, final TraceClass checked)
    {
        for (int n = 0; n < traces.size(); n++)
        {
            if (traces.index(n) != NONE)
            {
                observe(n, stage, traces.classOf(n) == checked && isForward(n));
            }
        }
    }

    private void noteForwarded(final TraceStage stage, final boolean isIpv6, final boolean isShown)
    {
        for (int n = 0; n < traces.size(); n++)
        {
            if (traces.index(n) != NONE)
            {
                observe(n, stage, isShown && isForward(n) && traces.classOf(n).isIpv6() == isIpv6);
            }
        }
    }

    /** Returns whether the stage before the last one has left a frame to be forwarded. */
    private boolean isForward(final int n)
    {
        return traces.disposition(n) == Disposition.FORWARD;
    }

    private void noteLookup(final TraceStage stage, final boolean isIpv6)
    {
        for (int n = 0; n < traces.size(); n++)
        {
            if (traces.index(n) != NONE && isForward(n) && traces.classOf(n).isIpv6() == isIpv6 &&
                observe(n, stage, true))
            {
                noteAdjacency(n, traces.index(n));
            }
        }
    }

    private void noteSelection(final boolean isIpv6)
    {
        for (int n = 0; n < traces.size(); n++)
        {
            final int i = traces.index(n);
            if (i != NONE && isForward(n) && traces.classOf(n).isIpv6() == isIpv6 &&
                frames.adjacency(i) != traces.adjacency(n) &&
                observe(n, TraceStage.MULTIPATH_SELECTION, true))
            {
                noteAdjacency(n, i);
            }
        }
    }

    /** Stores the adjacency of a frame in its last step, and the egress interface if it has one. */
    private void noteAdjacency(final int n, final int i)
    {
        final int index = frames.adjacency(i);
        final Adjacency adjacency = adjacencies.get(index);
        final IpAddress nextHop = adjacency.nextHop();
        traces.adjacency(n, index, adjacency.kind().ordinal(), adjacency.mtu(), nextHop.high(), nextHop.low());
        if (adjacency.egressInterface() >= 0)
        {
            noteEgress(n, adjacency.egressInterface());
        }
        if (adjacency.kind() == AdjacencyKind.GROUP)
        {
            traces.event(n, TraceEvent.NONE, adjacency.group().size());
        }
    }

    private void noteEgress(final int n, final int number)
    {
        traces.egress(n, number, interfaces.get(number).tags());
    }

    /** Shows a rewrite for the frames that it has changed, with the egress interface of those that it has rewritten. */
    private void noteRewrite(final TraceStage stage, final boolean isOfExceptions)
    {
        for (int n = 0; n < traces.size(); n++)
        {
            final int i = traces.index(n);
            if (i != NONE && observe(n, stage, false))
            {
                final boolean isSent = frames.isForward(i) || frames.disposition(i) == Disposition.FRAGMENT;
                final boolean isOrdinary =
                    classes[i] == TraceClass.ORDINARY_IPV4 || classes[i] == TraceClass.ORDINARY_IPV6;
                if (isSent && (isOfExceptions || isOrdinary))
                {
                    noteEgress(n, frames.egressInterface(i));
                }
            }
        }
    }

    private void noteAccess(final TraceStage stage)
    {
        final boolean isInput = stage == TraceStage.ACCESS_INPUT;
        classify();
        for (int n = 0; n < traces.size(); n++)
        {
            final int i = traces.index(n);
            if (i != NONE)
            {
                final ActiveList list = isForward(n) || !isInput && traces.disposition(n) == Disposition.FRAGMENT ?
                    listOf(i, isInput) : null;
                final boolean isIpv6 = traces.classOf(n).isIpv6();
                if (observe(n, stage, list != null) && list != null)
                {
                    noteVerdict(n, i, list, isIpv6);
                }
            }
        }
    }

    private ActiveList listOf(final int i, final boolean isInput)
    {
        return isInput ? agent.accessInput.lists().ingress(frames.ingressPort(i)) :
            agent.accessInput.lists().egress(frames.egressPort(i));
    }

    private void noteVerdict(final int n, final int i, final ActiveList list, final boolean isIpv6)
    {
        final int rule = agent.accessInput.deciding(list, frames, i, isIpv6);
        traces.name(n, list.list().name());
        traces.event(n, TraceEvent.JUDGED, rule == list.list().rules().size() ? NONE : rule);
    }

    private void beginMessage()
    {
        suppressedBefore = counters.get(ForwarderCounter.ICMP_SUPPRESSED);
        originatedBefore = originated();
        messagesBefore = agent.messages.size();
    }

    private long originated()
    {
        return counters.get(ForwarderCounter.ORIGINATED) + counters.get(ForwarderCounter.ORIGINATED_LOST);
    }

    /** Shows a stage if it has written a message since {@link #beginMessage()}, or would have. */
    private void noteMessage(final int n, final TraceStage stage)
    {
        final boolean isWritten = agent.messages.size() > messagesBefore;
        final boolean isSent = originated() > originatedBefore;
        final boolean isSuppressed = counters.get(ForwarderCounter.ICMP_SUPPRESSED) > suppressedBefore;
        if ((isWritten || isSent || isSuppressed) && traces.addStep(n, stage))
        {
            if (isWritten)
            {
                final int last = agent.messages.size() - 1;
                traces.message(n, agent.messages.address(last), agent.messages.length(last));
            }
            traces.event(
                n, isWritten ? TraceEvent.MESSAGE_WRITTEN :
                isSent ? TraceEvent.MESSAGE_SENT : TraceEvent.MESSAGE_SUPPRESSED, 0);
        }
    }

    /** Shows a stage for the frames that it has changed; those that it has settled have a fate. */
    private void noteFate(final TraceStage stage, final TraceEvent fate)
    {
        for (int n = 0; n < traces.size(); n++)
        {
            final int i = traces.index(n);
            if (i != NONE && observe(n, stage, false) && frames.disposition(i) == Disposition.SETTLED)
            {
                if (fate == TraceEvent.HELD)
                {
                    noteAdjacency(n, i);
                }
                traces.event(n, fate, 0);
            }
        }
    }
}
