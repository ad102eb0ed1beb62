package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_APPEND;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_CREATE;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_EXCL;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_REPLACE;

/**
 * Tracks IPv4 routes with the same prefix, table and metric ({@code ip route append} and {@code prepend}) in the
 * kernel's order; the kernel uses the first one. A list of all routes has this order. The flags of a notification give
 * the position of its route among the others (fib_table_insert, net/ipv4/fib_trie.c).
 */
final class DuplicateRoutes
{
    /** The effect of a notification on the route in use. */
    enum Effect
    {
        /** The route of the notification is, or was, the route that the kernel uses. */
        ROUTE,
        /** No effect: the kernel uses another route. */
        NOTHING,
        /** The kernel uses {@link #first()} from now on. */
        FIRST,
        /** The route in use is unknown until all routes are read again. */
        UNKNOWN
    }

    /** Placeholder for the route that existed before the others were added, whose values are not stored. */
    private static final KernelRoute EARLIER = new KernelRoute(0, 0, 0, 0, KernelRoute.Kind.OTHER, 0, 0);

    /** Marks routes that are not tracked, because one has several next hops or is unused by the kernel. */
    private static final List<KernelRoute> NOT_FOLLOWED = List.of();

    private final Previous previous = new Previous();
    private Map<Identity, List<KernelRoute>> alternatives = new HashMap<>();
    private Map<Identity, List<KernelRoute>> listed = new HashMap<>();
    private boolean firstFound;
    private KernelRoute first;

    /** Starts a list of all routes. The previous state remains valid until {@link #onListEnd()}. */
    void onListStart()
    {
        listed.clear();
        previous.present = false;
        firstFound = false;
    }

    void onListEnd()
    {
        final Map<Identity, List<KernelRoute>> before = alternatives;
        alternatives = listed;
        listed = before;
        previous.present = false;
        listed.clear();
    }

    /**
     * Handles the next route of the list.
     *
     * @param route as listed.
     * @param dead  whether the kernel does not use the route.
     * @param plain whether the route has at most one next hop, given in the route itself.
     * @return true if the kernel uses this route among those with the same prefix, table and metric.
     */
    boolean isFirst(final KernelRouteView route, final boolean dead, final boolean plain)
    {
        final boolean follows = plain && !dead;
        if (isPrevious(route))
        {
            add(route, follows);
        }
        else
        {
            firstFound = false;
        }
        previous.set(route, follows);
        final boolean isFirst = !dead && !firstFound;
        firstFound |= isFirst;
        return isFirst;
    }

    /**
     * Handles a route that was added or replaced.
     *
     * @param route   its new state.
     * @param flags   of the notification.
     * @param follows whether the position of the route can be tracked: it has at most one next hop, the kernel uses all
     *                routes, and no list is being read.
     */
    Effect onNew(final KernelRouteView route, final int flags, final boolean follows)
    {
        final boolean beside = isBesideAnother(flags);
        if (!beside && !contains(route))
        {
            return Effect.ROUTE;
        }
        final Identity identity = Identity.of(route);
        final List<KernelRoute> routes = alternatives.computeIfAbsent(identity, i -> new ArrayList<>(List.of(EARLIER)));
        if (!follows || routes.isEmpty())
        {
            alternatives.put(identity, NOT_FOLLOWED);
            return Effect.UNKNOWN;
        }
        if ((flags & NLM_F_APPEND) != 0)
        {
            routes.add(route.copy());
            return Effect.NOTHING;
        }
        if ((flags & NLM_F_REPLACE) != 0)
        {
            routes.set(0, route.copy());
        }
        else if ((flags & NLM_F_EXCL) != 0)
        {
            alternatives.remove(identity);
        }
        else
        {
            routes.add(0, route.copy());
        }
        return Effect.ROUTE;
    }

    /**
     * Handles a route that was removed.
     *
     * @param route   its last state.
     * @param follows as for {@link #onNew}.
     */
    Effect onDeleted(final KernelRouteView route, final boolean follows)
    {
        if (!contains(route))
        {
            return isPrevious(route) ? Effect.UNKNOWN : Effect.ROUTE;
        }
        final Identity identity = Identity.of(route);
        final List<KernelRoute> routes = alternatives.getOrDefault(identity, NOT_FOLLOWED);
        final int index = follows ? indexOf(route.copy(), routes) : -1;
        if (index < 0)
        {
            alternatives.put(identity, NOT_FOLLOWED);
            return Effect.UNKNOWN;
        }
        routes.remove(index);
        first = routes.get(0);
        if (index == 0 && first == EARLIER)
        {
            alternatives.put(identity, NOT_FOLLOWED);
            return Effect.UNKNOWN;
        }
        if (routes.size() == 1)
        {
            alternatives.remove(identity);
        }
        return index == 0 ? Effect.FIRST : Effect.NOTHING;
    }

    /** Returns the route that replaces the removed one; valid only after {@link Effect#FIRST}. */
    KernelRoute first()
    {
        return first;
    }

    /** Returns whether the list continues after such a route, perhaps with others of the same identity. */
    private boolean isPrevious(final KernelRouteView route)
    {
        return previous.present && previous.hasIdentityOf(route);
    }

    private boolean contains(final KernelRouteView route)
    {
        if (alternatives.isEmpty() && listed.isEmpty())
        {
            return false;
        }
        final Identity identity = Identity.of(route);
        return alternatives.containsKey(identity) || listed.containsKey(identity);
    }

    private void add(final KernelRouteView route, final boolean follows)
    {
        final Identity identity = Identity.of(route);
        final List<KernelRoute> routes = listed.computeIfAbsent(
            identity, i -> previous.follows ? new ArrayList<>(List.of(previous.copy())) : NOT_FOLLOWED);
        if (follows && !routes.isEmpty())
        {
            routes.add(route.copy());
        }
        else
        {
            listed.put(identity, NOT_FOLLOWED);
        }
    }

    /** Returns the index of the removed route; below 0 if more than one route matches. */
    private static int indexOf(final KernelRoute route, final List<KernelRoute> routes)
    {
        final int index = routes.indexOf(route);
        final int earlier = routes.indexOf(EARLIER);
        if (index < 0)
        {
            return earlier;
        }
        // Routes that differ only in fields that are not decoded, such as the protocol, are equal here.
        return routes.lastIndexOf(route) != index || earlier >= 0 && routes.size() > 2 ? -1 : index;
    }

    // The kernel marks the only route with its prefix, table and metric as exclusive (fib_table_insert).
    private static boolean isBesideAnother(final int flags)
    {
        return (flags & NLM_F_APPEND) != 0 || (flags & (NLM_F_CREATE | NLM_F_EXCL | NLM_F_REPLACE)) == NLM_F_CREATE;
    }

    /**
     * The common properties of alternative routes.
     *
     * @param ipv6         whether the prefix is IPv6.
     * @param prefixHigh   as {@link KernelRouteView#prefixHigh}.
     * @param prefixLow    as {@link KernelRouteView#prefixLow}.
     * @param prefixLength 0 to 32 or 0 to 128.
     * @param table        number of the table.
     * @param metric       unsigned.
     */
    record Identity(boolean ipv6, long prefixHigh, long prefixLow, int prefixLength, int table, int metric)
    {
        static Identity of(final KernelRouteView route)
        {
            return new Identity(route.isIpv6(), route.prefixHigh(), route.prefixLow(), route.prefixLength(),
                route.table(), route.metric());
        }
    }

    /** The previous route of the list, reused to avoid an object for each route. */
    private static final class Previous extends RouteFields
    {
        private boolean present;
        private boolean follows;

        void set(final KernelRouteView route, final boolean isFollowed)
        {
            present = true;
            follows = isFollowed;
            set(route);
        }
    }
}
