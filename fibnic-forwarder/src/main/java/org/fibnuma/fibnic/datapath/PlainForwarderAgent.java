package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.port.RxQueue;
import org.fibnuma.fibnic.fate.ForwarderCounter;

/** A worker of a router without lossless priorities. */
final class PlainForwarderAgent extends ForwarderAgent
{
    PlainForwarderAgent(final ForwarderContext context)
    {
        this(context, EgressQueues.of(context));
    }

    private PlainForwarderAgent(final ForwarderContext context, final EgressQueues egress)
    {
        this(context, egress, new FrameClassifier(context.interfaces(), egress.counters()));
    }

    /** Takes the classifier, so that a test can have every frame treated as an exception. */
    PlainForwarderAgent(final ForwarderContext context, final EgressQueues egress, final FrameClassifier classifier)
    {
        super(context, egress, classifier);
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
