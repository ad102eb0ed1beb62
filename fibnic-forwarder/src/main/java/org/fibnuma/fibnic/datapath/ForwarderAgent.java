package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.Agent;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.fate.FateCounters;
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
    /** A frame that is not ordinary goes through the stages with those behind it: a few, then four times as many. */
    private static final int FIRST_SHARE = 4;
    private static final int SHARE_GROWTH_SHIFT = 2;

    private final String roleName;
    private final RxQueue[] rxQueues;
    private final Ipv4FastPath ipv4FastPath;
    private final EthernetInput ethernetInput;
    private final Ipv4Input ipv4Input;
    private final Ipv4Lookup ipv4Lookup;
    private final Ipv4Rewrite ipv4Rewrite;
    private final Ipv4Fragmenter ipv4Fragmenter;
    private final EgressQueues egressQueues;
    private final IcmpErrors icmpErrors;
    private final NeighborHold neighborHold;
    private final PriorityTagInput priorityTagInput;
    private final PauseInput pauseInput;
    private final PuntOutput puntOutput;
    private final HostInput hostInput;
    private final DropOutput dropOutput;
    private final ReaderEpochs.Reader reader;
    private final FateCounters counters;
    private final FrameBatch received = new FrameBatch();
    private final FrameBatch unusual = new FrameBatch();
    private final FrameBatch released = new FrameBatch();
    private final FrameBatch messages = new FrameBatch();

    /**
     * A worker over its queue of each port.
     *
     * @param context concluded.
     */
    public ForwarderAgent(final ForwarderContext context)
    {
        final int worker = context.worker();
        final TxQueue[] txQueues =
            context.ports().stream().map(port -> port.txQueue(worker)).toArray(TxQueue[]::new);
        roleName = "worker-" + worker;
        rxQueues = context.ports().stream().map(port -> port.rxQueue(worker)).toArray(RxQueue[]::new);
        counters = new FateCounters(
            context.counters(), worker, context.ports().stream().map(Port::name).collect(Collectors.toList()));
        ethernetInput = new EthernetInput(context.interfaces(), counters);
        ipv4Input = new Ipv4Input(context.fib(), context.adjacencies());
        ipv4Lookup = new Ipv4Lookup(context.fib());
        ipv4Rewrite = new Ipv4Rewrite(context.adjacencies());
        final PortShare[] shares = portShares(context, txQueues, counters);
        egressQueues = shares == null ?
            new EgressQueues(txQueues, context.egressFifoDepth(), counters) :
            LosslessEgressQueues.create(txQueues, context, shares, counters);
        ipv4FastPath = shares != null ? null : new Ipv4FastPath(
            context.interfaces(), context.fib(), context.adjacencies(), egressQueues, counters);
        priorityTagInput = shares == null ? null : new PriorityTagInput(counters);
        pauseInput = shares == null ? null :
            new PauseInput(shares, context.framePool(), counters, context.clock());
        ipv4Fragmenter = new Ipv4Fragmenter(context.adjacencies(), context.framePool(), egressQueues, counters);
        icmpErrors = new IcmpErrors(context, messages, counters);
        neighborHold = new NeighborHold(context, counters);
        puntOutput = new PuntOutput(
            context.kernelPaths().txQueues(worker, rxQueues.length),
            context.kernelPaths().limits(rxQueues.length, context.clock()), counters);
        hostInput = new HostInput(context, egressQueues, counters);
        dropOutput = new DropOutput(context.framePool(), counters);
        reader = context.readerEpochs().register();
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
        int work = neighborHold.isHolding() ? retryHeld() : 0;
        for (final RxQueue rxQueue : rxQueues)
        {
            received.clear();
            final int count = rxQueue.receive(received);
            if (count > 0)
            {
                if (ipv4FastPath == null || neighborHold.isHolding())
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
        if (messages.size() > 0)
        {
            ipv4Lookup.prefetch(messages);
            forward(messages);
            messages.clear();
        }
        work += hostInput.process();
        work += egressQueues.flush();
        puntOutput.flush();
        reader.quiesce();
        counters.polled(work);
        counters.publish();
        return work;
    }

    /** What {@link Ipv4FastPath} leaves goes through the stages before it takes what comes behind. */
    private void forwardOrdinary(final FrameBatch batch)
    {
        ipv4Lookup.prefetchRare(batch);
        final int size = batch.size();
        int share = FIRST_SHARE;
        int next = ipv4FastPath.process(batch, 0);
        while (next < size)
        {
            final int end = Math.min(size, next + share);
            unusual.clear();
            for (int i = next; i < end; i++)
            {
                unusual.add(batch.handle(i), batch.address(i), batch.length(i), batch.ingressPort(i));
            }
            process(unusual);
            share <<= SHARE_GROWTH_SHIFT;
            next = end;
            if (next < size && !neighborHold.isHolding())
            {
                next = ipv4FastPath.process(batch, next);
            }
        }
        if (!batch.isAllForward())
        {
            dropOutput.process(batch);
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
        ethernetInput.process(batch);
        ipv4Input.process(batch);
        forward(batch);
    }

    private int retryHeld()
    {
        released.clear();
        neighborHold.release(released);
        return sendReleased();
    }

    private void forward(final FrameBatch batch)
    {
        ipv4Lookup.process(batch);
        if (neighborHold.isHolding())
        {
            releaseAhead(batch);
        }
        send(batch);
    }

    private void releaseAhead(final FrameBatch batch)
    {
        boolean more;
        do
        {
            released.clear();
            more = neighborHold.releaseAhead(batch, released);
            sendReleased();
        }
        while (more);
    }

    private int sendReleased()
    {
        final int count = released.size();
        if (count > 0)
        {
            ipv4Lookup.prefetch(released);
            ipv4Lookup.process(released);
            send(released);
        }
        return count;
    }

    private void send(final FrameBatch batch)
    {
        ipv4Rewrite.process(batch);
        egressQueues.process(batch, ipv4Fragmenter.process(batch), batch.size());
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

    /** Has no further use for the FIB. Frames that wait are left to the pool's memory, which goes with the router. */
    @Override
    public void onClose()
    {
        ipv4Lookup.close();
        reader.close();
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
