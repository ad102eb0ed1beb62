package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.lossless.PauseInput;
import org.fibnuma.fibnic.lossless.PriorityTagInput;
import org.fibnuma.fibnic.stage.FrameClass;
import org.fibnuma.fibnic.stage.Stage;
import org.fibnuma.fibnic.stage.StageClock;
import org.fibnuma.fibnic.stage.StageObserver;

/**
 * Processes a batch with an observer: the stages of the worker in the order of {@code doWork()}, and after each of them
 * a call of the observer, which is {@link TraceObserver} for a batch with traced frames and {@link StageClock} for one
 * whose stages are timed. Frames have the same fate as without an observer. Where a stage sends frames or writes
 * messages, the frames before one that the observer wants to see alone, that frame, and those behind it are processed
 * one part after the other.
 * <p>
 * A worker calls it only for such batches, so that {@code doWork()} has none of it. A test compares the order of the
 * stages with that of {@code doWork()}, others the sent bytes and all counters.
 */
final class ObservedStages
{
    private final ForwarderAgent agent;
    /** Null in a router without lossless priorities, as {@link #pauseInput} is. */
    private final PriorityTagInput priorityTagInput;
    private final PauseInput pauseInput;
    private final TraceObserver traceObserver;
    private final FrameBatch frames;
    private final FrameList ordinaryIpv4;
    private final FrameList ordinaryIpv6;
    private final FrameList exceptions;
    private final FrameList exceptionsIpv6;
    private final FrameList part = new FrameList();
    /** Of the batch that is processed. */
    private StageObserver observer;

    ObservedStages(
        final ForwarderAgent agent,
        final ForwarderContext context,
        final PriorityTagInput priorityTagInput,
        final PauseInput pauseInput)
    {
        this.agent = agent;
        this.priorityTagInput = priorityTagInput;
        this.pauseInput = pauseInput;
        traceObserver = new TraceObserver(agent, context);
        frames = agent.frames;
        ordinaryIpv4 = agent.ordinaryIpv4;
        ordinaryIpv6 = agent.ordinaryIpv6;
        exceptions = agent.exceptions;
        exceptionsIpv6 = agent.exceptionsIpv6;
    }

    /**
     * Processes the received frames of the worker if their stages are to be timed or any of them is to be traced. The
     * tap of the worker is on.
     *
     * @return false if nothing was done: the caller processes the frames.
     */
    boolean process()
    {
        if (agent.captureTap.takeSample())
        {
            observer = agent.stageClock;
        }
        else if (traceObserver.mark(agent.captureTap.traces()))
        {
            observer = traceObserver;
        }
        else
        {
            return false;
        }
        observer.begin();
        receive();
        observer.end();
        return true;
    }

    private void receive()
    {
        agent.batchClock.begin();
        agent.checksumCompletion.process(frames);
        after(Stage.CHECKSUM_COMPLETION);
        if (priorityTagInput != null)
        {
            priorityTagInput.process(frames);
            after(Stage.PRIORITY_TAG_INPUT);
        }
        agent.vlanInput.process(frames);
        do
        {
            after(Stage.VLAN_INPUT);
            processInterface();
        }
        while (agent.vlanInput.next(frames));
    }

    private void after(final Stage stage)
    {
        observer.after(stage, FrameClass.NONE, frames.size());
    }

    private void processInterface()
    {
        agent.ipv4Lookup.prefetch(frames);
        agent.frameClassifier.process(frames, ordinaryIpv4, ordinaryIpv6, exceptions);
        after(Stage.FRAME_CLASSIFIER);

        int ipv4Count = ordinaryIpv4.size();
        if (exceptions.size() > 0)
        {
            ipv4Count += checkExceptions();
        }
        agent.accessInput.process(frames, ordinaryIpv4, ordinaryIpv6, exceptions, exceptionsIpv6);
        after(Stage.ACCESS_INPUT);
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
        after(Stage.ACCESS_OUTPUT);
        int ipv6Forwarded = ipv6Count;
        if (exceptions.size() + exceptionsIpv6.size() > 0)
        {
            ipv6Forwarded -= endExceptions();
        }
        send(ipv4Count, ipv6Count, ipv6Forwarded);
    }

    private int checkExceptions()
    {
        final int count = exceptions.size();
        agent.ethernetInput.process(frames, exceptions, exceptionsIpv6);
        observer.after(Stage.ETHERNET_INPUT, FrameClass.EXCEPTION, count);
        final int ipv4Count = agent.ipv4Input.process(frames, exceptions);
        observer.after(Stage.IPV4_INPUT, FrameClass.EXCEPTION, exceptions.size());
        agent.ipv6Input.process(frames, exceptionsIpv6);
        observer.after(Stage.IPV6_INPUT, FrameClass.EXCEPTION_IPV6, exceptionsIpv6.size());
        return ipv4Count;
    }

    private void routeIpv4()
    {
        final int count = ordinaryIpv4.size() + exceptions.size();
        agent.ipv4ReversePath.process(frames, ordinaryIpv4, exceptions);
        observer.after(Stage.IPV4_REVERSE_PATH, FrameClass.ORDINARY_IPV4, count);
        agent.ipv4Lookup.process(frames, ordinaryIpv4, exceptions);
        observer.after(Stage.IPV4_LOOKUP, FrameClass.ORDINARY_IPV4, count);
        agent.multipathSelection.process(frames, ordinaryIpv4, exceptions, false);
        observer.after(Stage.MULTIPATH_SELECTION, FrameClass.ORDINARY_IPV4, count);
        final int ordinary = ordinaryIpv4.size();
        agent.ipv4Rewrite.process(frames, ordinaryIpv4, exceptions);
        observer.after(Stage.IPV4_REWRITE, FrameClass.ORDINARY_IPV4, ordinary);
    }

    private void routeIpv6()
    {
        final int count = ordinaryIpv6.size() + exceptionsIpv6.size();
        agent.ipv6Lookup.process(frames, ordinaryIpv6, exceptionsIpv6);
        observer.after(Stage.IPV6_LOOKUP, FrameClass.ORDINARY_IPV6, count);
        agent.multipathSelection.process(frames, ordinaryIpv6, exceptionsIpv6, true);
        observer.after(Stage.MULTIPATH_SELECTION, FrameClass.ORDINARY_IPV6, count);
        final int ordinary = ordinaryIpv6.size();
        agent.ipv6Rewrite.process(frames, ordinaryIpv6, exceptionsIpv6);
        observer.after(Stage.IPV6_REWRITE, FrameClass.ORDINARY_IPV6, ordinary);
    }

    private void rewriteExceptions()
    {
        agent.ipv4Options.process(frames, exceptions);
        observer.after(Stage.IPV4_OPTIONS, FrameClass.EXCEPTION, exceptions.size());
        agent.ipv4Rewrite.process(frames, exceptions);
        observer.after(Stage.IPV4_REWRITE, FrameClass.EXCEPTION, exceptions.size());
        agent.ipv6Rewrite.process(frames, exceptionsIpv6);
        observer.after(Stage.IPV6_REWRITE, FrameClass.EXCEPTION_IPV6, exceptionsIpv6.size());
    }

    /** Gives every exception its fate and returns the number of IPv6 packets that are not forwarded. */
    private int endExceptions()
    {
        agent.counters.add(ForwarderCounter.EXCEPTIONS, exceptions.size() + exceptionsIpv6.size());
        reportErrors(exceptions, false);
        observer.after(Stage.ICMP_ERRORS, FrameClass.EXCEPTION, exceptions.size());
        reportErrors(exceptionsIpv6, true);
        observer.after(Stage.ICMPV6_ERRORS, FrameClass.EXCEPTION_IPV6, exceptionsIpv6.size());
        final int notForwarded = ForwarderAgent.notForwarded(frames, exceptionsIpv6);
        exceptions.takeAll(exceptionsIpv6);
        final int count = exceptions.size();
        agent.neighborHold.process(frames, exceptions);
        observer.after(Stage.NEIGHBOR_HOLD, FrameClass.EXCEPTION, count);
        if (pauseInput != null)
        {
            pauseInput.process(frames, exceptions);
            observer.after(Stage.PAUSE_INPUT, FrameClass.EXCEPTION, count);
        }
        agent.puntOutput.process(frames, exceptions);
        observer.after(Stage.PUNT_OUTPUT, FrameClass.EXCEPTION, count);
        agent.dropOutput.process(frames, exceptions);
        observer.after(Stage.DROP_OUTPUT, FrameClass.EXCEPTION, count);
        return notForwarded;
    }

    private void reportErrors(final FrameList list, final boolean isIpv6)
    {
        int next = 0;
        for (int k = observer.nextAlone(list, 0); k < list.size(); k = observer.nextAlone(list, next))
        {
            reportRange(list, next, k, isIpv6);
            observer.beforeMessage();
            reportRange(list, k, k + 1, isIpv6);
            observer.afterMessage(list.get(k), isIpv6 ? Stage.ICMPV6_ERRORS : Stage.ICMP_ERRORS);
            next = k + 1;
        }
        reportRange(list, next, list.size(), isIpv6);
    }

    private void reportRange(final FrameList list, final int from, final int to, final boolean isIpv6)
    {
        if (from == 0 && to == list.size())
        {
            reportPart(list, isIpv6);
        }
        else if (from < to)
        {
            part.clear();
            for (int k = from; k < to; k++)
            {
                part.add(list.get(k));
            }
            reportPart(part, isIpv6);
        }
    }

    private void reportPart(final FrameList list, final boolean isIpv6)
    {
        if (!isIpv6)
        {
            agent.icmpErrors.process(frames, list);
        }
        else
        {
            agent.icmpv6Errors.process(frames, list);
        }
    }

    /** Does what {@link ForwarderAgent#send} does. */
    private void send(final int ipv4Count, final int ipv6Count, final int ipv6Forwarded)
    {
        agent.countFamilies(ipv4Count, ipv6Count, ipv6Forwarded);
        agent.sendHeldAheadOf(frames);
        redirect();
        after(Stage.ICMP_REDIRECTS);
        agent.vlanOutput.process(frames);
        after(Stage.VLAN_OUTPUT);
        int next = 0;
        for (int i = observer.nextSentAlone(0); i < frames.size(); i = observer.nextSentAlone(next))
        {
            sendRange(next, i);
            observer.beforeSend(i);
            sendRange(i, i + 1);
            observer.afterSend(i);
            next = i + 1;
        }
        sendRange(next, frames.size());
    }

    private void redirect()
    {
        int next = 0;
        for (int i = observer.nextSentAlone(0); i < frames.size(); i = observer.nextSentAlone(next))
        {
            agent.icmpRedirects.process(frames, next, i);
            observer.beforeMessage();
            agent.icmpRedirects.process(frames, i, i + 1);
            observer.afterMessage(i, Stage.ICMP_REDIRECTS);
            next = i + 1;
        }
        agent.icmpRedirects.process(frames, next, frames.size());
    }

    private void sendRange(final int from, final int to)
    {
        if (from < to)
        {
            final int rest = from == 0 && to == frames.size() ?
                agent.ipv4Fragmenter.process(frames) : agent.ipv4Fragmenter.process(frames, from, to);
            observer.after(Stage.IPV4_FRAGMENTER, FrameClass.NONE, to - from);
            agent.egressQueues.process(frames, rest, to);
            observer.after(Stage.EGRESS_QUEUES, FrameClass.NONE, to - from);
        }
    }
}
