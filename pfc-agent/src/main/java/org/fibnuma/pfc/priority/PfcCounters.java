package org.fibnuma.pfc.priority;

import org.fibnuma.pfc.wire.MacControl;

/** The counters of one port, for each priority, 0 to 7. For one thread; other threads read the published copies. */
public final class PfcCounters
{
    private final long[] values = new long[MacControl.PRIORITIES * PfcCounter.count()];

    /** Adds an amount, 0 or more, to a counter. */
    public void add(final int priority, final PfcCounter counter, final long amount)
    {
        values[index(priority, counter)] += amount;
    }

    /** Sets a counter to a value that is not below the old one. */
    public void set(final int priority, final PfcCounter counter, final long value)
    {
        values[index(priority, counter)] = value;
    }

    /** {@return the value of a counter} */
    public long get(final int priority, final PfcCounter counter)
    {
        return values[index(priority, counter)];
    }

    private static int index(final int priority, final PfcCounter counter)
    {
        return priority * PfcCounter.count() + counter.id();
    }
}
