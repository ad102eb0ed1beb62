package org.fibnuma.binding.rtnetlink;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The kernel's tables as iproute2 prints them: the independent reference. */
final class IpRoute2
{
    private final KernelNamespace namespace;
    private final Map<String, Integer> indexes = new HashMap<>();

    IpRoute2(final KernelNamespace namespace)
    {
        this.namespace = namespace;
    }

    Map<Integer, KernelLink> links()
    {
        final Map<Integer, KernelLink> links = new HashMap<>();
        indexes.clear();
        for (final JsonNode node : namespace.ipJson("link show"))
        {
            final int index = node.get("ifindex").intValue();
            final Set<String> flags = texts(node.get("flags"));
            indexes.put(node.get("ifname").textValue(), index);
            // IFF_RUNNING is not printed; NO-CARRIER is what iproute2 prints for an interface up without it.
            links.put(index, new KernelLink(index, node.get("ifname").textValue(),
                node.has("address") ? MacAddress.parse(node.get("address").textValue()) : 0,
                node.get("mtu").intValue(), flags.contains("UP") && !flags.contains("NO-CARRIER")));
        }
        return links;
    }

    Set<KernelAddress> addresses()
    {
        final Set<KernelAddress> addresses = new HashSet<>();
        for (final JsonNode link : namespace.ipJson("-4 address show"))
        {
            for (final JsonNode node : link.path("addr_info"))
            {
                addresses.add(new KernelAddress(link.get("ifindex").intValue(),
                    Ipv4Address.parse(node.get("local").textValue()), node.get("prefixlen").intValue()));
            }
        }
        return addresses;
    }

    Map<KernelTables.NeighborKey, KernelNeighbor> neighbors()
    {
        links();
        final Map<KernelTables.NeighborKey, KernelNeighbor> neighbors = new HashMap<>();
        for (final JsonNode node : namespace.ipJson("-4 neighbour show nud all"))
        {
            final int index = indexes.get(node.get("dev").textValue());
            final int address = Ipv4Address.parse(node.get("dst").textValue());
            final String state = node.get("state").get(0).textValue();
            // The kernel adds multicast groups to its list without telling.
            if (!"NONE".equals(state) && address >>> 28 != 0xE)
            {
                neighbors.put(new KernelTables.NeighborKey(index, address), new KernelNeighbor(index, address,
                    node.has("lladdr") ? MacAddress.parse(node.get("lladdr").textValue()) : 0, state(state)));
            }
        }
        return neighbors;
    }

    Map<KernelTables.RouteKey, KernelRoute> routes()
    {
        links();
        final Map<Integer, JsonNode> nextHops = new HashMap<>();
        namespace.ipJson("nexthop show").forEach(node -> nextHops.put(node.get("id").intValue(), node));
        final Map<KernelTables.RouteKey, KernelRoute> routes = new HashMap<>();
        for (final JsonNode node : namespace.ipJson("-4 route show table all"))
        {
            final JsonNode hop = hop(node, nextHops);
            if (!node.has("tos") && !texts(hop.get("flags")).contains("dead"))
            {
                final KernelRoute route = route(node, hop);
                if (route.table() >= KernelRoute.TABLE_MAIN && route.table() <= KernelRoute.TABLE_LOCAL)
                {
                    routes.putIfAbsent(new KernelTables.RouteKey(
                        route.prefix(), route.prefixLength(), route.table(), route.metric()), route);
                }
            }
        }
        return routes;
    }

    int indexOf(final String interfaceName)
    {
        links();
        return indexes.get(interfaceName);
    }

    private KernelRoute route(final JsonNode node, final JsonNode hop)
    {
        final String[] destination = node.get("dst").textValue().split("/");
        final boolean all = "default".equals(destination[0]);
        final int length = all ? 0 : destination.length == 1 ? 32 : Integer.parseInt(destination[1]);
        final String table = node.path("table").asText("main");
        final KernelRoute.Kind kind = hop.has("via") || hop.has("encap") ? KernelRoute.Kind.OTHER :
            kind(node.path("type").asText("unicast"));
        return new KernelRoute(all ? 0 : Ipv4Address.parse(destination[0]), length,
            "main".equals(table) ? 254 : "local".equals(table) ? 255 : 0, node.path("metric").asInt(0), kind,
            hop.has("gateway") ? Ipv4Address.parse(hop.get("gateway").textValue()) : 0,
            hop.has("dev") ? indexes.get(hop.get("dev").textValue()) : 0);
    }

    private static JsonNode hop(final JsonNode route, final Map<Integer, JsonNode> nextHops)
    {
        if (route.has("nhid") && !route.has("dev") && !route.has("nexthops") &&
            "unicast".equals(route.path("type").asText()))
        {
            final JsonNode nextHop = nextHops.get(route.get("nhid").intValue());
            return nextHop.has("group") ? nextHops.get(nextHop.get("group").get(0).get("id").intValue()) : nextHop;
        }
        for (final JsonNode hop : route.path("nexthops"))
        {
            if (!texts(hop.get("flags")).contains("dead"))
            {
                return hop;
            }
        }
        return route.has("nexthops") ? route.get("nexthops").get(0) : route;
    }

    private static KernelRoute.Kind kind(final String type)
    {
        try
        {
            return KernelRoute.Kind.valueOf(type.toUpperCase(Locale.ROOT));
        }
        catch (final IllegalArgumentException ignore)
        {
            return KernelRoute.Kind.OTHER;
        }
    }

    private static KernelNeighbor.State state(final String text)
    {
        return switch (text)
        {
            case "INCOMPLETE" -> KernelNeighbor.State.RESOLVING;
            case "FAILED" -> KernelNeighbor.State.FAILED;
            case "PERMANENT", "NOARP" -> KernelNeighbor.State.PERMANENT;
            default -> KernelNeighbor.State.USABLE;
        };
    }

    private static Set<String> texts(final JsonNode array)
    {
        final Set<String> texts = new HashSet<>();
        if (array != null)
        {
            array.forEach(node -> texts.add(node.textValue()));
        }
        return texts;
    }
}
