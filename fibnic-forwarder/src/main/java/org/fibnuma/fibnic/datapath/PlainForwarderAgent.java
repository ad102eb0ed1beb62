package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.port.RxQueue;
import org.fibnuma.fibnic.fate.ForwarderCounter;

/** A worker of a router without lossless priorities. */
final class PlainForwarderAgent extends ForwarderAgent
{
    private final ObservedStages observedStages;

    PlainForwarderAgent(final ForwarderContext context)
    {
        this(context, EgressQueues.of(context));
    }

    private PlainForwarderAgent(final ForwarderContext context, final EgressQueues egress)
    {
        this(context, egress, new FrameClassifier(context, egress.counters()));
    }

    /** Takes the classifier, so that a test can have every frame treated as an exception. */
    PlainForwarderAgent(final ForwarderContext context, final EgressQueues egress, final FrameClassifier classifier)
    {
        super(context, egress, classifier);
        observedStages = new ObservedStages(this, context, null, null);
    }

    @Override
    ObservedStages observedStages()
    {
        return observedStages;
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
                if (captureTap.isOn())
                {
                    captureTap.received(frames);
                    if (observedStages.process())
                    {
                        work += received;
                        continue;
                    }
                }
                batchClock.begin();
                checksumCompletion.process(frames);
                vlanInput.process(frames);
                do
                {
                    ipv4Lookup.prefetch(frames);
                    frameClassifier.process(frames, ordinaryIpv4, ordinaryIpv6, exceptions);

                    int ipv4Count = ordinaryIpv4.size();
                    if (exceptions.size() > 0)
                    {
                        ethernetInput.process(frames, exceptions, exceptionsIpv6);
                        ipv4Count += ipv4Input.process(frames, exceptions);
                        ipv6Input.process(frames, exceptionsIpv6);
                    }
                    accessInput.process(frames, ordinaryIpv4, ordinaryIpv6, exceptions, exceptionsIpv6);
                    final int ipv6Count = ordinaryIpv6.size() + exceptionsIpv6.size();
                    if (ipv6Count < frames.size())
                    {
                        ipv4ReversePath.process(frames, ordinaryIpv4, exceptions);
                        ipv4Lookup.process(frames, ordinaryIpv4, exceptions);
                        multipathSelection.process(frames, ordinaryIpv4, exceptions, false);
                        ipv4Rewrite.process(frames, ordinaryIpv4, exceptions);
                    }
                    if (ipv6Count > 0)
                    {
                        ipv6Lookup.process(frames, ordinaryIpv6, exceptionsIpv6);
                        multipathSelection.process(frames, ordinaryIpv6, exceptionsIpv6, true);
                        ipv6Rewrite.process(frames, ordinaryIpv6, exceptionsIpv6);
                    }
                    if (exceptions.size() + exceptionsIpv6.size() > 0)
                    {
                        ipv4Options.process(frames, exceptions);
                        ipv4Rewrite.process(frames, exceptions);
                        ipv6Rewrite.process(frames, exceptionsIpv6);
                    }
                    accessOutput.process(frames, exceptions, exceptionsIpv6);
                    int ipv6Forwarded = ipv6Count;
                    if (exceptions.size() + exceptionsIpv6.size() > 0)
                    {
                        counters.add(ForwarderCounter.EXCEPTIONS, exceptions.size() + exceptionsIpv6.size());
                        icmpErrors.process(frames, exceptions);
                        icmpv6Errors.process(frames, exceptionsIpv6);
                        ipv6Forwarded -= notForwarded(frames, exceptionsIpv6);
                        exceptions.takeAll(exceptionsIpv6);
                        neighborHold.process(frames, exceptions);
                        puntOutput.process(frames, exceptions);
                        dropOutput.process(frames, exceptions);
                    }
                    send(ipv4Count, ipv6Count, ipv6Forwarded);
                }
                while (vlanInput.next(frames));
                work += received;
            }
        }
        return endCycle(work);
    }
}
