package org.fibnuma.core.agent;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class BatchClockTest
{
    private int readings;

    @Test
    void shouldReadItsClockOnceForABatchAndOnlyWhenAsked()
    {
        final BatchClock clock = new BatchClock(() -> ++readings * 100L);
        clock.begin();
        assertEquals(0, readings);
        assertEquals(100, clock.nanoTime());
        assertEquals(100, clock.nanoTime());
        clock.begin();
        assertEquals(200, clock.nanoTime());
        assertEquals(2, readings);
    }
}
