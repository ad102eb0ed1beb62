package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.Agent;
import org.fibnuma.core.agent.BatchClock;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.lossless.PauseInput;
import org.fibnuma.fibnic.lossless.PortShare;
import org.fibnuma.fibnic.lossless.PriorityTagInput;

import java.util.stream.Collectors;

/**
 * One worker: owns one queue of every port and takes each frame from its receive queue to its fate. All of it belongs
 * to the thread that runs {@link #doWork()}; the control thread reaches it through the tables of the
 * {@link ForwarderContext} alone.
 */
public final class ForwarderAgent implements Agent
{
    /** Under load, what can wait for some ten microseconds is done in every 32nd duty cycle; a power of two. */
    private static final int CYCLES_BETWEEN_CHORES = 32;

    private final String roleName;
    private final RxQueue[] rxQueues;
    private final ChecksumCompletion checksumCompletion;
    private final Ipv4FastPath ipv4FastPath;
    private final EthernetInput ethernetInput;
    private final Ipv4Input ipv4Input;
    private final Ipv4ReversePath ipv4ReversePath;
    private final Ipv4Lookup ipv4Lookup;
    private final Ipv4Options ipv4Options;
    private final Ipv4Rewrite ipv4Rewrite;
    private final Ipv4Fragmenter ipv4Fragmenter;
    private final EgressQueues egressQueues;
    private final IcmpRedirects icmpRedirects;
    private final IcmpErrors icmpErrors;
    private final NeighborHold neighborHold;
    private final PriorityTagInput priorityTagInput;
    private final PauseInput pauseInput;
    private final PuntOutput puntOutput;
    private final HostInput hostInput;
    private final DropOutput dropOutput;
    private final BatchClock exceptionClock;
    private final ReaderEpochs.Reader reader;
    private final FateCounters counters;
    private final FrameBatch received = new FrameBatch();
    private final FrameBatch exceptions = new FrameBatch();
    private final FrameBatch released = new FrameBatch();
    private final FrameBatch messages = new FrameBatch();
    private int cycle;

    /**
     * A worker over its queue of each port.
     *
     * @param context concluded.
     */
    public ForwarderAgent(final ForwarderContext context)
    {
        this(context, context.lossless() == null);
    }

    /** Without the fast path every frame goes through the stages; a worker with lossless priorities has none. */
    private ForwarderAgent(final ForwarderContext context, final boolean hasFastPath)
    {
        final int worker = context.worker();
        final TxQueue[] txQueues =
            context.ports().stream().map(port -> port.txQueue(worker)).toArray(TxQueue[]::new);
        roleName = "worker-" + worker;
        rxQueues = context.ports().stream().map(port -> port.rxQueue(worker)).toArray(RxQueue[]::new);
        counters = new FateCounters(
            context.counters(), worker, context.ports().stream().map(Port::name).collect(Collectors.toList()));
        checksumCompletion = ChecksumCompletion.of(context.ports(), counters);
        ethernetInput = new EthernetInput(context.interfaces(), counters);
        ipv4Input = new Ipv4Input(
            context.fib(), context.adjacencies(), context.interfaces().hostAddresses());
        ipv4ReversePath = new Ipv4ReversePath(context.interfaces(), context.fib(), context.adjacencies());
        ipv4Lookup = new Ipv4Lookup(context.fib());
        ipv4Options = new Ipv4Options(context);
        ipv4Rewrite = new Ipv4Rewrite(context);
        final IcmpMessages icmpMessages = new IcmpMessages(context.framePool(), messages, counters);
        icmpRedirects = new IcmpRedirects(context, icmpMessages, counters);
        exceptionClock = new BatchClock(context.clock());
        icmpErrors = new IcmpErrors(context, icmpMessages, exceptionClock, counters);
        final PortShare[] shares = portShares(context, txQueues, counters);
        egressQueues = shares == null ?
            new EgressQueues(txQueues, context.egressFifoDepth(), counters) :
            LosslessEgressQueues.create(txQueues, context, shares, counters);
        ipv4FastPath = hasFastPath ? new Ipv4FastPath(
            context.interfaces(), context.fib(), context.adjacencies(), ipv4ReversePath, icmpRedirects, egressQueues,
            counters) : null;
        priorityTagInput = shares == null ? null : new PriorityTagInput(counters);
        pauseInput = shares == null ? null :
            new PauseInput(shares, context.framePool(), counters, context.clock());
        ipv4Fragmenter = new Ipv4Fragmenter(context.adjacencies(), context.framePool(), egressQueues, counters);
        neighborHold = new NeighborHold(context, exceptionClock, counters);
        puntOutput = new PuntOutput(
            context.kernelPaths().txQueues(worker, rxQueues.length),
            context.kernelPaths().limits(rxQueues.length, exceptionClock), counters);
        hostInput = new HostInput(context, egressQueues, counters);
        dropOutput = new DropOutput(context.framePool(), counters);
        reader = context.readerEpochs().register();
    }

    /** A worker in which every frame goes through the stages, to compare the fast path with. */
    static ForwarderAgent ofStages(final ForwarderContext context)
    {
        return new ForwarderAgent(context, false);
    }

    /** One for each port, or null where no priority is lossless: then the worker has nothing of all that. */
    private static PortShare[] portShares(
        final ForwarderContext context, final TxQueue[] txQueues, final FateCounters counters)
    {
        if (context.lossless() == null)
        {
            return null;
        }
        final PortShare[] shares = new PortShare[txQueues.length];
        for (int port = 0; port < shares.length; port++)
        {
            shares[port] = new PortShare(
                context.lossless().port(port), context.worker(), txQueues[port], context.framePool(),
                context.interfaces(), counters);
        }
        return shares;
    }

    @Override
    public int doWork()
    {
        int work = 0;
        for (final RxQueue rxQueue : rxQueues)
        {
            received.clear();
            final int count = rxQueue.receive(received);
            if (count > 0)
            {
                if (checksumCompletion != null)
                {
                    checksumCompletion.process(received);
                }
                if (ipv4FastPath == null)
                {
                    process(received);
                }
                else
                {
                    forwardOrdinary(received);
                }
                work += count;
            }
        }
        final boolean choresAreDue = work == 0 || (++cycle & CYCLES_BETWEEN_CHORES - 1) == 0;
        if (choresAreDue && neighborHold.isHolding())
        {
            work += retryHeld();
        }
        if (messages.size() > 0)
        {
            exceptionClock.begin();
            ipv4Lookup.prefetch(messages);
            ipv4Lookup.process(messages);
            forward(messages);
            messages.clear();
        }
        work += hostInput.process();
        work += egressQueues.flush();
        puntOutput.flush();
        reader.quiesce();
        counters.polled(work);
        if (choresAreDue)
        {
            counters.publish();
        }
        return work;
    }

    /** Ordinary frames in one pass; then all others of the batch go through the stages. */
    private void forwardOrdinary(final FrameBatch batch)
    {
        ipv4Lookup.prefetchRare(batch);
        ipv4FastPath.input(batch);
        exceptions.clear();
        final int size = batch.size();
        int from = 0;
        while (from < size)
        {
            final int end = ipv4FastPath.rewrite(batch, from, exceptions);
            if (end > from)
            {
                releaseAhead(batch, from, end);
                ipv4FastPath.send(batch, from, end);
            }
            from = ipv4FastPath.next();
        }
        dropOutput.process(batch);
        if (exceptions.size() > 0)
        {
            beginExceptions(exceptions);
            if (ipv4FastPath.hasFaults())
            {
                input(exceptions);
            }
            forward(exceptions);
        }
    }

    /** The stages, for frames of one port. */
    private void process(final FrameBatch batch)
    {
        if (priorityTagInput != null)
        {
            priorityTagInput.process(batch);
        }
        ipv4Lookup.prefetch(batch);
        ethernetInput.receive(batch);
        beginExceptions(batch);
        input(batch);
        ipv4Lookup.process(batch);
        forward(batch);
    }

    private void beginExceptions(final FrameBatch batch)
    {
        counters.add(ForwarderCounter.EXCEPTIONS, batch.size());
        exceptionClock.begin();
    }

    private void input(final FrameBatch batch)
    {
        ethernetInput.process(batch);
        ipv4Input.process(batch);
        ipv4ReversePath.process(batch);
    }

    private int retryHeld()
    {
        released.clear();
        exceptionClock.begin();
        neighborHold.release(released);
        return sendReleased();
    }

    private void forward(final FrameBatch batch)
    {
        ipv4Options.process(batch);
        ipv4Rewrite.process(batch);
        releaseAhead(batch, 0, batch.size());
        send(batch);
    }

    /** Sends held frames before those that were rewritten for the same neighbour. */
    private void releaseAhead(final FrameBatch batch, final int from, final int to)
    {
        if (neighborHold.isHolding() && neighborHold.isOvertakingPossible())
        {
            boolean more;
            do
            {
                released.clear();
                more = neighborHold.releaseAhead(batch, from, to, released);
                sendReleased();
            }
            while (more);
        }
    }

    private int sendReleased()
    {
        final int count = released.size();
        if (count > 0)
        {
            ipv4Lookup.prefetch(released);
            ipv4Lookup.process(released);
            ipv4Options.process(released);
            ipv4Rewrite.process(released);
            send(released);
        }
        return count;
    }

    private void send(final FrameBatch batch)
    {
        icmpRedirects.process(batch);
        final int next = ipv4Fragmenter.process(batch);
        if (batch.isAnyForward())
        {
            egressQueues.process(batch, next, batch.size());
        }
        if (!batch.isAllForward())
        {
            icmpErrors.process(batch);
            neighborHold.process(batch);
            if (pauseInput != null)
            {
                pauseInput.process(batch);
            }
            puntOutput.process(batch);
            dropOutput.process(batch);
        }
    }

    @Override
    public String roleName()
    {
        return roleName;
    }

    /**
     * Shows the last counts and has no further use for the FIB. Frames that wait are left to the pool's memory, which
     * goes with the router.
     */
    @Override
    public void onClose()
    {
        ipv4Lookup.close();
        reader.close();
        counters.publish();
    }

    /**
     * What this worker has counted; on its own thread, or after it has stopped.
     *
     * @return its counters.
     */
    public FateCounters counters()
    {
        return counters;
    }
}
