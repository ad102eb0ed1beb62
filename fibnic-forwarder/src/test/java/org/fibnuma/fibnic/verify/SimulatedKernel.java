package org.fibnuma.fibnic.verify;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A kernel whose tables change at random, in a small corner of the address space of each family so that routes,
 * networks and neighbours meet. Interfaces 1 and 2 are ports, 3 is not.
 */
final class SimulatedKernel
{
    static final int PORT_INTERFACES = 2;

    private static final int INTERFACES = 3;
    private static final int[] LENGTHS = { 0, 8, 16, 22, 24, 24, 24, 25, 28, 30, 31, 32, 32 };
    private static final int[] IPV6_LENGTHS = { 0, 10, 16, 48, 63, 64, 64, 64, 65, 80, 120, 126, 127, 128, 128 };
    private static final int[] OCTETS = { 0, 1, 2, 3, 4, 127, 128, 254, 255 };
    private static final long MAC = 0x0200_0000_0000L;

    private final Random random;
    private final KernelNetworkListener listener;
    private final Map<Integer, KernelLink> links = new LinkedHashMap<>();
    private final Set<KernelAddress> addresses = new LinkedHashSet<>();
    private final Map<List<Object>, KernelRoute> routes = new LinkedHashMap<>();
    private final Map<List<Object>, KernelNeighbor> neighbors = new LinkedHashMap<>();

    SimulatedKernel(final Random random, final KernelNetworkListener listener)
    {
        this.random = random;
        this.listener = listener;
        for (int i = 1; i <= INTERFACES; i++)
        {
            links.put(i, new KernelLink(i, "if" + i, MAC + i, 1500, true));
        }
    }

    void dump(final KernelNetworkListener to)
    {
        to.onDumpStart();
        links.values().forEach(link -> to.onLink(link, true));
        addresses.forEach(address -> to.onAddress(address, true));
        neighbors.values().forEach(neighbor -> to.onNeighbor(neighbor, true));
        routes.values().forEach(route -> to.onRoute(route, true));
        to.onDumpEnd();
    }

    void change()
    {
        switch (random.nextInt(12))
        {
            case 0:
                changeLink();
                break;
            case 1:
            case 2:
                changeNeighbor();
                break;
            case 3:
            case 4:
                removeRoute();
                break;
            case 5:
                loseNotifications();
                break;
            case 6:
            case 7:
                changeAddress();
                break;
            default:
                addRoute();
        }
    }

    /** A random prefix, IPv6 or not. */
    IpPrefix prefix(final boolean isIpv6)
    {
        return IpPrefix.of(address(isIpv6), pick(isIpv6 ? IPV6_LENGTHS : LENGTHS));
    }

    /** A random address that is not link-local. */
    IpAddress address(final boolean isIpv6)
    {
        if (!isIpv6)
        {
            return IpAddress.of(10 << 24 | pick(OCTETS) << 16 | pick(OCTETS) << 8 | pick(OCTETS));
        }
        final long high = 0x2001_0DB8_0000_0000L | (long)pick(OCTETS) << 8 | pick(OCTETS);
        return new IpAddress(high, (long)pick(OCTETS) << 56 | pick(OCTETS));
    }

    /** A random address of a neighbour, IPv6 ones also link-local. */
    private IpAddress neighborAddress(final boolean isIpv6)
    {
        return isIpv6 && random.nextInt(3) == 0 ? new IpAddress(0xFE80L << 48, pick(OCTETS)) : address(isIpv6);
    }

    private void changeLink()
    {
        final int index = 1 + random.nextInt(INTERFACES);
        final KernelLink link = new KernelLink(
            index, "if" + index, MAC + index + random.nextInt(2) * 16L, 1400 + random.nextInt(2) * 100,
            random.nextInt(4) > 0);
        links.put(index, link);
        listener.onLink(link, true);
    }

    /** In a connected network, or anywhere where there is none; without the routes that a kernel makes for it. */
    private void changeAddress()
    {
        if (random.nextInt(3) == 0 && !addresses.isEmpty())
        {
            final KernelAddress gone = pickFrom(new ArrayList<>(addresses));
            addresses.remove(gone);
            listener.onAddress(gone, false);
            return;
        }
        final List<KernelRoute> connected = routes.values().stream()
            .filter(route -> route.kind() == KernelRoute.Kind.UNICAST && route.gateway().isNone() &&
                route.multipath() == null).toList();
        final KernelRoute route = connected.isEmpty() ? null : pickFrom(connected);
        final KernelAddress address = route == null ?
            new KernelAddress(1 + random.nextInt(INTERFACES), address(false), pick(LENGTHS)) :
            new KernelAddress(
                route.interfaceIndex(), new IpAddress(route.prefixHigh(), route.prefixLow() | 1),
                route.prefixLength());
        addresses.add(address);
        listener.onAddress(address, true);
    }

    private void changeNeighbor()
    {
        final KernelAddress own =
            addresses.isEmpty() || random.nextBoolean() ? null : pickFrom(new ArrayList<>(addresses));
        final int interfaceIndex = own == null ? 1 + random.nextInt(INTERFACES) : own.interfaceIndex();
        final IpAddress address = own == null ? neighborAddress(random.nextBoolean()) :
            IpPrefix.of(own.address(), own.prefixLength()).first();
        if (random.nextInt(4) == 0 && !neighbors.isEmpty())
        {
            final List<Object> key = pickFrom(new ArrayList<>(neighbors.keySet()));
            listener.onNeighbor(neighbors.remove(key), false);
            return;
        }
        final KernelNeighbor.State state = KernelNeighbor.State.values()[random.nextInt(4)];
        final long mac = state == KernelNeighbor.State.USABLE || state == KernelNeighbor.State.PERMANENT ?
            MAC + 256 + random.nextInt(3) : 0;
        final KernelNeighbor neighbor = new KernelNeighbor(interfaceIndex, address, mac, state);
        neighbors.put(List.of(interfaceIndex, address), neighbor);
        listener.onNeighbor(neighbor, true);
    }

    private void addRoute()
    {
        final boolean isIpv6 = random.nextBoolean();
        final IpPrefix prefix = prefix(isIpv6);
        final KernelRoute route;
        switch (random.nextInt(10))
        {
            case 0:
                route = route(
                    prefix, KernelRoute.TABLE_LOCAL, 0, pickFrom(List.of(
                        KernelRoute.Kind.LOCAL, isIpv6 ? KernelRoute.Kind.OTHER : KernelRoute.Kind.BROADCAST)),
                    IpAddress.NONE, 1 + random.nextInt(INTERFACES));
                break;
            case 1:
                route = route(
                    prefix, KernelRoute.TABLE_MAIN, metric(), pickFrom(List.of(
                        KernelRoute.Kind.BLACKHOLE, KernelRoute.Kind.UNREACHABLE, KernelRoute.Kind.PROHIBIT,
                        KernelRoute.Kind.OTHER)), IpAddress.NONE, 0);
                break;
            case 2:
            case 3:
            case 4:
                route = route(
                    prefix, KernelRoute.TABLE_MAIN, metric(), KernelRoute.Kind.UNICAST, IpAddress.NONE,
                    1 + random.nextInt(INTERFACES));
                break;
            case 5:
            case 6:
                route = multipath(prefix);
                break;
            default:
                route = route(
                    prefix, random.nextInt(9) == 0 ? 100 : KernelRoute.TABLE_MAIN, metric(),
                    KernelRoute.Kind.UNICAST, neighborAddress(isIpv6 || random.nextInt(4) == 0),
                    1 + random.nextInt(INTERFACES));
        }
        routes.put(keyOf(route), route);
        listener.onRoute(route, true);
    }

    /** Of two to four next hops, some of which are the same, without a gateway, or the kernel's. */
    private KernelRoute multipath(final IpPrefix prefix)
    {
        final List<KernelMultipath.Hop> hops = new ArrayList<>();
        for (int i = 2 + random.nextInt(3); i > 0; i--)
        {
            hops.add(new KernelMultipath.Hop(
                random.nextInt(9) == 0 ? KernelRoute.Kind.OTHER : KernelRoute.Kind.UNICAST,
                1 + random.nextInt(INTERFACES),
                random.nextInt(9) == 0 ? IpAddress.NONE : neighborAddress(prefix.isIpv6() || random.nextInt(4) == 0),
                1 + random.nextInt(3)));
        }
        final KernelMultipath.Resilience resilience = random.nextInt(3) > 0 ? null :
            new KernelMultipath.Resilience(1 + random.nextInt(2), 8 << random.nextInt(2), 100, 0);
        return new KernelRoute(
            prefix.isIpv6(), prefix.first(), prefix.length(), KernelRoute.TABLE_MAIN, metric(),
            KernelRoute.Kind.UNICAST, hops.get(0).gateway(), hops.get(0).interfaceIndex(),
            new KernelMultipath(resilience, hops));
    }

    private void removeRoute()
    {
        if (!routes.isEmpty())
        {
            final List<Object> key = pickFrom(new ArrayList<>(routes.keySet()));
            listener.onRoute(routes.remove(key), false);
        }
    }

    /** Some things change without a word, then everything is told again. */
    private void loseNotifications()
    {
        routes.values().removeIf(route -> random.nextInt(5) == 0);
        neighbors.values().removeIf(neighbor -> random.nextInt(5) == 0);
        addresses.removeIf(address -> random.nextInt(5) == 0);
        dump(listener);
    }

    private int metric()
    {
        return random.nextInt(3) - 1;
    }

    private int pick(final int[] choices)
    {
        return choices[random.nextInt(choices.length)];
    }

    private <T> T pickFrom(final List<T> choices)
    {
        return choices.get(random.nextInt(choices.size()));
    }

    private static KernelRoute route(
        final IpPrefix prefix,
        final int table,
        final int metric,
        final KernelRoute.Kind kind,
        final IpAddress gateway,
        final int interfaceIndex)
    {
        return new KernelRoute(
            prefix.isIpv6(), prefix.first(), prefix.length(), table, metric, kind, gateway, interfaceIndex);
    }

    private static List<Object> keyOf(final KernelRoute route)
    {
        return List.of(route.isIpv6(), route.network(), route.prefixLength(), route.table(), route.metric());
    }
}
