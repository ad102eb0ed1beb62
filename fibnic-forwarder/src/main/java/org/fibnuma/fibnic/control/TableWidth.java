package org.fibnuma.fibnic.control;

import org.agrona.concurrent.EpochClock;
import org.fibnuma.fibnic.fib.Ipv4Fib;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Makes the codes of the FIB narrower some time after the next hops that widened them were removed, because a smaller
 * table has fewer cache misses. Control thread.
 */
final class TableWidth
{
    /** Longer than a BGP session takes to restart and to announce its routes again. */
    static final long PATIENCE_MS = TimeUnit.MINUTES.toMillis(5);

    private final Ipv4Fib fib;
    private final EpochClock clock;
    private final Consumer<String> log;
    private boolean wide;
    private long wideSinceMs;

    TableWidth(final Ipv4Fib fib, final EpochClock clock, final Consumer<String> log)
    {
        this.fib = fib;
        this.clock = clock;
        this.log = log;
    }

    /** Checks the width; returns 1 where the table was narrowed. */
    int poll()
    {
        final long nowMs = clock.time();
        if (!fib.isWide())
        {
            wide = false;
            return 0;
        }
        if (!wide)
        {
            wide = true;
            wideSinceMs = nowMs;
        }
        if (nowMs - wideSinceMs < PATIENCE_MS)
        {
            return 0;
        }
        final int before = fib.codeBits();
        fib.compact();
        wide = false;
        log.accept(String.format(Locale.ROOT,
            "table: %d bits a code instead of %d, %d KiB, as fewer next hops are in use",
            fib.codeBits(), before, fib.tableBytes() >> 10));
        return 1;
    }
}
