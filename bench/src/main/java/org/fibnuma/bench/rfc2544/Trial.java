package org.fibnuma.bench.rfc2544;

import org.HdrHistogram.Histogram;

import java.util.concurrent.TimeUnit;

/**
 * What one trial has measured (RFC 2544 section 24).
 *
 * @param sent      frames that were offered to the device.
 * @param received  frames that the device has forwarded.
 * @param elapsedNs time in which they were sent.
 * @param latencies of the received frames in nanoseconds.
 */
record Trial(long sent, long received, long elapsedNs, Histogram latencies)
{
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /** Returns the offered frames a second. */
    double offeredPps()
    {
        return sent * SECOND_NS / elapsedNs;
    }

    /** Returns the forwarded frames a second. */
    double forwardedPps()
    {
        return received * SECOND_NS / elapsedNs;
    }

    /** Returns the share of the frames that were lost, 0 to 1. */
    double lossRate()
    {
        return sent == 0 ? 0 : (double)Math.max(0, sent - received) / sent;
    }
}
