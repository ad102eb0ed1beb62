package org.fibnuma.core.port.fault;

import org.fibnuma.core.port.TxQueue;

/** Sends frames to another queue after the faults. */
final class FaultTxQueue implements TxQueue
{
    private final TxQueue queue;
    private final DelayLine line;

    FaultTxQueue(final TxQueue queue, final DelayLine line)
    {
        this.queue = queue;
        this.line = line;
    }

    @Override
    public boolean offer(final long handle, final long address, final int length)
    {
        if (line.room() < 2)
        {
            return false;
        }
        line.add(handle, address, length, 0, System.nanoTime());
        return true;
    }

    @Override
    public void flush()
    {
        final long nowNs = System.nanoTime();
        while (line.isDue(nowNs) && queue.offer(line.handle(), line.address(), line.length()))
        {
            line.remove();
        }
        queue.flush();
    }
}
