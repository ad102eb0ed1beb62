package org.fibnuma.fibnic.rate;

import org.agrona.concurrent.NanoClock;

import java.util.concurrent.TimeUnit;

/** A rate limit: a number of tokens per second, and up to a burst of them at once after a quiet time. */
public final class TokenBucket
{
    private final NanoClock clock;
    private final long nsPerToken;
    private final long maxCreditNs;
    private long creditNs;
    private long lastNs;

    /**
     * Creates a bucket that is full.
     *
     * @param perSecond tokens per second, 1 to 10^9.
     * @param burst     tokens in a full bucket, 1 or more.
     * @param clock     of the thread that uses the bucket.
     */
    public TokenBucket(final int perSecond, final int burst, final NanoClock clock)
    {
        this.clock = clock;
        this.nsPerToken = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.maxCreditNs = burst * nsPerToken;
        this.creditNs = maxCreditNs;
        this.lastNs = clock.nanoTime();
    }

    /** Takes a token; returns false if there is none. */
    public boolean take()
    {
        final long now = clock.nanoTime();
        creditNs = Math.min(maxCreditNs, creditNs + (now - lastNs));
        lastNs = now;
        if (creditNs < nsPerToken)
        {
            return false;
        }
        creditNs -= nsPerToken;
        return true;
    }
}
