package org.fibnuma.bench.differential;

import org.fibnuma.core.UserException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Takes commands and packets away from a scenario as long as its difference remains. Delta debugging: halves first,
 * then ever smaller parts (Zeller, Hildebrandt: Simplifying and isolating failure-inducing input, 2002).
 */
final class Shrinker
{
    private final long deadlineNs;

    /** @param seconds longest time to shrink a scenario. */
    Shrinker(final int seconds)
    {
        deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    /**
     * Returns the smallest scenario found with the difference, or null if the difference does not appear in new labs.
     */
    Scenario shrink(final Scenario scenario)
    {
        final Scenario early = new Scenario(scenario.commands(), List.of(), scenario.packets());
        Scenario smallest = early;
        if (!differs(early))
        {
            if (scenario.during().isEmpty() || !differs(scenario))
            {
                return null;
            }
            smallest = new Scenario(scenario.before(), less(scenario.during(), during ->
                differs(new Scenario(scenario.before(), during, scenario.packets()))), scenario.packets());
        }
        final Scenario first = smallest;
        smallest = new Scenario(less(first.before(), before ->
            differs(new Scenario(before, first.during(), first.packets()))), first.during(), first.packets());
        final Scenario second = smallest;
        return new Scenario(second.before(), second.during(), less(second.packets(), packets ->
            differs(new Scenario(second.before(), second.during(), packets))));
    }

    /** Returns the fewest items found, at least one, of which a predicate still holds. */
    <T> List<T> less(final List<T> items, final Predicate<List<T>> differs)
    {
        List<T> smallest = items;
        for (int part = (items.size() + 1) / 2; part > 0; part = part == 1 ? 0 : (part + 1) / 2)
        {
            int from = 0;
            while (from < smallest.size() && smallest.size() > 1)
            {
                final List<T> fewer = new ArrayList<>(smallest.subList(0, from));
                fewer.addAll(smallest.subList(Math.min(from + part, smallest.size()), smallest.size()));
                if (System.nanoTime() - deadlineNs < 0 && differs.test(fewer))
                {
                    smallest = fewer;
                }
                else
                {
                    from += part;
                }
            }
        }
        return smallest;
    }

    private static boolean differs(final Scenario scenario)
    {
        try
        {
            return !scenario.packets().isEmpty() && !scenario.run().isEqual();
        }
        catch (final UserException ex)
        {
            // With these commands the router does not start, or the labs do not agree about a command.
            return false;
        }
    }
}
