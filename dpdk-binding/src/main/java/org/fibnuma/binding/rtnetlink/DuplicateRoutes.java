package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.kernel.KernelRoute;

import java.util.HashSet;
import java.util.Set;

/**
 * Routes that share prefix, table and metric ({@code ip route append} and {@code prepend}): the kernel uses the first
 * and lists them in this order, but its notifications do not tell which is first after a change.
 */
final class DuplicateRoutes
{
    private final Set<Key> duplicates = new HashSet<>();
    private KernelRoute previous;
    private boolean told;

    /** A list of all routes begins. */
    void onListStart()
    {
        duplicates.clear();
        previous = null;
        told = false;
    }

    /**
     * The next route of the list.
     *
     * @param route as listed.
     * @param dead  whether the kernel passes it over.
     * @return true where it is the one that the kernel uses among those with its prefix, table and metric.
     */
    boolean isFirst(final KernelRoute route, final boolean dead)
    {
        if (previous != null && sameKey(previous, route))
        {
            add(route);
        }
        else
        {
            told = false;
        }
        previous = route;
        final boolean first = !dead && !told;
        told |= first;
        return first;
    }

    /**
     * Remembers that there are others beside a route.
     *
     * @param route one of them.
     */
    void add(final KernelRoute route)
    {
        duplicates.add(key(route));
    }

    /**
     * Whether there are, or were, others beside a route.
     *
     * @param route any.
     * @return true where only a new list tells which one counts.
     */
    boolean contains(final KernelRoute route)
    {
        return !duplicates.isEmpty() && duplicates.contains(key(route));
    }

    private static boolean sameKey(final KernelRoute one, final KernelRoute other)
    {
        return one.prefix() == other.prefix() && one.prefixLength() == other.prefixLength() &&
            one.table() == other.table() && one.metric() == other.metric();
    }

    private static Key key(final KernelRoute route)
    {
        return new Key(route.prefix(), route.prefixLength(), route.table(), route.metric());
    }

    private record Key(int prefix, int prefixLength, int table, int metric)
    {
    }
}
