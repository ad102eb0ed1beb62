package org.fibnuma.fibnic.verify;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A kernel whose tables change at random, in a small corner of the address space so that routes, networks and
 * neighbours meet. Interfaces 1 and 2 are ports, 3 is not.
 */
final class SimulatedKernel
{
    static final int PORT_INTERFACES = 2;

    private static final int INTERFACES = 3;
    private static final int[] LENGTHS = { 0, 8, 16, 22, 24, 24, 24, 25, 28, 30, 31, 32, 32 };
    private static final int[] OCTETS = { 0, 1, 2, 3, 4, 127, 128, 254, 255 };
    private static final long MAC = 0x0200_0000_0000L;

    private final Random random;
    private final KernelNetworkListener listener;
    private final Map<Integer, KernelLink> links = new LinkedHashMap<>();
    private final Set<KernelAddress> addresses = new LinkedHashSet<>();
    private final Map<List<Integer>, KernelRoute> routes = new LinkedHashMap<>();
    private final Map<List<Integer>, KernelNeighbor> neighbors = new LinkedHashMap<>();

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

    int address()
    {
        return 10 << 24 | pick(OCTETS) << 16 | pick(OCTETS) << 8 | pick(OCTETS);
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
            .filter(route -> route.kind() == KernelRoute.Kind.UNICAST && route.gateway().isNone()).toList();
        final KernelRoute route = connected.isEmpty() ? null : pickFrom(connected);
        final KernelAddress address = route == null ?
            new KernelAddress(1 + random.nextInt(INTERFACES), IpAddress.of(address()), pick(LENGTHS)) :
            new KernelAddress(route.interfaceIndex(), IpAddress.of(route.prefix() | 1), route.prefixLength());
        addresses.add(address);
        listener.onAddress(address, true);
    }

    private void changeNeighbor()
    {
        final KernelAddress own =
            addresses.isEmpty() || random.nextBoolean() ? null : pickFrom(new ArrayList<>(addresses));
        final int interfaceIndex = own == null ? 1 + random.nextInt(INTERFACES) : own.interfaceIndex();
        final int address =
            own == null ? address() : own.address().ipv4() & Ipv4Address.mask(own.prefixLength());
        if (random.nextInt(4) == 0 && !neighbors.isEmpty())
        {
            final List<Integer> key = pickFrom(new ArrayList<>(neighbors.keySet()));
            listener.onNeighbor(neighbors.remove(key), false);
            return;
        }
        final KernelNeighbor.State state = KernelNeighbor.State.values()[random.nextInt(4)];
        final long mac = state == KernelNeighbor.State.USABLE || state == KernelNeighbor.State.PERMANENT ?
            MAC + 256 + random.nextInt(3) : 0;
        final KernelNeighbor neighbor = new KernelNeighbor(interfaceIndex, IpAddress.of(address), mac, state);
        neighbors.put(List.of(interfaceIndex, address), neighbor);
        listener.onNeighbor(neighbor, true);
    }

    private void addRoute()
    {
        final int length = pick(LENGTHS);
        final int prefix = address() & Ipv4Address.mask(length);
        final KernelRoute route;
        switch (random.nextInt(8))
        {
            case 0:
                route = new KernelRoute(
                    prefix, length, KernelRoute.TABLE_LOCAL, 0,
                    random.nextBoolean() ? KernelRoute.Kind.LOCAL : KernelRoute.Kind.BROADCAST, 0,
                    1 + random.nextInt(INTERFACES));
                break;
            case 1:
                route = new KernelRoute(
                    prefix, length, KernelRoute.TABLE_MAIN, metric(), pickFrom(List.of(
                        KernelRoute.Kind.BLACKHOLE, KernelRoute.Kind.UNREACHABLE, KernelRoute.Kind.PROHIBIT,
                        KernelRoute.Kind.OTHER)), 0, 0);
                break;
            case 2:
            case 3:
            case 4:
                route = new KernelRoute(
                    prefix, length, KernelRoute.TABLE_MAIN, metric(), KernelRoute.Kind.UNICAST, 0,
                    1 + random.nextInt(INTERFACES));
                break;
            default:
                route = new KernelRoute(
                    prefix, length, random.nextInt(9) == 0 ? 100 : KernelRoute.TABLE_MAIN, metric(),
                    KernelRoute.Kind.UNICAST, address(), 1 + random.nextInt(INTERFACES));
        }
        routes.put(keyOf(route), route);
        listener.onRoute(route, true);
    }

    private void removeRoute()
    {
        if (!routes.isEmpty())
        {
            final List<Integer> key = pickFrom(new ArrayList<>(routes.keySet()));
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

    private static List<Integer> keyOf(final KernelRoute route)
    {
        return List.of(route.prefix(), route.prefixLength(), route.table(), route.metric());
    }
}
