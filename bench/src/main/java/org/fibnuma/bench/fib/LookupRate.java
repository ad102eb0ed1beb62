package org.fibnuma.bench.fib;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Measures the lookups per second of one thread: the median of several runs after a warm-up. */
final class LookupRate
{
    private static final int RUNS = 9;
    private static final int WARM_UP_RUNS = 4;

    private final int lookupsOfPass;
    private final long runNs;
    private long checksum;

    /** Creates the measurement. A run lasts {@code runMs}, or one pass if that takes longer. */
    LookupRate(final int lookupsOfPass, final int runMs)
    {
        this.lookupsOfPass = lookupsOfPass;
        this.runNs = TimeUnit.MILLISECONDS.toNanos(runMs);
    }

    /** Returns the lookups per second of a pass, which returns a sum of its results. */
    double median(final LongSupplier pass)
    {
        rate(pass, WARM_UP_RUNS * runNs);
        final double[] rates = new double[RUNS];
        Arrays.setAll(rates, run -> rate(pass, runNs));
        Arrays.sort(rates);
        return rates[RUNS / 2];
    }

    private double rate(final LongSupplier pass, final long nanoseconds)
    {
        final long start = System.nanoTime();
        long lookups = 0;
        long elapsed = 0;
        while (elapsed < nanoseconds)
        {
            checksum += pass.getAsLong();
            lookups += lookupsOfPass;
            elapsed = System.nanoTime() - start;
        }
        return lookups * 1e9 / elapsed;
    }
}
