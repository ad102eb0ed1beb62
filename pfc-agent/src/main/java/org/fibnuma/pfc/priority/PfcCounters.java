package org.fibnuma.pfc.priority;

import org.fibnuma.pfc.wire.MacControl;

/** The counters of one port, for each priority. Owned by one thread; others read what it has published elsewhere. */
public final class PfcCounters
{
    private final long[] values = new long[MacControl.PRIORITIES * PfcCounter.count()];

    /**
     * Adds to a counter.
     *
     * @param priority 0 to 7.
     * @param counter  to change.
     * @param amount   0 or more.
     */
    public void add(final int priority, final PfcCounter counter, final long amount)
    {
        values[index(priority, counter)] += amount;
    }

    /**
     * Sets a counter that is measured rather than counted.
     *
     * @param priority 0 to 7.
     * @param counter  to change.
     * @param value    not below what it was.
     */
    public void set(final int priority, final PfcCounter counter, final long value)
    {
        values[index(priority, counter)] = value;
    }

    /**
     * Reads a counter.
     *
     * @param priority 0 to 7.
     * @param counter  to read.
     * @return its value.
     */
    public long get(final int priority, final PfcCounter counter)
    {
        return values[index(priority, counter)];
    }

    private static int index(final int priority, final PfcCounter counter)
    {
        return priority * PfcCounter.count() + counter.id();
    }
}
