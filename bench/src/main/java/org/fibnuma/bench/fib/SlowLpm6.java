package org.fibnuma.bench.fib;

import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;

import java.util.HashMap;
import java.util.Map;

/**
 * Longest-prefix match of IPv6 with one hash table, from the longest length: slow, and independent of the FIB that it
 * is compared with.
 */
final class SlowLpm6
{
    private final Map<Ipv6Prefix, Integer> adjacencyByPrefix = new HashMap<>();
    private final int[] routesOfLength = new int[Ipv6Address.BITS + 1];

    /** Adds or replaces a route, or removes it if the adjacency is 0. */
    void change(final Ipv6Prefix prefix, final int adjacency)
    {
        final boolean present = adjacency == 0 ?
            adjacencyByPrefix.remove(prefix) != null : adjacencyByPrefix.put(prefix, adjacency) != null;
        routesOfLength[prefix.length()] += (adjacency == 0 ? 0 : 1) - (present ? 1 : 0);
    }

    int lookup(final long high, final long low)
    {
        final int length = longestMatch(high, low, Ipv6Address.BITS);
        return length < 0 ? 0 : adjacencyByPrefix.get(Ipv6Prefix.of(high, low, length));
    }

    /** Returns the length of the longest prefix up to a length that covers an address, or -1. */
    int longestMatch(final long high, final long low, final int longest)
    {
        int length = longest;
        while (length >= 0 &&
            (routesOfLength[length] == 0 || !adjacencyByPrefix.containsKey(Ipv6Prefix.of(high, low, length))))
        {
            length--;
        }
        return length;
    }
}
