package org.fibnuma.bench.fib;

import org.agrona.collections.Int2IntHashMap;
import org.fibnuma.core.wire.Ipv4Address;

/**
 * Longest-prefix match with a hash table for each length, from the longest: slow, and independent of the FIB that it is
 * compared with.
 */
final class SlowLpm
{
    private static final int MISSING = 0;
    private static final int LONGEST = 32;

    private final Int2IntHashMap[] adjacencyByPrefix = new Int2IntHashMap[LONGEST + 1];

    SlowLpm()
    {
        for (int i = 0; i <= LONGEST; i++)
        {
            adjacencyByPrefix[i] = new Int2IntHashMap(MISSING);
        }
    }

    /** Adds or replaces a route, or removes it if the adjacency is 0. */
    void change(final int prefix, final int length, final int adjacency)
    {
        if (adjacency == MISSING)
        {
            adjacencyByPrefix[length].remove(prefix);
        }
        else
        {
            adjacencyByPrefix[length].put(prefix, adjacency);
        }
    }

    int lookup(final int destination)
    {
        int adjacency = MISSING;
        for (int length = LONGEST; length >= 0 && adjacency == MISSING; length--)
        {
            adjacency = adjacencyByPrefix[length].get(destination & Ipv4Address.mask(length));
        }
        return adjacency;
    }
}
