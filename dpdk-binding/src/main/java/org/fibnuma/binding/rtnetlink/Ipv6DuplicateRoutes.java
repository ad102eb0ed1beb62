package org.fibnuma.binding.rtnetlink;

import org.fibnuma.binding.rtnetlink.DuplicateRoutes.Effect;
import org.fibnuma.binding.rtnetlink.DuplicateRoutes.Identity;
import org.fibnuma.core.kernel.KernelRouteView;

import java.util.HashMap;
import java.util.Map;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_APPEND;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_EXCL;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_REPLACE;

/**
 * Tracks IPv6 prefixes that have several routes or next hops with the same table and metric. The kernel makes one route
 * of those that have gateways. It reports that route with all next hops when one is added, but the removal of a single
 * next hop without the others. Routes without gateways, such as the connected networks of two interfaces, stay
 * separate; so do default routes of router advertisements. A new one follows the others. The kernel of a forwarding
 * host uses the first of those with the highest preference (RFC 4191 section 2.1; fib6_add_rt2node in
 * net/ipv6/ip6_fib.c, rt6_score_route in net/ipv6/route.c). Without forwarding it would also leave out unreachable
 * routers.
 */
final class Ipv6DuplicateRoutes
{
    private enum Several
    {
        NEXT_HOPS, ROUTES
    }

    /** Preference below all others. */
    private static final int NONE = Integer.MIN_VALUE;

    private final Previous previous = new Previous();
    private Map<Identity, Several> current = new HashMap<>();
    private Map<Identity, Several> listed = new HashMap<>();

    /** Starts a list of all routes. The previous state remains valid until {@link #onListEnd()}. */
    void onListStart()
    {
        listed.clear();
        previous.present = false;
    }

    /** Starts the list again, because it may be incomplete. Its routes so far remain. */
    void onListAgain()
    {
        previous.present = false;
    }

    void onListEnd()
    {
        final Map<Identity, Several> before = current;
        current = listed;
        listed = before;
        previous.present = false;
        listed.clear();
    }

    /**
     * Handles the next route of the list.
     *
     * @param route      as listed.
     * @param dead       whether the kernel does not use the route.
     * @param multipath  whether the route has several next hops that are given in the route itself.
     * @param preference as {@link RouteDecoder#preference}.
     * @return true if the kernel would use this route among those listed so far with the same prefix, table and metric.
     */
    boolean isBest(
        final KernelRouteView route, final boolean dead, final boolean multipath, final int preference)
    {
        final boolean separate = isPrevious(route);
        if (separate || multipath || preference != 0)
        {
            listed.merge(
                Identity.of(route), separate || preference != 0 ? Several.ROUTES : Several.NEXT_HOPS,
                Ipv6DuplicateRoutes::both);
        }
        final int best = separate ? previous.best : NONE;
        final boolean isBest = !dead && preference > best;
        previous.best = isBest ? preference : best;
        previous.present = true;
        previous.set(route);
        return isBest;
    }

    /**
     * Handles a route that was added or replaced.
     *
     * @param route      its new state.
     * @param flags      of the notification.
     * @param multipath  as for {@link #isBest}.
     * @param preference as for {@link #isBest}.
     */
    Effect onNew(
        final KernelRouteView route, final int flags, final boolean multipath, final int preference)
    {
        final boolean alone = (flags & NLM_F_EXCL) != 0;
        if (!multipath && preference == 0 && (alone || (flags & NLM_F_REPLACE) != 0) &&
            current.isEmpty() && listed.isEmpty())
        {
            return Effect.ROUTE;
        }
        final Identity identity = Identity.of(route);
        if (alone)
        {
            remove(identity);
            if (preference != 0)
            {
                // The kernel may prefer the next one beside it.
                put(identity, Several.ROUTES);
            }
            return Effect.ROUTE;
        }
        final Several several = get(identity);
        // Next hops appended to a route without a gateway are a separate route after it.
        if (several == Several.ROUTES || several == null && multipath && (flags & NLM_F_APPEND) != 0 ||
            several == null && preference != 0)
        {
            return Effect.UNKNOWN;
        }
        if (multipath)
        {
            put(identity, Several.NEXT_HOPS);
            return Effect.ROUTE;
        }
        if ((flags & NLM_F_REPLACE) != 0)
        {
            remove(identity);
            return Effect.ROUTE;
        }
        put(identity, Several.ROUTES);
        return Effect.NOTHING;
    }

    /**
     * Handles a route that was removed.
     *
     * @param route     its last state.
     * @param multipath as for {@link #isBest}.
     */
    Effect onDeleted(final KernelRouteView route, final boolean multipath)
    {
        if (isPrevious(route))
        {
            return Effect.UNKNOWN;
        }
        if (current.isEmpty() && listed.isEmpty())
        {
            return Effect.ROUTE;
        }
        final Identity identity = Identity.of(route);
        final Several several = get(identity);
        if (several == null || several == Several.NEXT_HOPS && multipath)
        {
            remove(identity);
            return Effect.ROUTE;
        }
        return Effect.UNKNOWN;
    }

    /** Returns whether the list continues after such a route, perhaps with others of the same identity. */
    private boolean isPrevious(final KernelRouteView route)
    {
        return previous.present && previous.hasIdentityOf(route);
    }

    private Several get(final Identity identity)
    {
        final Several known = current.get(identity);
        return known == null ? listed.get(identity) : known;
    }

    private void put(final Identity identity, final Several several)
    {
        current.put(identity, several);
        listed.merge(identity, several, Ipv6DuplicateRoutes::both);
    }

    private void remove(final Identity identity)
    {
        current.remove(identity);
        listed.remove(identity);
    }

    private static Several both(final Several one, final Several other)
    {
        return one == Several.ROUTES ? one : other;
    }

    /** The previous route of the list, reused to avoid an object for each route. */
    private static final class Previous extends RouteFields
    {
        private boolean present;
        private int best;
    }
}
