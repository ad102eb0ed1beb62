package org.fibnuma.fibnic.control;

import org.agrona.concurrent.EpochClock;
import org.fibnuma.fibnic.fib.Ipv4Fib;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Makes the forwarding table narrower again when the next hops that made it wide have been gone for a while: a smaller
 * table misses the cache less. Control thread.
 */
final class TableWidth
{
    /** Longer than a BGP session that has broken takes to come back and to tell its routes again. */
    static final long PATIENCE_MS = TimeUnit.MINUTES.toMillis(5);

    private static final int KIBIBYTE_BITS = 10;

    private final Ipv4Fib fib;
    private final EpochClock clock;
    private final Consumer<String> log;
    private boolean wide;
    private long wideSinceMs;

    /**
     * Nothing is done yet.
     *
     * @param fib   whose control thread this is.
     * @param clock in ms.
     * @param log   takes a line for each change of the width.
     */
    TableWidth(final Ipv4Fib fib, final EpochClock clock, final Consumer<String> log)
    {
        this.fib = fib;
        this.clock = clock;
        this.log = log;
    }

    /** Looks at the table; yields 1 where it was made narrower. */
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
            fib.codeBits(), before, fib.tableBytes() >> KIBIBYTE_BITS));
        return 1;
    }
}
