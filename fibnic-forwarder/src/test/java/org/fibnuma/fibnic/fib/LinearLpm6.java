package org.fibnuma.fibnic.fib;

import org.fibnuma.core.wire.Ipv6Prefix;

import java.util.LinkedHashMap;
import java.util.Map;

/** Longest-prefix match of IPv6 the slow way: every route is compared with every address. */
final class LinearLpm6
{
    private final Map<Ipv6Prefix, Integer> routes = new LinkedHashMap<>();

    Map<Ipv6Prefix, Integer> routes()
    {
        return routes;
    }

    int lookup(final long high, final long low)
    {
        int longest = -1;
        int adjacency = 0;
        for (final Map.Entry<Ipv6Prefix, Integer> route : routes.entrySet())
        {
            final Ipv6Prefix prefix = route.getKey();
            if (prefix.length() > longest && prefix.contains(high, low))
            {
                longest = prefix.length();
                adjacency = route.getValue();
            }
        }
        return adjacency;
    }
}
