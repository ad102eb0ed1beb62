package org.fibnuma.core.agent;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** Idle strategies by their names in a configuration. */
public final class IdleStrategies
{
    /** Spins: lowest latency, occupies a core. */
    public static final String BUSY = "busy";
    /** Yields the core to other threads between duty cycles. */
    public static final String YIELD = "yield";
    /** Spins, yields, then sleeps up to {@link #MAX_PARK_US}, so that an idle router needs little CPU time. */
    public static final String BACKOFF = "backoff";

    /** All names, in order of decreasing CPU use. */
    public static final List<String> NAMES = List.of(BUSY, YIELD, BACKOFF);

    /** System property with {@link #MAX_PARK_US}, at least 1, for tests in which many idle routers share few cores. */
    public static final String MAX_PARK_PROPERTY = "fibnuma.backoff.us";

    /**
     * Longest sleep of {@link #BACKOFF} in us. The default, 100, is below noticeable latency (1 ms) and far above the
     * cost of a wake-up.
     */
    public static final long MAX_PARK_US = Math.max(1, Long.getLong(MAX_PARK_PROPERTY, 100));

    /** Time in us by which the kernel may delay a wake-up (timer slack, prctl(2)). */
    private static final long TIMER_SLACK_US = 50;

    private static final int MAX_SPINS = 100;
    private static final int MAX_YIELDS = 100;

    private IdleStrategies()
    {
    }

    /**
     * Makes the idle strategy of a name, for one thread.
     *
     * @throws IllegalArgumentException with all names if the name is unknown.
     */
    public static IdleStrategy of(final String name)
    {
        return switch (name)
        {
            case BUSY -> new BusySpinIdleStrategy();
            case YIELD -> new YieldingIdleStrategy();
            case BACKOFF -> new BackoffIdleStrategy(
                MAX_SPINS, MAX_YIELDS,
                TimeUnit.MICROSECONDS.toNanos(1), TimeUnit.MICROSECONDS.toNanos(MAX_PARK_US));
            default -> throw new IllegalArgumentException(
                "unknown idle strategy \"" + name + "\"; one of " + String.join(", ", NAMES));
        };
    }

    /** Returns the longest sleep between two duty cycles of a strategy in ns; 0 if it never sleeps. */
    public static long longestSleepNs(final String name)
    {
        return BACKOFF.equals(name) ? TimeUnit.MICROSECONDS.toNanos(MAX_PARK_US + TIMER_SLACK_US) : 0;
    }
}
