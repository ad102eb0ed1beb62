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
 * Routes that share prefix, table and metric ({@code ip route append} and {@code prepend}), in the kernel's order: it
 * uses the first. A list of all routes has them in this order; a notification tells by its flags where the kernel has
 * put a route among the others (fib_table_insert, net/ipv4/fib_trie.c).
 */
final class DuplicateRoutes
{
    /** What a notification changes. */
    enum Effect
    {
        /** What it says: the route is, or was, the one that the kernel uses. */
        ROUTE,
        /** Nothing: another route is ahead. */
        NOTHING,
        /** {@link #first()} is used from now on. */
        FIRST,
        /** Only a new list tells which route is used. */
        UNKNOWN
    }

    /** Stands in a list for the route that was there before the others came: only the listener knows it. */
    private static final KernelRoute EARLIER = new KernelRoute(0, 0, 0, 0, KernelRoute.Kind.OTHER, 0, 0);

    /** Alternatives of which one has several next hops or is passed over: not followed. */
    private static final List<KernelRoute> NOT_FOLLOWED = List.of();

    private final Previous previous = new Previous();
    private Map<Identity, List<KernelRoute>> alternatives = new HashMap<>();
    private Map<Identity, List<KernelRoute>> listed = new HashMap<>();
    private boolean told;
    private KernelRoute first;

    /** A list of all routes begins; what is known remains until it ends. */
    void onListStart()
    {
        listed.clear();
        previous.present = false;
        told = false;
    }

    /** The list is complete. */
    void onListEnd()
    {
        final Map<Identity, List<KernelRoute>> before = alternatives;
        alternatives = listed;
        listed = before;
        listed.clear();
    }

    /**
     * The next route of the list.
     *
     * @param route as listed.
     * @param dead  whether the kernel passes it over.
     * @param plain whether it has one next hop at most, spelled out.
     * @return true where it is the one that the kernel uses among those with its prefix, table and metric.
     */
    boolean isFirst(final KernelRouteView route, final boolean dead, final boolean plain)
    {
        final boolean follows = plain && !dead;
        if (previous.hasIdentityOf(route))
        {
            add(route, follows);
        }
        else
        {
            told = false;
        }
        previous.set(route, follows);
        final boolean isFirst = !dead && !told;
        told |= isFirst;
        return isFirst;
    }

    /**
     * A route was added or replaced.
     *
     * @param route   as it is now.
     * @param flags   of the notification.
     * @param follows whether its place tells what the kernel does with it: it has one next hop at most and the kernel
     *                passes no route over, nor is a list being read.
     * @return what changes with it.
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
     * A route was removed.
     *
     * @param route   as it was.
     * @param follows as for {@link #onNew}.
     * @return what changes with it.
     */
    Effect onDeleted(final KernelRouteView route, final boolean follows)
    {
        if (!contains(route))
        {
            return Effect.ROUTE;
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

    /**
     * The route that took the place of one that was removed.
     *
     * @return means something after {@link Effect#FIRST} only.
     */
    KernelRoute first()
    {
        return first;
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

    /** Which of some routes was removed; below 0 where that may be one or another. */
    private static int indexOf(final KernelRoute route, final List<KernelRoute> routes)
    {
        final int index = routes.indexOf(route);
        final int earlier = routes.indexOf(EARLIER);
        if (index < 0)
        {
            return earlier;
        }
        // Routes that differ in what we do not read, such as the protocol, look alike here.
        return routes.lastIndexOf(route) != index || earlier >= 0 && routes.size() > 2 ? -1 : index;
    }

    // The kernel marks a route that is alone with its prefix, table and metric as exclusive (fib_table_insert).
    private static boolean isBesideAnother(final int flags)
    {
        return (flags & NLM_F_APPEND) != 0 || (flags & (NLM_F_CREATE | NLM_F_EXCL | NLM_F_REPLACE)) == NLM_F_CREATE;
    }

    /**
     * What makes two routes of the kernel alternatives to each other, of which it uses the first.
     *
     * @param prefix       address.
     * @param prefixLength 0 to 32.
     * @param table        main or local.
     * @param metric       unsigned.
     */
    record Identity(int prefix, int prefixLength, int table, int metric)
    {
        static Identity of(final KernelRouteView route)
        {
            return new Identity(route.prefix(), route.prefixLength(), route.table(), route.metric());
        }
    }

    /** The route of the list before this one, without an object for each. */
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

        boolean hasIdentityOf(final KernelRouteView route)
        {
            return present && prefix == route.prefix() && prefixLength == route.prefixLength() &&
                table == route.table() && metric == route.metric();
        }
    }
}
