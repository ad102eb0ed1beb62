package org.fibnuma.bench.memif;

import org.HdrHistogram.Histogram;

import java.util.concurrent.TimeUnit;

/**
 * Times at which each frame was due and was received. Afterwards they are compared with the stalls of both threads: a
 * frame is disturbed if a stall overlaps its time, or ended so shortly before that the frames queued during the stall
 * were still in transit. Because both ends are many times faster than the rate, that takes a small part of the stall's
 * length; half of its length is excluded.
 */
final class LatencySamples
{
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int DIGITS = 3;
    private static final int AFTERMATH_DIVISOR = 2;

    private final long[] due;
    private final long[] received;
    private int count;

    LatencySamples(final int capacity)
    {
        due = new long[capacity];
        received = new long[capacity];
    }

    void add(final long dueNs, final long receivedNs)
    {
        if (count < due.length)
        {
            due[count] = dueNs;
            received[count] = receivedNs;
            count++;
        }
    }

    void reset()
    {
        count = 0;
    }

    Histogram all()
    {
        final Histogram histogram = new Histogram(LONGEST_NS, DIGITS);
        for (int i = 0; i < count; i++)
        {
            histogram.recordValue(received[i] - due[i]);
        }
        return histogram;
    }

    /** Frames are in the order in which they were due, and so are stalls: one pass over each is enough. */
    Histogram undisturbed(final StallLog one, final StallLog other)
    {
        final Histogram histogram = new Histogram(LONGEST_NS, DIGITS);
        int first = 0;
        int second = 0;
        for (int i = 0; i < count; i++)
        {
            first = skip(one, first, due[i]);
            second = skip(other, second, due[i]);
            if (!concerns(one, first, received[i]) && !concerns(other, second, received[i]))
            {
                histogram.recordValue(received[i] - due[i]);
            }
        }
        return histogram;
    }

    private static int skip(final StallLog stalls, final int from, final long dueNs)
    {
        int stall = from;
        while (stall < stalls.count() &&
            stalls.end(stall) + (stalls.end(stall) - stalls.start(stall)) / AFTERMATH_DIVISOR < dueNs)
        {
            stall++;
        }
        return stall;
    }

    private static boolean concerns(final StallLog stalls, final int stall, final long receivedNs)
    {
        return stall < stalls.count() && stalls.start(stall) < receivedNs;
    }
}
