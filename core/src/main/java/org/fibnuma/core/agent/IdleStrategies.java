package org.fibnuma.core.agent;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** The ways of waiting that a configuration can name. */
public final class IdleStrategies
{
    /** Spins: lowest latency, a core of its own. */
    public static final String BUSY = "busy";
    /** Gives the core to whoever wants it between two looks. */
    public static final String YIELD = "yield";
    /** Spins, yields, then sleeps up to {@link #MAX_PARK_US}: an idle router costs next to nothing. */
    public static final String BACKOFF = "backoff";

    /** All of them, the most eager first. */
    public static final List<String> NAMES = List.of(BUSY, YIELD, BACKOFF);

    /** Longest sleep of {@link #BACKOFF}: well below the 1 ms that people notice, far above a wake-up's cost. */
    public static final long MAX_PARK_US = 100;

    /** The kernel wakes a sleeping thread up to this much later than it asked (timer slack, prctl(2)). */
    private static final long TIMER_SLACK_US = 50;

    private static final int MAX_SPINS = 100;
    private static final int MAX_YIELDS = 100;

    private IdleStrategies()
    {
    }

    /**
     * Makes the strategy of a name.
     *
     * @param name {@link #BUSY}, {@link #YIELD} or {@link #BACKOFF}.
     * @return a new one, for one thread.
     * @throws IllegalArgumentException naming the choices for any other name.
     */
    public static IdleStrategy of(final String name)
    {
        switch (name)
        {
            case BUSY:
                return new BusySpinIdleStrategy();
            case YIELD:
                return new YieldingIdleStrategy();
            case BACKOFF:
                return new BackoffIdleStrategy(
                    MAX_SPINS, MAX_YIELDS,
                    TimeUnit.MICROSECONDS.toNanos(1), TimeUnit.MICROSECONDS.toNanos(MAX_PARK_US));
            default:
                throw new IllegalArgumentException(
                    "unknown idle strategy \"" + name + "\"; one of " + String.join(", ", NAMES));
        }
    }

    /**
     * For how long a thread may sleep between two looks.
     *
     * @param name as for {@link #of}.
     * @return in ns; 0 where it never sleeps.
     */
    public static long longestSleepNs(final String name)
    {
        return BACKOFF.equals(name) ? TimeUnit.MICROSECONDS.toNanos(MAX_PARK_US + TIMER_SLACK_US) : 0;
    }
}
