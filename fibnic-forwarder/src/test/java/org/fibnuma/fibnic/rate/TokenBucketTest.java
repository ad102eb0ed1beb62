package org.fibnuma.fibnic.rate;

import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;

class TokenBucketTest
{
    private final CachedNanoClock clock = new CachedNanoClock();
    private final TokenBucket bucket = new TokenBucket(1000, 50, clock);

    private int takeAll()
    {
        int count = 0;
        while (bucket.take())
        {
            count++;
        }
        return count;
    }

    @Test
    void shouldGiveTheBurstAtOnceAndTheRateThereafter()
    {
        assertEquals(50, takeAll());
        clock.advance(TimeUnit.MICROSECONDS.toNanos(999));
        assertEquals(0, takeAll());
        clock.advance(TimeUnit.MICROSECONDS.toNanos(1));
        assertEquals(1, takeAll());
        int taken = 0;
        for (int us = 0; us < 1_000_000; us += 137)
        {
            clock.advance(TimeUnit.MICROSECONDS.toNanos(137));
            taken += takeAll();
        }
        assertEquals(1000, taken);
    }

    @Test
    void shouldSaveNoMoreThanTheBurst()
    {
        clock.advance(TimeUnit.DAYS.toNanos(10_000));
        assertEquals(50, takeAll());
    }
}
