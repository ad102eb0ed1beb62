package org.fibnuma.fibnic.rate;

import java.util.concurrent.TimeUnit;

/**
 * A rate and a burst that {@link TokenBucket}s of several threads share. One thread changes both in one step while the
 * buckets are in use; any thread reads.
 */
public final class RateLimit
{
    /** Without a burst of its own, a limit permits the tokens of this part of a second at once. */
    private static final int BURSTS_PER_SECOND = 10;
    private static final int LEAST_BURST = 64;

    private volatile Rate rate;

    /**
     * Creates a limit whose burst is what the rate gives in a tenth of a second, but at least 64 tokens.
     *
     * @param perSecond tokens per second, 1 to 10^9.
     * @throws IllegalArgumentException if it is out of range.
     */
    public RateLimit(final int perSecond)
    {
        change(perSecond);
    }

    /**
     * Creates a limit.
     *
     * @param perSecond tokens per second, 1 to 10^9.
     * @param burst     tokens in a full bucket, 1 or more.
     * @throws IllegalArgumentException if one is out of range.
     */
    public RateLimit(final int perSecond, final int burst)
    {
        change(perSecond, burst);
    }

    /** Changes rate and burst as {@link #change(int, int)} does, to those of {@link #RateLimit(int)}. */
    public void change(final int perSecond)
    {
        change(perSecond, Math.max(LEAST_BURST, perSecond / BURSTS_PER_SECOND));
    }

    /**
     * Changes the limit. Each bucket uses the new one from its next token on and keeps its tokens, up to the new burst.
     *
     * @param perSecond tokens per second, 1 to 10^9.
     * @param burst     tokens in a full bucket, 1 or more.
     * @throws IllegalArgumentException if one is out of range.
     */
    public void change(final int perSecond, final int burst)
    {
        if (perSecond <= 0 || perSecond > TimeUnit.SECONDS.toNanos(1) || burst <= 0)
        {
            throw new IllegalArgumentException("rate limit: " + perSecond + " per second, burst " + burst);
        }
        final long nsPerToken = TimeUnit.SECONDS.toNanos(1) / perSecond;
        rate = new Rate(nsPerToken, burst * nsPerToken);
    }

    Rate rate()
    {
        return rate;
    }

    /** The limit in nanoseconds: the time between two tokens, and the most credit of a bucket. */
    record Rate(long nsPerToken, long maxCreditNs)
    {
    }
}
