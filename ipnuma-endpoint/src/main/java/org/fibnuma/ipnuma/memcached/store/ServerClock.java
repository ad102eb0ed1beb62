package org.fibnuma.ipnuma.memcached.store;

import java.util.function.LongSupplier;

/**
 * Seconds since shortly before the start, as memcached counts them, so that an expiry in the past is more than 0. Read
 * by one thread at a time.
 */
public final class ServerClock
{
    /** Maximum expiry that is a duration, 30 days. A greater number is a Unix time. */
    public static final int MAX_RELATIVE_SECONDS = 60 * 60 * 24 * 30;

    private static final long MILLISECONDS = 1000;
    private static final int START = 62;
    /** A second that had passed before the start: expired at once. */
    private static final int PASSED = 1;

    private final LongSupplier unixSeconds;
    private final long origin;

    /** Starts a clock whose source returns the Unix time in seconds. */
    public ServerClock(final LongSupplier unixSeconds)
    {
        this.unixSeconds = unixSeconds;
        this.origin = unixSeconds.getAsLong() - START;
    }

    /** Returns a clock of the system time. */
    public static ServerClock system()
    {
        return new ServerClock(() -> System.currentTimeMillis() / MILLISECONDS);
    }

    /** Returns the current second, at least 1. */
    public int now()
    {
        return (int)Math.max(PASSED, unixSeconds.getAsLong() - origin);
    }

    /** Returns the Unix time in seconds. */
    public long unixSeconds()
    {
        return unixSeconds.getAsLong();
    }

    /** Returns the seconds since the start. */
    public int uptime()
    {
        return now() - START;
    }

    /**
     * Converts the expiry of a command to a second of this clock.
     *
     * @param exptime 0 for never, up to 30 days from now on, more for a Unix time; negative: at once.
     * @return 0 for never.
     */
    public int expiry(final int exptime)
    {
        if (exptime == 0)
        {
            return 0;
        }
        if (exptime < 0)
        {
            return PASSED;
        }
        if (exptime <= MAX_RELATIVE_SECONDS)
        {
            return now() + exptime;
        }
        return (int)Math.max(PASSED, exptime - origin);
    }
}
