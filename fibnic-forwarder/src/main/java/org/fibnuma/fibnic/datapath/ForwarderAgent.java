package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.Agent;
import org.fibnuma.core.agent.BatchClock;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.fibnic.acl.AccessInput;
import org.fibnuma.fibnic.acl.AccessOutput;
import org.fibnuma.fibnic.capture.CaptureTap;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.multipath.MultipathSelection;
import org.fibnuma.fibnic.ports.PortQueues;
import org.fibnuma.fibnic.ports.PortTable;
import org.fibnuma.fibnic.stage.StageClock;
import org.fibnuma.fibnic.stage.StageTimes;
import org.fibnuma.fibnic.vlan.VlanInput;
import org.fibnuma.fibnic.vlan.VlanOutput;

/**
 * One worker of the router: it owns one queue of every port and forwards the frames that it receives there. The duty
 * cycle is {@link PlainForwarderAgent#doWork()}, or {@link LosslessForwarderAgent#doWork()} in a router with lossless
 * priorities; this class has the stages that both use. Everything in it belongs to the thread that runs
 * {@link #doWork()}. The control thread communicates with it only through the tables of the {@link ForwarderContext}.
 */
public abstract class ForwarderAgent implements Agent
{
    /** Under load, work that may be delayed by some ten microseconds is done in every 32nd duty cycle; a power of 2. */
    private static final int CYCLES_BETWEEN_CHORES = 32;

    /** By port index. */
    RxQueue[] rxQueues;
    final ChecksumCompletion checksumCompletion;
    final VlanInput vlanInput;
    final FrameClassifier frameClassifier;
    final EthernetInput ethernetInput;
    final Ipv4Input ipv4Input;
    final Ipv6Input ipv6Input;
    final AccessInput accessInput;
    final Ipv4ReversePath ipv4ReversePath;
    final Ipv4Lookup ipv4Lookup;
    final Ipv6Lookup ipv6Lookup;
    final MultipathSelection multipathSelection;
    final Ipv4Options ipv4Options;
    final Ipv4Rewrite ipv4Rewrite;
    final Ipv6Rewrite ipv6Rewrite;
    final AccessOutput accessOutput;
    final IcmpErrors icmpErrors;
    final Icmpv6Errors icmpv6Errors;
    final NeighborHold neighborHold;
    final PuntOutput puntOutput;
    final DropOutput dropOutput;
    final IcmpRedirects icmpRedirects;
    final VlanOutput vlanOutput;
    final Ipv4Fragmenter ipv4Fragmenter;
    final EgressQueues egressQueues;
    final HostInput hostInput;
    final FateCounters counters;
    final BatchClock batchClock;
    final CaptureTap captureTap;
    final StageClock stageClock;
    final ReaderEpochs.Reader reader;
    /** Frames received from one interface in this duty cycle, and the classes that they are divided into. */
    final FrameBatch frames = new FrameBatch();
    final FrameList ordinaryIpv4 = new FrameList();
    final FrameList ordinaryIpv6 = new FrameList();
    final FrameList exceptions = new FrameList();
    /** Exceptions of {@link EthernetInput} and {@link Ipv6Rewrite} for the IPv6 stages; empty between batches. */
    final FrameList exceptionsIpv6 = new FrameList();
    /** ICMP and ICMPv6 messages of this router that were written in this duty cycle. */
    final FrameBatch messages = new FrameBatch();
    private final FrameBatch released = new FrameBatch();
    private final FrameList all = new FrameList();
    private final FrameList ipv4 = new FrameList();
    private final FrameList ipv6 = new FrameList();
    private final String roleName;
    private final int worker;
    private final PortTable portTable;
    private PortQueues portQueues;
    private int cycle;

    ForwarderAgent(final ForwarderContext context, final EgressQueues egress, final FrameClassifier classifier)
    {
        worker = context.worker();
        roleName = "worker-" + worker;
        portTable = context.portTable();
        portQueues = portTable.ofWorker(worker);
        rxQueues = portQueues.rxQueues();
        egressQueues = egress;
        frameClassifier = classifier;
        counters = egress.counters();
        dropOutput = egress.drops();
        captureTap = context.captureTap();
        batchClock = new BatchClock(context.clock());
        stageClock = new StageClock(context.clock(), new StageTimes(context.counters(), worker), frames);
        checksumCompletion = new ChecksumCompletion(context.places(), counters);
        checksumCompletion.take(portQueues);
        vlanInput = context.newVlanInput(counters);
        vlanOutput = egress.vlanOutput();
        ethernetInput = new EthernetInput(context);
        ipv4Input = new Ipv4Input(context);
        ipv6Input = new Ipv6Input(context.ipv6Fib(), context.adjacencies(), context.interfaces().hostAddresses());
        accessInput = new AccessInput(context.accessTable(), worker);
        accessOutput = new AccessOutput(accessInput, counters.ownIngress());
        puntOutput = new PuntOutput(context, batchClock, counters);
        puntOutput.take(portQueues);
        ipv4ReversePath =
            new Ipv4ReversePath(context.interfaces(), context.fib(), context.adjacencies(), puntOutput);
        ipv4Lookup = new Ipv4Lookup(context.fib());
        ipv6Lookup = new Ipv6Lookup(context.ipv6Fib());
        multipathSelection = new MultipathSelection(context.adjacencies(), context.flowHash(), batchClock);
        ipv4Options = new Ipv4Options(context);
        ipv4Rewrite = new Ipv4Rewrite(context);
        ipv6Rewrite = new Ipv6Rewrite(context.adjacencies(), counters.ownIngress());
        final IcmpMessages icmpMessages = new IcmpMessages(context, messages, counters);
        icmpErrors = new IcmpErrors(context, icmpMessages, batchClock, counters);
        icmpv6Errors = new Icmpv6Errors(context, messages, egress, batchClock, counters);
        icmpRedirects = new IcmpRedirects(
            context, icmpMessages, new Icmpv6Redirects(context, egress, counters), counters);
        neighborHold = new NeighborHold(context, multipathSelection, batchClock, counters);
        ipv4Fragmenter =
            new Ipv4Fragmenter(context.adjacencies(), context.framePool(), egressQueues, dropOutput, counters);
        hostInput = new HostInput(context, egressQueues, counters);
        reader = context.readerEpochs().register();
    }

    /**
     * Creates the worker that a context describes, with lossless priorities if the context has them.
     *
     * @param context concluded context.
     * @return the worker.
     */
    public static ForwarderAgent of(final ForwarderContext context)
    {
        return context.lossless() == null ? new PlainForwarderAgent(context) : new LosslessForwarderAgent(context);
    }

    @Override
    public abstract int doWork();

    abstract ObservedStages observedStages();

    /**
     * Does a duty cycle whose batches are all timed, for the warm-up: timed batches by {@link #doWork()} would tell the
     * JIT to inline what is seldom used. No capture and no trace may run.
     *
     * @return the work of the duty cycle.
     */
    public final int doTimedWork()
    {
        int work = 0;
        for (final RxQueue rxQueue : rxQueues)
        {
            frames.clear();
            final int received = rxQueue.receive(frames);
            if (received > 0)
            {
                captureTap.refresh(true);
                observedStages().process();
                work += received;
            }
        }
        return endCycle(work);
    }

    /**
     * Counts the frames of one interface and sends those to be forwarded, the last steps of a batch. HotSpot inlines at
     * most 8,000 bytecodes into a compiled method (DesiredMethodLimit). {@code doWork()} reaches that limit at about
     * this step, so these steps are a method that is called once, with the steps inlined into it.
     *
     * @param ipv4Count     number of received IPv4 frames.
     * @param ipv6Count     number of received IPv6 frames.
     * @param ipv6Forwarded number of IPv6 frames that are forwarded.
     */
    final void send(final int ipv4Count, final int ipv6Count, final int ipv6Forwarded)
    {
        countFamilies(ipv4Count, ipv6Count, ipv6Forwarded);
        sendHeldAheadOf(frames);
        icmpRedirects.process(frames);
        vlanOutput.process(frames);
        egressQueues.process(frames, ipv4Fragmenter.process(frames), frames.size());
    }

    /** Counts the frames of one interface by family. */
    final void countFamilies(final int ipv4Count, final int ipv6Count, final int ipv6Forwarded)
    {
        counters.receivedByFamily(frames.ingressPort(0), ipv4Count, ipv6Count);
        counters.ipv6Forwarded(frames.ingressPort(0), ipv6Forwarded);
    }

    /**
     * Does the part of a duty cycle that follows the received frames, in a method of its own as {@link #send} is.
     *
     * @param received number of received frames.
     * @return the work of the whole duty cycle: frames that were received, released or drained, and those of the host.
     */
    final int endCycle(final int received)
    {
        final boolean isChoreCycle = isChoreCycle(received);
        int work = received + (isChoreCycle ? retryHeld() : 0);
        sendMessages();
        work += hostInput.process();
        work += egressQueues.flush();
        puntOutput.flush();
        reader.quiesce();
        captureTap.refresh(stageClock.isDueAfter(received));
        followPorts();
        countCycle(work, isChoreCycle);
        return work;
    }

    /** Takes over ports that were added or that replace others; the counters of these begin at 0. */
    private void followPorts()
    {
        final PortQueues now = portTable.ofWorker(worker);
        if (now != portQueues)
        {
            for (int port = 0; port < now.size(); port++)
            {
                if (portQueues.isReplaced(port, now))
                {
                    egressQueues.dropWaiting(port);
                    counters.beginPort(port);
                }
            }
            portQueues = now;
            rxQueues = now.rxQueues();
            egressQueues.take(now);
            checksumCompletion.take(now);
            puntOutput.take(now);
        }
    }

    /** Returns whether this duty cycle does the work that may be delayed: it is idle, or the 32nd one under load. */
    private boolean isChoreCycle(final int work)
    {
        return work == 0 || (++cycle & CYCLES_BETWEEN_CHORES - 1) == 0;
    }

    /** Sends held frames whose neighbour was resolved and drops those that have waited too long. */
    private int retryHeld()
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

    /** Sends the held frames that a batch of rewritten frames would overtake. */
    final void sendHeldAheadOf(final FrameBatch batch)
    {
        if (neighborHold.isHolding() && neighborHold.isOvertakingPossible())
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
    }

    /** Sends the ICMP and ICMPv6 messages that this router has written. */
    private void sendMessages()
    {
        if (messages.size() > 0)
        {
            batchClock.begin();
            forward(messages);
            messages.clear();
        }
    }

    /** Passes frames whose headers need no check through the stages from the lookup on. */
    private void forward(final FrameBatch batch)
    {
        if (batch.size() == 0)
        {
            return;
        }
        divide(batch);
        ipv4Lookup.process(batch, ipv4);
        multipathSelection.process(batch, ipv4, false);
        ipv4Options.process(batch, ipv4);
        ipv4Rewrite.process(batch, ipv4);
        ipv6Lookup.process(batch, ipv6);
        multipathSelection.process(batch, ipv6, true);
        ipv6Rewrite.process(batch, ipv6);
        accessInput.refresh();
        accessOutput.process(batch, ipv4, ipv6);
        icmpErrors.process(batch, ipv4);
        icmpv6Errors.process(batch, ipv6);
        countIpv6(batch);
        neighborHold.process(batch, all);
        puntOutput.process(batch, all);
        dropOutput.process(batch, all);
        icmpRedirects.process(batch);
        vlanOutput.process(batch);
        egressQueues.process(batch, ipv4Fragmenter.process(batch), batch.size());
    }

    /** Counts a duty cycle, and publishes all counts at times. */
    private void countCycle(final int work, final boolean isChoreCycle)
    {
        counters.polled(work);
        if (isChoreCycle)
        {
            counters.publish();
        }
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

    /** Returns the number of exceptions whose disposition is not FORWARD. */
    static int notForwarded(final FrameBatch batch, final FrameList exceptions)
    {
        int count = 0;
        for (int k = 0; k < exceptions.size(); k++)
        {
            count += batch.isForward(exceptions.get(k)) ? 0 : 1;
        }
        return count;
    }

    private void divide(final FrameBatch batch)
    {
        final int size = batch.size();
        all.setAll(size);
        ipv4.clear();
        ipv6.clear();
        for (int i = 0; i < size; i++)
        {
            (EthernetHeaderFlyweight.etherType(batch.address(i)) == EtherType.IPV6 ? ipv6 : ipv4).add(i);
        }
    }

    @Override
    public final String roleName()
    {
        return roleName;
    }

    /**
     * Publishes the last counts and ends the use of the FIBs. Held frames are not released: their pool is closed with
     * the router.
     */
    @Override
    public final void onClose()
    {
        ipv4Lookup.close();
        reader.close();
        counters.publish();
    }

    /** Returns the counters of this worker, to be read on its thread or after it has stopped. */
    public final FateCounters counters()
    {
        return counters;
    }
}
