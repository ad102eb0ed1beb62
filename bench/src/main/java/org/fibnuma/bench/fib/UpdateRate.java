package org.fibnuma.bench.fib;

import java.util.Arrays;

/** Measures the route changes per second of one thread. */
final class UpdateRate
{
    private static final int WARM_UP_PASSES = 20;
    private static final int PASSES = 15;

    private UpdateRate()
    {
    }

    /**
     * Measures several passes over a trace, each from the table before the trace.
     *
     * @param changes number of changes of the trace.
     * @param undo    brings the table to the state before the trace.
     * @param apply   applies the trace to the table.
     * @return the median of the changes per second; the trace is applied then.
     */
    static double median(final int changes, final Runnable undo, final Runnable apply)
    {
        final double[] rates = new double[PASSES];
        for (int i = -WARM_UP_PASSES; i < PASSES; i++)
        {
            undo.run();
            final long start = System.nanoTime();
            apply.run();
            rates[Math.max(0, i)] = changes * 1e9 / (System.nanoTime() - start);
        }
        Arrays.sort(rates);
        return rates[PASSES / 2];
    }
}
