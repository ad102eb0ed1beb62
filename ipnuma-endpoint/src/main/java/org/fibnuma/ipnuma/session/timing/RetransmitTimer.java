package org.fibnuma.ipnuma.session.timing;

import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;

/**
 * When to send again without a sign of the peer (RFC 6298). With SRTT the smoothed round trip and RTTVAR its mean
 * deviation, of samples R from echoed timestamps, which a repeated datagram does not spoil (RFC 7323, section 4):
 * <pre>
 *  first sample   SRTT = R,  RTTVAR = R / 2
 *  later          RTTVAR = 3/4 RTTVAR + 1/4 |SRTT - R|,  SRTT = 7/8 SRTT + 1/8 R
 *  timeout        RTO = SRTT + 4 RTTVAR, between the floor and the ceiling, doubled with each timeout in a row
 *  tail probe     2 SRTT + acknowledgement delay, once before the first timeout where it is shorter (RFC 8985)
 * </pre>
 */
public final class RetransmitTimer
{
    private static final long NEVER = Long.MAX_VALUE;
    /** What {@link #onExpiry} says: the last datagram is to be sent again. */
    public static final int TAIL_PROBE = 1;
    /** What {@link #onExpiry} says: the first datagram is to be sent again. */
    public static final int TIMEOUT = 2;
    /** What {@link #onExpiry} says: the peer is down. */
    public static final int GIVE_UP = 3;

    private static final int MAX_BACKOFF = 16;
    private static final int VARIANCE_FACTOR = 4;
    /** A sample above this is a timestamp that is not ours. */
    private static final long MAX_SAMPLE_NS = 60_000_000_000L;

    private final long minNs;
    private final long maxNs;
    private final long ackDelayNs;
    private final int retryLimit;
    private long timeoutNs;
    private long smoothedNs;
    private long deviationNs;
    private long deadlineNs = NEVER;
    private int retries;
    private boolean isProbeNext;
    private boolean isProbeUnanswered;
    private int probeTimestamp;

    /**
     * A timer that does not run.
     *
     * @param minNs      floor of the timeout.
     * @param firstNs    timeout before the first sample.
     * @param maxNs      ceiling of the timeout.
     * @param ackDelayNs how long the peer may keep an acknowledgement back.
     * @param retryLimit timeouts in a row after which to give up.
     */
    public RetransmitTimer(
        final long minNs, final long firstNs, final long maxNs, final long ackDelayNs, final int retryLimit)
    {
        this.minNs = minNs;
        this.maxNs = maxNs;
        this.ackDelayNs = ackDelayNs;
        this.retryLimit = retryLimit;
        timeoutNs = firstNs;
    }

    /**
     * A probe left, which the peer answers at once.
     *
     * @param timestamp that it carries, in units of 256 ns.
     */
    public void onProbeSent(final int timestamp)
    {
        probeTimestamp = timestamp;
        isProbeUnanswered = true;
    }

    /**
     * An acknowledgement without data came that may answer the probe; it is a sample where it echoes the probe's own
     * timestamp. Any other one may echo a timestamp that the peer received long ago.
     *
     * @param nowTimestamp now, in units of 256 ns.
     * @param echo         the timestamp that came back, in the same units.
     */
    public void onAnswer(final int nowTimestamp, final int echo)
    {
        if (isProbeUnanswered && echo == probeTimestamp)
        {
            isProbeUnanswered = false;
            onEcho(nowTimestamp, echo);
        }
    }

    /**
     * A timestamp of ours came back with something that acknowledges what was not acknowledged before.
     *
     * @param nowTimestamp now, in units of 256 ns.
     * @param echo         when what the peer received was sent, in the same units.
     */
    public void onEcho(final int nowTimestamp, final int echo)
    {
        final long sampleNs = (long)(nowTimestamp - echo) << FibnumaHeaderFlyweight.TIMESTAMP_SHIFT;
        if (sampleNs < 0 || sampleNs > MAX_SAMPLE_NS)
        {
            return;
        }
        if (smoothedNs == 0)
        {
            smoothedNs = sampleNs + 1;
            deviationNs = sampleNs >> 1;
        }
        else
        {
            deviationNs += (Math.abs(smoothedNs - sampleNs) - deviationNs) >> 2;
            smoothedNs = Math.max(1, smoothedNs + ((sampleNs - smoothedNs) >> 3));
        }
        timeoutNs = Math.min(maxNs, Math.max(minNs, smoothedNs + VARIANCE_FACTOR * deviationNs));
    }

    /**
     * Something went out; the timer runs from the first on.
     *
     * @param nowNs monotonic time.
     */
    public void onSent(final long nowNs)
    {
        if (deadlineNs == NEVER)
        {
            start(nowNs);
        }
    }

    /**
     * Something new was acknowledged.
     *
     * @param nowNs       monotonic time.
     * @param hasUnderWay whether something else is not.
     */
    public void onProgress(final long nowNs, final boolean hasUnderWay)
    {
        retries = 0;
        if (hasUnderWay)
        {
            start(nowNs);
        }
        else
        {
            deadlineNs = NEVER;
        }
    }

    /**
     * Whether the timer has run out.
     *
     * @param nowNs monotonic time.
     * @return false while it does not run.
     */
    public boolean isDue(final long nowNs)
    {
        return deadlineNs != NEVER && nowNs - deadlineNs >= 0;
    }

    /**
     * The timer ran out, and runs again.
     *
     * @param nowNs monotonic time.
     * @return what to do: {@link #TAIL_PROBE}, {@link #TIMEOUT} or {@link #GIVE_UP}.
     */
    public int onExpiry(final long nowNs)
    {
        if (isProbeNext)
        {
            isProbeNext = false;
            deadlineNs = nowNs + timeoutNs;
            return TAIL_PROBE;
        }
        retries++;
        if (retries > retryLimit)
        {
            return GIVE_UP;
        }
        deadlineNs = nowNs + Math.min(maxNs, timeoutNs << Math.min(retries, MAX_BACKOFF));
        return TIMEOUT;
    }

    /** Nothing is under way any more. What was learned of the round trip stays. */
    public void reset()
    {
        deadlineNs = NEVER;
        retries = 0;
        isProbeUnanswered = false;
    }

    /**
     * SRTT.
     *
     * @return nanoseconds, 0 before the first sample.
     */
    public long smoothedNs()
    {
        return smoothedNs;
    }

    /**
     * RTO, not doubled.
     *
     * @return nanoseconds.
     */
    public long timeoutNs()
    {
        return timeoutNs;
    }

    private void start(final long nowNs)
    {
        final long probeNs = 2 * smoothedNs + ackDelayNs;
        isProbeNext = smoothedNs > 0 && probeNs < timeoutNs;
        deadlineNs = nowNs + (isProbeNext ? probeNs : timeoutNs);
    }
}
