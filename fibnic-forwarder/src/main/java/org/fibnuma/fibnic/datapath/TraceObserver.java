package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.flow.FlowTable;
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
import org.fibnuma.fibnic.stage.FrameClass;
import org.fibnuma.fibnic.stage.Stage;
import org.fibnuma.fibnic.stage.StageObserver;
import org.fibnuma.fibnic.trace.FrameTraces;
import org.fibnuma.fibnic.trace.TraceEvent;

import java.util.Arrays;

/**
 * Records what each stage did to the traced frames of a batch: compares the frames after it with those before it.
 * A traced frame that is sent, or that a message is written about, is processed alone, so that queue, drop reason and
 * message are its own.
 */
final class TraceObserver implements StageObserver
{
    private static final int NONE = FrameTraces.NONE;

    private final Pipeline pipeline;
    private final AdjacencyTable adjacencies;
    private final InterfaceTable interfaces;
    private final FateCounters counters;
    private final FrameBatch frames;
    /** By index in the batch. */
    private final FrameClass[] classes = new FrameClass[FrameBatch.CAPACITY];
    private FrameTraces traces;

    // Before a frame is processed alone.
    private final long[] dropsBefore = new long[DropReason.count()];
    private long suppressedBefore;
    private long originatedBefore;
    private int messagesBefore;
    private boolean isFragmented;
    private long forwardedBefore;
    private long fragmentsBefore;
    private int waitingBefore;

    TraceObserver(final Pipeline pipeline, final ForwarderContext context, final FateCounters counters)
    {
        this.pipeline = pipeline;
        adjacencies = context.adjacencies;
        interfaces = context.interfaces;
        this.counters = counters;
        frames = pipeline.frames;
    }

    /**
     * Marks the received frames that are to be traced.
     *
     * @param current traces of the worker, null for none.
     * @return whether there is any such frame.
     */
    boolean mark(final FrameTraces current)
    {
        traces = current;
        return current != null && current.mark(frames);
    }

    @Override
    public void begin()
    {
        beginInterface();
    }

    /** Begins with frames that have been moved in the batch and belong to no class yet. */
    private void beginInterface()
    {
        traces.locate(frames);
        Arrays.fill(classes, FrameClass.NONE);
    }

    @Override
    public void after(final Stage stage, final FrameClass of, final int count)
    {
        switch (stage)
        {
            case VLAN_INPUT ->
            {
                beginInterface();
                note(stage, false);
            }
            case FRAME_CLASSIFIER ->
            {
                classify();
                note(stage, true);
            }
            case ETHERNET_INPUT ->
            {
                classify();
                noteExceptions(stage, of);
            }
            case IPV4_INPUT, IPV6_INPUT -> noteExceptions(stage, of);
            case ACCESS_INPUT, ACCESS_OUTPUT -> noteAccess(stage);
            case IPV4_REVERSE_PATH ->
            {
                classify();
                noteForwarded(stage, of.isIpv6(), Ipv4ReversePath.checks(pipeline.vlanInput.ingress()));
            }
            case FLOW_INPUT -> noteFlows();
            case IPV4_LOOKUP, IPV6_LOOKUP -> noteLookup(stage, of.isIpv6());
            case MULTIPATH_SELECTION -> noteSelection(of.isIpv6());
            case IPV4_REWRITE, IPV6_REWRITE -> noteRewrite(stage, of);
            case NEIGHBOR_HOLD -> noteFate(stage, TraceEvent.HELD);
            case PAUSE_INPUT -> noteFate(stage, TraceEvent.CONSUMED);
            case PUNT_OUTPUT -> noteFate(stage, TraceEvent.PUNTED);
            case DROP_OUTPUT -> noteFate(stage, TraceEvent.DROPPED);
            case CHECKSUM_COMPLETION, PRIORITY_TAG_INPUT, IPV4_OPTIONS, VLAN_OUTPUT -> note(stage, false);
            default ->
            {
                // The other stages were recorded for each traced frame alone.
            }
        }
    }

    @Override
    public void end()
    {
        traces.finish();
    }

    @Override
    public int nextAlone(final FrameList list, final int from)
    {
        int k = from;
        while (k < list.size() && traces.number(list.get(k)) == NONE)
        {
            k++;
        }
        return k;
    }

    @Override
    public int nextSentAlone(final FrameBatch batch, final int from)
    {
        int i = from;
        while (i < batch.size() && !isTracedAndSent(i))
        {
            i++;
        }
        return i;
    }

    private boolean isTracedAndSent(final int i)
    {
        final int n = traces.number(i);
        return n != NONE && traces.index(n) != NONE && frames.isToBeSent(i);
    }

    @Override
    public void beforeMessage()
    {
        suppressedBefore = counters.get(ForwarderCounter.ICMP_SUPPRESSED);
        originatedBefore = originated();
        messagesBefore = pipeline.messages.size();
    }

    @Override
    public void afterMessage(final int i, final Stage stage)
    {
        noteMessage(traces.number(i), stage);
    }

    @Override
    public void beforeSend(final int i)
    {
        isFragmented = frames.disposition(i) == Disposition.FRAGMENT;
        forwardedBefore = counters.get(ForwarderCounter.FORWARDED);
        fragmentsBefore = counters.get(ForwarderCounter.FRAGMENTS);
        waitingBefore = pipeline.egressQueues.waiting(frames.egressPort(i));
        for (int id = 0; id < dropsBefore.length; id++)
        {
            dropsBefore[id] = counters.get(DropReason.of(id));
        }
    }

    @Override
    public void afterSend(final int i)
    {
        final int n = traces.number(i);
        if (!traces.addStep(n, isFragmented ? Stage.IPV4_FRAGMENTER : Stage.EGRESS_QUEUES))
        {
            return;
        }
        final int number = frames.egressInterface(i);
        noteEgress(n, number);
        final boolean isQueued = pipeline.egressQueues.waiting(InterfaceNumber.portOf(number)) > waitingBefore;
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

    private void classify()
    {
        classify(pipeline.ordinaryIpv4, FrameClass.ORDINARY_IPV4);
        classify(pipeline.ordinaryIpv6, FrameClass.ORDINARY_IPV6);
        classify(pipeline.exceptions, FrameClass.EXCEPTION);
        classify(pipeline.exceptionsIpv6, FrameClass.EXCEPTION_IPV6);
    }

    private void classify(final FrameList list, final FrameClass klass)
    {
        for (int k = 0; k < list.size(); k++)
        {
            classes[list.get(k)] = klass;
        }
    }

    private boolean observe(final int n, final Stage stage, final boolean isShown)
    {
        final int i = traces.index(n);
        final boolean isAdded = traces.observe(n, stage, frames, classes[i], isShown);
        if (isAdded)
        {
            traces.ingressTags(n, interfaces.get(frames.ingressInterface(i)).tags());
        }
        return isAdded;
    }

    /** Shows the stage for the frames that it has changed, or for all. */
    private void note(final Stage stage, final boolean isShown)
    {
        for (int n = 0; n < traces.size(); n++)
        {
            if (traces.index(n) != NONE)
            {
                observe(n, stage, isShown);
            }
        }
    }

    /** Shows the stage for the exceptions that it has checked. */
    private void noteExceptions(final Stage stage, final FrameClass checked)
    {
        for (int n = 0; n < traces.size(); n++)
        {
            if (traces.index(n) != NONE)
            {
                observe(n, stage, traces.classOf(n) == checked && isForward(n));
            }
        }
    }

    private void noteForwarded(final Stage stage, final boolean isIpv6, final boolean isShown)
    {
        for (int n = 0; n < traces.size(); n++)
        {
            if (traces.index(n) != NONE)
            {
                observe(n, stage, isShown && isForward(n) && traces.classOf(n).isIpv6() == isIpv6);
            }
        }
    }

    /** Shows the flows of frames, and the frames that are left to the kernel because they have none. */
    private void noteFlows()
    {
        classify();
        for (int n = 0; n < traces.size(); n++)
        {
            final int i = traces.index(n);
            if (i != NONE)
            {
                final int direction = pipeline.flowInput.direction(frames, i);
                if (observe(n, Stage.FLOW_INPUT, direction != FlowTable.NONE) && direction != FlowTable.NONE)
                {
                    traces.event(n, TraceEvent.FLOW, direction);
                }
            }
        }
    }

    /** Returns whether the stage before the last one has left a frame to be forwarded. */
    private boolean isForward(final int n)
    {
        return traces.disposition(n) == Disposition.FORWARD;
    }

    private void noteLookup(final Stage stage, final boolean isIpv6)
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
                observe(n, Stage.MULTIPATH_SELECTION, true))
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
    private void noteRewrite(final Stage stage, final FrameClass of)
    {
        final boolean isOfExceptions = of == FrameClass.EXCEPTION || of == FrameClass.EXCEPTION_IPV6;
        if (!isOfExceptions)
        {
            classify();
        }
        for (int n = 0; n < traces.size(); n++)
        {
            final int i = traces.index(n);
            if (i != NONE && observe(n, stage, false))
            {
                final boolean isOrdinary =
                    classes[i] == FrameClass.ORDINARY_IPV4 || classes[i] == FrameClass.ORDINARY_IPV6;
                if (frames.isToBeSent(i) && (isOfExceptions || isOrdinary))
                {
                    noteEgress(n, frames.egressInterface(i));
                }
            }
        }
    }

    private void noteAccess(final Stage stage)
    {
        final boolean isInput = stage == Stage.ACCESS_INPUT;
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
        return isInput ? pipeline.accessInput.lists().ingress(frames.ingressPort(i)) :
            pipeline.accessInput.lists().egress(frames.egressPort(i));
    }

    private void noteVerdict(final int n, final int i, final ActiveList list, final boolean isIpv6)
    {
        final int rule = pipeline.accessInput.deciding(list, frames, i, isIpv6);
        traces.name(n, list.list().name());
        traces.event(n, TraceEvent.JUDGED, rule == list.list().rules().size() ? NONE : rule);
    }

    private long originated()
    {
        return counters.get(ForwarderCounter.ORIGINATED) + counters.get(ForwarderCounter.ORIGINATED_LOST);
    }

    /** Shows a stage if it has written a message since {@link #beforeMessage()}, or would have. */
    private void noteMessage(final int n, final Stage stage)
    {
        final boolean isWritten = pipeline.messages.size() > messagesBefore;
        final boolean isSent = originated() > originatedBefore;
        final boolean isSuppressed = counters.get(ForwarderCounter.ICMP_SUPPRESSED) > suppressedBefore;
        if ((isWritten || isSent || isSuppressed) && traces.addStep(n, stage))
        {
            if (isWritten)
            {
                final int last = pipeline.messages.size() - 1;
                traces.message(n, pipeline.messages.address(last), pipeline.messages.length(last));
            }
            traces.event(
                n, isWritten ? TraceEvent.MESSAGE_WRITTEN :
                isSent ? TraceEvent.MESSAGE_SENT : TraceEvent.MESSAGE_SUPPRESSED, 0);
        }
    }

    /** Shows a stage for the frames that it has changed; those that it has settled have a fate. */
    private void noteFate(final Stage stage, final TraceEvent fate)
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
