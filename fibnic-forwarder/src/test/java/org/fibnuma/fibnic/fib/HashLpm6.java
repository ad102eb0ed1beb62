package org.fibnuma.fibnic.fib;

import org.fibnuma.core.wire.Ipv6Prefix;

import java.util.HashMap;
import java.util.Map;

/** Longest-prefix match over a map of routes, by one look into the map for each length that occurs. For full tables. */
final class HashLpm6
{
    private final Map<Ipv6Prefix, Integer> routes = new HashMap<>();
    private final int[] routesOfLength = new int[129];

    Map<Ipv6Prefix, Integer> routes()
    {
        return routes;
    }

    /** Adds or replaces a route, or removes it if the adjacency is 0; returns whether it was there. */
    boolean change(final Ipv6Prefix prefix, final int adjacency)
    {
        final Integer before = adjacency == 0 ? routes.remove(prefix) : routes.put(prefix, adjacency);
        routesOfLength[prefix.length()] += (adjacency == 0 ? 0 : 1) - (before == null ? 0 : 1);
        return before != null;
    }

    int lookup(final long high, final long low)
    {
        int adjacency = 0;
        for (int length = 128; length >= 0 && adjacency == 0; length--)
        {
            if (routesOfLength[length] != 0)
            {
                adjacency = routes.getOrDefault(Ipv6Prefix.of(high, low, length), 0);
            }
        }
        return adjacency;
    }
}
