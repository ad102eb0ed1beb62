package org.fibnuma.fibnic.warmup;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RehearsalTest
{
    @Test
    void shouldLetFramesTakeEveryWayThroughThePipeline()
    {
        try (Rehearsal rehearsal = new Rehearsal())
        {
            int sent = 0;
            for (int batch = 0; batch < 500; batch++)
            {
                rehearsal.run(batch);
                sent += 1 + batch % FrameBatch.CAPACITY;
            }
            final FateReport fates = rehearsal.fates();
            assertEquals(sent, fates.get(ForwarderCounter.RECEIVED));
            assertTrue(fates.get(ForwarderCounter.FORWARDED) > sent * 9 / 10);
            assertTrue(fates.get(ForwarderCounter.FRAGMENTS) > 0);
            assertTrue(fates.get(ForwarderCounter.ORIGINATED) > 0);
            assertTrue(fates.get(ForwarderCounter.HELD) > 0);
            assertTrue(fates.get(DropReason.IPV4_TTL_EXPIRED) > 0);
            assertTrue(fates.get(DropReason.IPV4_NO_ROUTE) > 0);
            assertTrue(fates.get(DropReason.IPV4_TOO_BIG) > 0);
            assertTrue(fates.get(DropReason.IPV4_BAD_CHECKSUM) > 0);
            assertTrue(fates.get(DropReason.IPV4_SOURCE_ROUTE) > 0);
            assertTrue(fates.get(DropReason.PUNT_NO_PATH) > 0);
            assertTrue(fates.get(ForwarderCounter.IPV6) > sent / 4);
            assertTrue(fates.get(DropReason.IPV6_HOP_LIMIT) > 0);
            assertTrue(fates.get(DropReason.IPV6_NO_ROUTE) > 0);
            assertTrue(fates.get(DropReason.IPV6_TOO_BIG) > 0);
            assertTrue(fates.get(DropReason.IPV6_BEYOND_SCOPE) > 0);
            assertTrue(fates.get(DropReason.IPV6_TRUNCATED) > 0);
            assertTrue(fates.isBalanced());
        }
    }

    @Test
    void shouldEndByItself()
    {
        final WarmUp first = WarmUp.start();
        final WarmUp second = WarmUp.start();
        first.await();
        second.await();
    }
}
