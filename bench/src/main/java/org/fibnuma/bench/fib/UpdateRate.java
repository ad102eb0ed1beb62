package org.fibnuma.bench.fib;

import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.routes.RouteList;

import java.util.Arrays;

/**
 * Measures the route changes per second of one thread: the median of several passes over a trace, each from the table
 * before the trace.
 */
final class UpdateRate
{
    private static final int WARM_UP_PASSES = 20;
    private static final int PASSES = 15;

    private final Ipv4Fib fib;
    private final RouteList trace;
    private final int[] adjacencies;
    private final int[] adjacenciesBefore;

    UpdateRate(final Ipv4Fib fib, final RouteList trace, final NextHopNumbering numbering)
    {
        this.fib = fib;
        this.trace = trace;
        this.adjacencies = new int[trace.size()];
        this.adjacenciesBefore = new int[trace.size()];
        for (int i = 0; i < adjacencies.length; i++)
        {
            adjacencies[i] = trace.isWithdrawal(i) ? 0 : numbering.adjacencyOf(trace, i);
            adjacenciesBefore[i] = fib.exact(trace.prefix(i), trace.length(i));
        }
    }

    /** Returns the changes per second; afterwards the trace is applied to the FIB. */
    double measure()
    {
        final double[] rates = new double[PASSES];
        for (int i = -WARM_UP_PASSES; i < PASSES; i++)
        {
            apply(adjacenciesBefore);
            final long start = System.nanoTime();
            apply(adjacencies);
            rates[Math.max(0, i)] = trace.size() * 1e9 / (System.nanoTime() - start);
        }
        Arrays.sort(rates);
        return rates[PASSES / 2];
    }

    /** Applies the same changes to the reference. */
    void applyTo(final SlowLpm reference)
    {
        for (int i = 0; i < adjacencies.length; i++)
        {
            reference.change(trace.prefix(i), trace.length(i), adjacencies[i]);
        }
    }

    private void apply(final int[] wanted)
    {
        for (int i = 0; i < wanted.length; i++)
        {
            if (wanted[i] == 0)
            {
                fib.withdraw(trace.prefix(i), trace.length(i));
            }
            else
            {
                fib.announce(trace.prefix(i), trace.length(i), wanted[i]);
            }
        }
    }
}
