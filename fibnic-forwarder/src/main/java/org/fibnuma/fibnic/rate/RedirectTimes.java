package org.fibnuma.fibnic.rate;

import org.agrona.concurrent.NanoClock;

import java.util.concurrent.TimeUnit;

/**
 * The times of the last redirects, so that each pair of sender and destination gets at most one per second. A pair
 * whose entry another pair has taken may get its next redirect sooner.
 */
public final class RedirectTimes
{
    /** Time between two redirects for a pair, in nanoseconds. */
    public static final long REPEAT_NS = TimeUnit.SECONDS.toNanos(1);

    private static final int PLACE_BITS = 8;
    /** 2^64 divided by the golden ratio (Knuth, volume 3, section 6.4). */
    private static final long HASH_FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private final NanoClock clock;
    private final long[] pairs = new long[1 << PLACE_BITS];
    private final long[] sentNs = new long[1 << PLACE_BITS];

    /** Takes the clock of the worker; no redirect was sent yet. */
    public RedirectTimes(final NanoClock clock)
    {
        this.clock = clock;
    }

    /** Returns whether a redirect for a pair was sent less than a second ago. */
    public boolean wasSentLately(final long pair)
    {
        final int place = place(pair);
        return pairs[place] == pair && clock.nanoTime() - sentNs[place] < REPEAT_NS;
    }

    /** Stores that a redirect for a pair is sent now. */
    public void sent(final long pair)
    {
        pairs[place(pair)] = pair;
        sentNs[place(pair)] = clock.nanoTime();
    }

    /** Returns the number of a pair of IPv4 addresses. */
    public static long pair(final int sender, final int destination)
    {
        return (long)sender << Integer.SIZE | destination & 0xFFFF_FFFFL;
    }

    /** Returns a number for a pair of IPv6 addresses, by which few pairs are confused. */
    public static long pair(final long senderHigh, final long senderLow, final long high, final long low)
    {
        long mixed = senderHigh;
        mixed = Long.rotateLeft(mixed * HASH_FACTOR, Integer.SIZE) ^ senderLow;
        mixed = Long.rotateLeft(mixed * HASH_FACTOR, Integer.SIZE) ^ high;
        return Long.rotateLeft(mixed * HASH_FACTOR, Integer.SIZE) ^ low;
    }

    private static int place(final long pair)
    {
        return (int)(pair * HASH_FACTOR >>> Long.SIZE - PLACE_BITS);
    }
}
