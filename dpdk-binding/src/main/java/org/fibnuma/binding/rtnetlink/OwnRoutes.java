package org.fibnuma.binding.rtnetlink;

import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.fibnuma.binding.rtnetlink.DuplicateRoutes.Identity;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_EXCL;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_REPLACE;

/**
 * The routes that the kernel made itself for the addresses of interfaces ({@link RouteDecoder#isOwn}), by interface.
 * <p>
 * When an interface goes down, the kernel removes these of its routes: all IPv6 ones and the IPv4 ones that are not
 * local (fib_sync_down_dev in net/ipv4/fib_semantics.c, fib6_ifdown in net/ipv6/route.c, Linux 6.18). It does not
 * notify of the IPv4 ones, nor of the IPv6 ones with net.ipv6.route.skip_notify_on_dev_down. It notifies of those that
 * it makes again when the interface is up. With the last IPv4 address of an interface the kernel removes all its IPv4
 * routes (fib_inetaddr_event in net/ipv4/fib_frontend.c); it does not notify of the local ones of addresses whose
 * primary address was removed before. The records are exact, except for an interface that {@link #isUncertain}.
 */
final class OwnRoutes
{
    private final Int2ObjectHashMap<Set<KernelRoute>> routes = new Int2ObjectHashMap<>();
    private final Map<Identity, List<KernelRoute>> alike = new HashMap<>();
    private final IntHashSet uncertain = new IntHashSet();
    /** Routes that were taken, whose removals the kernel may still notify. */
    private final Int2ObjectHashMap<Set<KernelRoute>> announced = new Int2ObjectHashMap<>();

    /** Removes all records, before a list of all routes. Notifications that are pending remain expected. */
    void clear()
    {
        routes.clear();
        alike.clear();
        uncertain.clear();
    }

    /** Called when pending notifications are discarded: no removal is expected. */
    void onDiscard()
    {
        announced.clear();
    }

    /**
     * Records an own route of a list.
     *
     * @param route as listed.
     * @param again whether the list was read before, so that an equal route is the same one.
     */
    void onListed(final KernelRoute route, final boolean again)
    {
        if (!add(route) && !again)
        {
            uncertain.add(route.interfaceIndex());
        }
    }

    /**
     * Handles a route that was added or replaced.
     *
     * @param route its new state.
     * @param own   whether it is an own route.
     * @param flags of the notification.
     */
    void onNew(final KernelRouteView route, final boolean own, final int flags)
    {
        final boolean replaces = (flags & NLM_F_REPLACE) != 0;
        if (!own && !replaces)
        {
            return;
        }
        final KernelRoute added = route.copy();
        if (replaces)
        {
            // The notification does not say which of those with the same prefix, table and metric is replaced.
            alike.getOrDefault(Identity.of(route), List.of()).stream().filter(other -> !other.equals(added))
                .forEach(other -> uncertain.add(other.interfaceIndex()));
        }
        if (own)
        {
            remove(announced, added);
            if (!add(added) && (flags & (NLM_F_EXCL | NLM_F_REPLACE)) == 0)
            {
                uncertain.add(added.interfaceIndex());
            }
        }
    }

    /**
     * Handles the notification that an own route was removed. Returns false if the route was taken by
     * {@link #takeDown} or {@link #takeIpv4}, so that this is known.
     */
    boolean onDeleted(final KernelRoute route)
    {
        if (remove(announced, route))
        {
            return false;
        }
        final boolean known = remove(routes, route);
        final List<KernelRoute> others = alike.getOrDefault(Identity.of(route), List.of());
        if (known)
        {
            others.remove(route);
            if (others.isEmpty())
            {
                alike.remove(Identity.of(route));
            }
        }
        else if (others.stream().anyMatch(other -> other.interfaceIndex() == route.interfaceIndex()))
        {
            uncertain.add(route.interfaceIndex());
        }
        return true;
    }

    /** Called when an interface is notified to be up: the notifications of what was taken before are complete. */
    void onUp(final int interfaceIndex)
    {
        announced.remove(interfaceIndex);
    }

    /**
     * Removes and returns the routes that the kernel removes when an interface goes down; none if that
     * {@link #isUncertain}.
     */
    List<KernelRoute> takeDown(final int interfaceIndex)
    {
        final List<KernelRoute> taken = take(interfaceIndex, OwnRoutes::endsWhenDown);
        announce(taken.stream().filter(KernelRoute::isIpv6).toList());
        return taken;
    }

    /** Removes and returns the IPv4 routes of an interface without IPv4 addresses; none if they are uncertain. */
    List<KernelRoute> takeIpv4(final int interfaceIndex)
    {
        final List<KernelRoute> taken = take(interfaceIndex, route -> !route.isIpv6());
        announce(taken);
        return taken;
    }

    /** Removes and returns the routes of an interface that no longer exists; none if they are uncertain. */
    List<KernelRoute> takeRemoved(final int interfaceIndex)
    {
        announced.remove(interfaceIndex);
        return take(interfaceIndex, route -> true);
    }

    /** Returns whether the kernel removes an own route when its interface goes down. */
    static boolean endsWhenDown(final KernelRouteView route)
    {
        return route.isIpv6() || route.kind() != KernelRoute.Kind.LOCAL;
    }

    /**
     * Returns whether the records of an interface may differ from the kernel's routes: two of them differ only in
     * fields that are not decoded, or another route may have replaced one.
     */
    boolean isUncertain(final int interfaceIndex)
    {
        return uncertain.contains(interfaceIndex);
    }

    boolean has(final int interfaceIndex)
    {
        return routes.containsKey(interfaceIndex);
    }

    /**
     * Returns whether the kernel may remove recorded routes without a notification after an IPv4 address. It notifies
     * of those that it made for the address. Routes that a program made like these, with protocol kernel, are removed
     * with their source, and all IPv4 routes of the interface with its last address.
     *
     * @param interfaceIndex of the address.
     * @param address        that was removed.
     * @param network        of which the kernel removes the route; null if it made none (IFA_F_NOPREFIXROUTE).
     * @param last           whether the interface has no other IPv4 address.
     */
    boolean isLeftBy(final int interfaceIndex, final int address, final IpPrefix network, final boolean last)
    {
        if (last && isUncertain(interfaceIndex))
        {
            return true;
        }
        int connected = 0;
        for (final KernelRoute route : of(interfaceIndex))
        {
            if (route.isIpv6())
            {
                continue;
            }
            if (route.kind() == KernelRoute.Kind.UNICAST)
            {
                final boolean ofAddress = route.options().source().low() == IpAddress.mappedLow(address);
                final boolean notified =
                    ofAddress && IpPrefix.of(route.network(), route.prefixLength()).equals(network);
                connected += notified ? 1 : 0;
                if (!notified && (ofAddress || last) || connected > 1)
                {
                    return true;
                }
            }
            else if (last && route.kind() == KernelRoute.Kind.LOCAL && route.prefix() != address)
            {
                return true;
            }
        }
        return false;
    }

    private List<KernelRoute> take(final int interfaceIndex, final Predicate<KernelRoute> ends)
    {
        final List<KernelRoute> taken =
            isUncertain(interfaceIndex) ? List.of() : of(interfaceIndex).stream().filter(ends).toList();
        taken.forEach(this::onDeleted);
        return taken;
    }

    private void announce(final List<KernelRoute> taken)
    {
        taken.forEach(route ->
            announced.computeIfAbsent(route.interfaceIndex(), index -> new HashSet<>()).add(route));
    }

    private Set<KernelRoute> of(final int interfaceIndex)
    {
        return routes.getOrDefault(interfaceIndex, Set.of());
    }

    /** Returns false if an equal route was recorded. */
    private boolean add(final KernelRoute route)
    {
        final boolean isNew = routes.computeIfAbsent(route.interfaceIndex(), index -> new HashSet<>()).add(route);
        if (isNew)
        {
            alike.computeIfAbsent(Identity.of(route), identity -> new ArrayList<>(1)).add(route);
        }
        return isNew;
    }

    private static boolean remove(final Int2ObjectHashMap<Set<KernelRoute>> from, final KernelRoute route)
    {
        final Set<KernelRoute> ofInterface = from.get(route.interfaceIndex());
        final boolean known = ofInterface != null && ofInterface.remove(route);
        if (known && ofInterface.isEmpty())
        {
            from.remove(route.interfaceIndex());
        }
        return known;
    }
}
