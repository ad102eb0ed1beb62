package org.fibnuma.bench.fib;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.fibnic.fib.Ipv4Fib;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Measures the lookups per second of one thread: the median of several runs after a warm-up. */
final class LookupRate implements AutoCloseable
{
    private static final int RUNS = 9;
    private static final int WARM_UP_RUNS = 4;

    private final Ipv4Fib fib;
    private final int[] destinations;
    private final long runNs;
    private final DestinationBatch batch = new DestinationBatch();
    private long checksum;

    /**
     * Creates the measurement. The number of destinations is a multiple of {@link DestinationBatch#SIZE}; a run lasts
     * {@code runMs}, or one pass if that takes longer.
     */
    LookupRate(final Ipv4Fib fib, final int[] destinations, final int runMs)
    {
        this.fib = fib;
        this.runNs = TimeUnit.MILLISECONDS.toNanos(runMs);
        this.destinations = destinations;
    }

    /** Returns the lookups per second of full batches through {@link Ipv4Fib#lookup(FrameBatch, int, int)}. */
    double ofBatches()
    {
        return median(this::passInBatches);
    }

    /** Returns the lookups per second of {@link Ipv4Fib#lookup(int)}. */
    double ofSingles()
    {
        return median(this::passOneByOne);
    }

    private double median(final LongSupplier pass)
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
            lookups += destinations.length;
            elapsed = System.nanoTime() - start;
        }
        return lookups * 1e9 / elapsed;
    }

    private long passInBatches()
    {
        long sum = 0;
        for (int i = 0; i < destinations.length; i += DestinationBatch.SIZE)
        {
            batch.lookup(fib, destinations, i, i + DestinationBatch.SIZE);
            sum += batch.adjacency(0) + batch.adjacency(DestinationBatch.SIZE - 1);
        }
        return sum;
    }

    private long passOneByOne()
    {
        long sum = 0;
        for (final int destination : destinations)
        {
            sum += fib.lookup(destination);
        }
        return sum;
    }

    @Override
    public void close()
    {
        batch.close();
    }
}
