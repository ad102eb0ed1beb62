package org.fibnuma.core.port.fault;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.port.RxQueue;

/** Receives the frames of another queue after the faults. */
final class FaultRxQueue implements RxQueue
{
    private final RxQueue queue;
    private final DelayLine line;
    private final FrameBatch arrived = new FrameBatch();

    FaultRxQueue(final RxQueue queue, final DelayLine line)
    {
        this.queue = queue;
        this.line = line;
    }

    @Override
    public int receive(final FrameBatch batch)
    {
        final long nowNs = System.nanoTime();
        if (line.room() >= 2 * FrameBatch.CAPACITY)
        {
            arrived.clear();
            queue.receive(arrived);
            for (int i = 0; i < arrived.size(); i++)
            {
                line.add(arrived.handle(i), arrived.address(i), arrived.length(i), arrived.ingressPort(i), nowNs);
            }
        }
        final int sizeBefore = batch.size();
        while (batch.room() > 0 && line.isDue(nowNs))
        {
            batch.add(line.handle(), line.address(), line.length(), line.ingressPort());
            line.remove();
        }
        return batch.size() - sizeBefore;
    }
}
