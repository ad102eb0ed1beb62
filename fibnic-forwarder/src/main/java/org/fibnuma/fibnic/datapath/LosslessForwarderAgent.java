package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.port.RxQueue;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.lossless.PauseInput;
import org.fibnuma.fibnic.lossless.PriorityTagInput;

/**
 * A worker of a router with lossless priorities. Its duty cycle is that of {@link PlainForwarderAgent} with two more
 * stages: {@link PriorityTagInput} before the classifier and {@link PauseInput} before {@link PuntOutput}. Its egress
 * is {@link LosslessEgressQueues}.
 */
final class LosslessForwarderAgent extends ForwarderAgent
{
    private final PriorityTagInput priorityTagInput;
    private final PauseInput pauseInput;

    LosslessForwarderAgent(final ForwarderContext context)
    {
        this(context, LosslessEgressQueues.of(context));
    }

    private LosslessForwarderAgent(final ForwarderContext context, final LosslessEgressQueues egress)
    {
        super(context, egress, new FrameClassifier(context.interfaces(), egress.counters()));
        priorityTagInput = new PriorityTagInput(counters);
        pauseInput = new PauseInput(egress.ports(), context.framePool(), counters, context.clock());
    }

    @Override
    public int doWork()
    {
        int work = 0;
        for (final RxQueue rxQueue : rxQueues)
        {
            frames.clear();
            final int received = rxQueue.receive(frames);
            if (received > 0)
            {
                batchClock.begin();
                checksumCompletion.process(frames);
                priorityTagInput.process(frames);
                ipv4Lookup.prefetch(frames);
                frameClassifier.process(frames, ordinary, exceptions);

                if (exceptions.size() > 0)
                {
                    ethernetInput.process(frames, exceptions);
                    ipv4Input.process(frames, exceptions);
                }
                ipv4ReversePath.process(frames, ordinary, exceptions);
                ipv4Lookup.process(frames);
                ipv4Rewrite.process(frames, ordinary, exceptions);
                if (exceptions.size() > 0)
                {
                    counters.add(ForwarderCounter.EXCEPTIONS, exceptions.size());
                    ipv4Options.process(frames, exceptions);
                    ipv4Rewrite.process(frames, exceptions);
                    icmpErrors.process(frames, exceptions);
                    neighborHold.process(frames, exceptions);
                    pauseInput.process(frames, exceptions);
                    puntOutput.process(frames, exceptions);
                    dropOutput.process(frames, exceptions);
                }
                sendHeldAheadOf(frames);
                icmpRedirects.process(frames);
                egressQueues.process(frames, ipv4Fragmenter.process(frames), received);
                work += received;
            }
        }
        final boolean isChoreCycle = isChoreCycle(work);
        work += isChoreCycle ? retryHeld() : 0;
        sendMessages();
        work += hostInput.process();
        work += egressQueues.flush();
        puntOutput.flush();
        reader.quiesce();
        counters.polled(work);
        if (isChoreCycle)
        {
            counters.publish();
        }
        return work;
    }
}
