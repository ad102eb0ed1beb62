package org.fibnuma.fibnic.rate;

import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class TokenBucketTest
{
    private final CachedNanoClock clock = new CachedNanoClock();
    private final RateLimit limit = new RateLimit(1000, 50);
    private final TokenBucket bucket = new TokenBucket(limit, clock);

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

    @Test
    void shouldFollowAChangeOfTheLimit()
    {
        limit.change(10, 3);
        assertEquals(3, takeAll());
        clock.advance(TimeUnit.MILLISECONDS.toNanos(99));
        assertEquals(0, takeAll());
        limit.change(1000, 200);
        assertEquals(0, takeAll());
        clock.advance(TimeUnit.MILLISECONDS.toNanos(2000));
        assertEquals(200, takeAll());
    }

    @ParameterizedTest
    @CsvSource({"0,1", "-1,1", "1000000001,1", "1,0"})
    void shouldRefuseALimitThatIsNone(final int perSecond, final int burst)
    {
        assertThrows(IllegalArgumentException.class, () -> limit.change(perSecond, burst));
        assertEquals(50, takeAll());
    }
}
