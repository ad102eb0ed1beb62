package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.fibnic.fate.FateCounters;

/** Dropped frames come in, are counted by reason, and their chunks go back to the pool. The last stage of all. */
final class DropOutput
{
    private final FramePool pool;
    private final FateCounters counters;

    DropOutput(final FramePool pool, final FateCounters counters)
    {
        this.pool = pool;
        this.counters = counters;
    }

    void process(final FrameBatch batch)
    {
        final int size = batch.has(Disposition.DROP) ? batch.size() : 0;
        for (int i = 0; i < size; i++)
        {
            if (batch.disposition(i) == Disposition.DROP)
            {
                counters.dropped(batch.ingressPort(i), batch.dropReason(i));
                pool.release(batch.handle(i));
            }
        }
    }
}
