package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class DropOutputTest
{
    @Test
    void shouldCountEachReasonAndGiveTheChunkBack()
    {
        try (RouterFixture router = new RouterFixture())
        {
            final FateCounters counters = router.agent.counters();
            final DropOutput drops = new DropOutput(router.routerPool, counters, new CapturePoint());
            final FrameBatch batch = new FrameBatch();
            for (final DropReason reason : DropReason.values())
            {
                if (batch.room() < 2)
                {
                    drop(drops, batch);
                }
                for (int i = 0; i <= reason.id() % 2; i++)
                {
                    final long chunk = router.routerPool.allocate();
                    batch.add(chunk, chunk + FramePool.HEADROOM, 60, 0);
                    batch.drop(batch.size() - 1, reason.id());
                }
            }
            drop(drops, batch);
            final long own = router.routerPool.allocate();
            batch.add(own, own + FramePool.HEADROOM, 60, counters.ownIngress());
            batch.drop(batch.size() - 1, DropReason.EGRESS_FULL.id());
            drop(drops, batch);
            for (final DropReason reason : DropReason.values())
            {
                assertEquals(1 + reason.id() % 2, counters.get(reason), reason.label());
            }
            assertEquals(1, counters.get(ForwarderCounter.ORIGINATED_LOST));
            assertEquals(RouterFixture.CHUNKS, router.routerPool.available());
        }
    }

    private static void drop(final DropOutput drops, final FrameBatch batch)
    {
        final FrameList all = new FrameList();
        all.setAll(batch.size());
        drops.process(batch, all);
        batch.clear();
    }
}
