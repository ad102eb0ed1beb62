package org.fibnuma.ipnuma.session.timing;

import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;

/**
 * Decides when to retransmit without an acknowledgement (RFC 6298). SRTT is the smoothed round-trip time and RTTVAR its
 * mean deviation. Samples R come from echoed timestamps, which stay valid for repeated datagrams (RFC 7323, section 4):
 * <pre>
 *  first sample   SRTT = R,  RTTVAR = R / 2
 *  later          RTTVAR = 3/4 RTTVAR + 1/4 |SRTT - R|,  SRTT = 7/8 SRTT + 1/8 R
 *  timeout        RTO = SRTT + 4 RTTVAR, between the floor and the ceiling, doubled with each timeout in a row
 *  tail probe     2 SRTT + acknowledgement delay, once before the first timeout where it is shorter (RFC 8985)
 * </pre>
 */
public final class RetransmitTimer
{
    private static final long NEVER = DeadlineHeap.NEVER;
    /** Result of {@link #onExpiry}: send the last datagram again. */
    public static final int TAIL_PROBE = 1;
    /** Result of {@link #onExpiry}: send the first datagram again. */
    public static final int TIMEOUT = 2;
    /** Result of {@link #onExpiry}: the peer is down. */
    public static final int GIVE_UP = 3;

    private static final int MAX_BACKOFF = 16;
    private static final int VARIANCE_FACTOR = 4;
    /** A longer sample is not based on a timestamp of this side. */
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
     * Creates a stopped timer.
     *
     * @param minNs      lower bound of the timeout.
     * @param firstNs    timeout before the first sample.
     * @param maxNs      upper bound of the timeout.
     * @param ackDelayNs longest delay of an acknowledgement by the peer.
     * @param retryLimit successive timeouts after which the peer is down.
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

    /** Records that a probe with a timestamp, in units of 256 ns, was sent. The peer answers it at once. */
    public void onProbeSent(final int timestamp)
    {
        probeTimestamp = timestamp;
        isProbeUnanswered = true;
    }

    /**
     * Processes an acknowledgement without data that may answer the probe. It is a sample only if it echoes the
     * timestamp of the probe: the peer may have received any other timestamp long ago. Both timestamps are in units of
     * 256 ns.
     */
    public void onAnswer(final int nowTimestamp, final int echo)
    {
        if (isProbeUnanswered && echo == probeTimestamp)
        {
            isProbeUnanswered = false;
            onEcho(nowTimestamp, echo);
        }
    }

    /** Uses the echo of a new acknowledgement as a sample. Both timestamps are in units of 256 ns. */
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

    /** Starts a stopped timer when a datagram is sent. */
    public void onSent(final long nowNs)
    {
        if (deadlineNs == NEVER)
        {
            start(nowNs);
        }
    }

    /** Restarts the timer on a new acknowledgement if anything else is unacknowledged, else stops it. */
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

    /** Returns when the timer expires, or {@link DeadlineHeap#NEVER} if it is stopped. */
    public long deadlineNs()
    {
        return deadlineNs;
    }

    /** Returns whether the timer runs and has expired. */
    public boolean isDue(final long nowNs)
    {
        return deadlineNs != NEVER && nowNs - deadlineNs >= 0;
    }

    /** Restarts the expired timer and returns {@link #TAIL_PROBE}, {@link #TIMEOUT} or {@link #GIVE_UP}. */
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

    /** Stops the timer. The estimate of the round-trip time stays. */
    public void reset()
    {
        deadlineNs = NEVER;
        retries = 0;
        isProbeUnanswered = false;
    }

    /** Returns SRTT in nanoseconds, 0 before the first sample. */
    public long smoothedNs()
    {
        return smoothedNs;
    }

    /** Returns RTO in nanoseconds, without backoff. */
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
