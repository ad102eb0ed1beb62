package org.fibnuma.fibnic.rate;

import org.agrona.concurrent.NanoClock;

/** A token bucket of one thread with the rate and burst of a {@link RateLimit}. */
public final class TokenBucket
{
    private final RateLimit limit;
    private final NanoClock clock;
    private RateLimit.Rate rate;
    private long creditNs;
    private long lastNs;

    /**
     * Creates a bucket that is full.
     *
     * @param limit which may change at any time.
     * @param clock of the thread that uses the bucket.
     */
    public TokenBucket(final RateLimit limit, final NanoClock clock)
    {
        this.limit = limit;
        this.clock = clock;
        this.rate = limit.rate();
        this.creditNs = rate.maxCreditNs();
        this.lastNs = clock.nanoTime();
    }

    /** Takes a token; returns false if there is none. */
    public boolean take()
    {
        if (rate != limit.rate())
        {
            final long tokens = creditNs / rate.nsPerToken();
            rate = limit.rate();
            creditNs = tokens * rate.nsPerToken();
        }
        final long now = clock.nanoTime();
        creditNs = Math.min(rate.maxCreditNs(), creditNs + (now - lastNs));
        lastNs = now;
        if (creditNs < rate.nsPerToken())
        {
            return false;
        }
        creditNs -= rate.nsPerToken();
        return true;
    }
}
