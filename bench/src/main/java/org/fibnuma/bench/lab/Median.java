package org.fibnuma.bench.lab;

import java.util.Collection;

/** The median of the rounds of a measurement. */
public final class Median
{
    private Median()
    {
    }

    /**
     * Returns the median of some values.
     *
     * @param values at least one, in any order.
     * @return the middle value, or the mean of the two middle ones of an even number of values.
     */
    public static double of(final Collection<Double> values)
    {
        final double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        final int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
