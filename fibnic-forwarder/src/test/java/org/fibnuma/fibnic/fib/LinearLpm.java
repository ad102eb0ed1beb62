package org.fibnuma.fibnic.fib;

import org.fibnuma.core.wire.Ipv4Prefix;

import java.util.LinkedHashMap;
import java.util.Map;

/** Longest-prefix match the slow way: every route is looked at for every address. */
final class LinearLpm
{
    private final Map<Ipv4Prefix, Integer> routes = new LinkedHashMap<>();

    Map<Ipv4Prefix, Integer> routes()
    {
        return routes;
    }

    int lookup(final int destination)
    {
        int longest = -1;
        int adjacency = 0;
        for (final Map.Entry<Ipv4Prefix, Integer> route : routes.entrySet())
        {
            final Ipv4Prefix prefix = route.getKey();
            if (prefix.length() > longest && prefix.contains(destination))
            {
                longest = prefix.length();
                adjacency = route.getValue();
            }
        }
        return adjacency;
    }
}
