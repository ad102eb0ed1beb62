package org.fibnuma.fabric.sonic;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The routes of a switch that concern the subnets of hosts, by prefix. */
final class SwitchRoutes
{
    private final String source;
    private final Map<IpPrefix, List<Hop>> routes = new HashMap<>();

    /**
     * One next hop.
     *
     * @param interfaceName null if only the address is known.
     * @param via           address of the next router; null if the subnet is connected to the interface.
     */
    record Hop(String interfaceName, IpAddress via)
    {
    }

    /** Creates an empty table. The source describes for the report where the routes come from. */
    SwitchRoutes(final String source)
    {
        this.source = source;
    }

    String source()
    {
        return source;
    }

    /**
     * Adds a route with next hops, all of which are used; none if it discards. Returns false if the prefix has a route
     * already.
     */
    boolean add(final IpPrefix prefix, final List<Hop> hops)
    {
        return routes.putIfAbsent(prefix, List.copyOf(hops)) == null;
    }

    Set<IpPrefix> prefixes()
    {
        return routes.keySet();
    }

    /** {@return the longest prefix with a route that covers a destination, or null} */
    IpPrefix longest(final IpPrefix destination)
    {
        for (int length = destination.length(); length >= 0; length--)
        {
            final IpPrefix prefix = truncated(destination, length);
            if (routes.containsKey(prefix))
            {
                return prefix;
            }
        }
        return null;
    }

    /** {@return the next hops of a prefix that has a route} */
    List<Hop> hops(final IpPrefix prefix)
    {
        return routes.get(prefix);
    }

    /** {@return the prefix of a length that covers a longer one} */
    static IpPrefix truncated(final IpPrefix prefix, final int length)
    {
        return prefix.isIpv6() ? IpPrefix.of(prefix.high(), prefix.low(), length) : IpPrefix.of(prefix.ipv4(), length);
    }
}
