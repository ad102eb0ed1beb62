package org.fibnuma.bench.rfc2544;

import org.HdrHistogram.Histogram;

import java.util.concurrent.TimeUnit;

/**
 * What one trial has measured (RFC 2544 section 24).
 *
 * @param sent      frames that were offered to the device.
 * @param received  frames that the device has forwarded.
 * @param missed    frames that the device has forwarded and the tester has lost, as its receive ring was full.
 * @param elapsedNs time in which they were sent.
 * @param latencies of the received frames in nanoseconds.
 */
record Trial(long sent, long received, long missed, long elapsedNs, Histogram latencies)
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
        return (received + missed) * SECOND_NS / elapsedNs;
    }

    /** Returns the share of the frames that the device has lost, 0 to 1. */
    double lossRate()
    {
        return sent == 0 ? 0 : (double)Math.max(0, sent - received - missed) / sent;
    }
}
