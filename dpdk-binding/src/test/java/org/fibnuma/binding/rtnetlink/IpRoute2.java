package org.fibnuma.binding.rtnetlink;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.MacAddress;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The kernel's tables as iproute2 printed them at the last {@link #read}: the independent reference. */
final class IpRoute2
{
    private final KernelNamespace namespace;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final Map<Integer, KernelLink> links = new HashMap<>();
    private JsonNode addresses;
    private JsonNode nextHops;
    private JsonNode routes;
    private JsonNode neighbors;

    IpRoute2(final KernelNamespace namespace)
    {
        this.namespace = namespace;
    }

    /** Lists all tables. */
    IpRoute2 read()
    {
        final List<JsonNode> tables = namespace.ipJson("link show", "address show", "nexthop show",
            "route show table all", "neighbour show nud all");
        readLinks(tables.get(0));
        addresses = tables.get(1);
        nextHops = tables.get(2);
        routes = tables.get(3);
        neighbors = tables.get(4);
        return this;
    }

    private void readLinks(final JsonNode nodes)
    {
        links.clear();
        indexes.clear();
        for (final JsonNode node : nodes)
        {
            final int index = node.get("ifindex").intValue();
            final Set<String> flags = texts(node.get("flags"));
            indexes.put(node.get("ifname").textValue(), index);
            // IFF_RUNNING is not printed; NO-CARRIER is what iproute2 prints for an interface up without it.
            links.put(index, new KernelLink(index, node.get("ifname").textValue(),
                node.has("address") ? MacAddress.parse(node.get("address").textValue()) : 0,
                node.get("mtu").intValue(), flags.contains("UP") && !flags.contains("NO-CARRIER")));
        }
    }

    Map<Integer, KernelLink> links()
    {
        return Map.copyOf(links);
    }

    Set<KernelAddress> addresses()
    {
        final Set<KernelAddress> used = new HashSet<>();
        for (final JsonNode link : addresses)
        {
            for (final JsonNode node : link.path("addr_info"))
            {
                if (!node.has("tentative"))
                {
                    used.add(new KernelAddress(link.get("ifindex").intValue(),
                        IpAddress.parse(node.get("local").textValue()), node.get("prefixlen").intValue()));
                }
            }
        }
        return used;
    }

    Map<KernelTables.NeighborKey, KernelNeighbor> neighbors()
    {
        final Map<KernelTables.NeighborKey, KernelNeighbor> known = new HashMap<>();
        for (final JsonNode node : neighbors)
        {
            final int index = indexes.get(node.get("dev").textValue());
            final IpAddress address = IpAddress.parse(node.get("dst").textValue());
            final String state = node.get("state").get(0).textValue();
            // The kernel adds multicast groups to its list without telling.
            if (!"NONE".equals(state) && !isMulticast(address))
            {
                known.put(new KernelTables.NeighborKey(index, address), new KernelNeighbor(index, address,
                    node.has("lladdr") ? MacAddress.parse(node.get("lladdr").textValue()) : 0, state(state)));
            }
        }
        return known;
    }

    Map<KernelTables.RouteKey, KernelRoute> routes()
    {
        final Map<Integer, JsonNode> hops = new HashMap<>();
        nextHops.forEach(node -> hops.put(node.get("id").intValue(), node));
        final Map<KernelTables.RouteKey, KernelRoute> known = new HashMap<>();
        // Only an IPv6 route has a router preference (RFC 4191).
        routes.forEach(node -> putRoute(node, node.has("pref"), hops, known));
        return known;
    }

    private void putRoute(final JsonNode node, final boolean ipv6, final Map<Integer, JsonNode> nextHops,
        final Map<KernelTables.RouteKey, KernelRoute> routes)
    {
        if (node.has("from") || node.has("tos"))
        {
            final KernelRoute route = forSeveral(node);
            routes.put(KernelTables.RouteKey.of(route), route);
            return;
        }
        final JsonNode hop = hop(node, ipv6, nextHops);
        if (!texts(hop.get("flags")).contains("dead"))
        {
            final KernelRoute route = route(node, ipv6, hop, multipath(node, nextHops));
            if (!(ipv6 && isOfOneLink(route.network())))
            {
                routes.putIfAbsent(KernelTables.RouteKey.of(route), route);
            }
        }
    }

    /** One route for all from source prefixes, or for all values of the TOS, preferred to the others. */
    private static KernelRoute forSeveral(final JsonNode node)
    {
        final boolean ipv6 = node.has("from");
        final IpPrefix prefix = prefix(node, ipv6);
        return new KernelRoute(ipv6, prefix.first(), prefix.length(), table(node), 0,
            ipv6 ? KernelRoute.Kind.SOURCE_SPECIFIC : KernelRoute.Kind.TOS_SPECIFIC, IpAddress.NONE, 0);
    }

    private static int table(final JsonNode node)
    {
        final String table = node.path("table").asText("main");
        return switch (table)
        {
            case "main" -> KernelRoute.TABLE_MAIN;
            case "local" -> KernelRoute.TABLE_LOCAL;
            default -> Integer.parseInt(table);
        };
    }

    private static boolean isMulticast(final IpAddress address)
    {
        return address.isIpv4() ? address.ipv4() >>> 28 == 0xE : address.toString().startsWith("ff");
    }

    private static boolean isOfOneLink(final IpAddress network)
    {
        return network.toString().startsWith("ff") || network.toString().startsWith("fe80:");
    }

    int indexOf(final String interfaceName)
    {
        return indexes.get(interfaceName);
    }

    /** Several next hops that the kernel uses, or would use if their interfaces were up. */
    private KernelMultipath multipath(final JsonNode route, final Map<Integer, JsonNode> nextHops)
    {
        final JsonNode object = nextHops.get(route.path("nhid").intValue());
        final List<KernelMultipath.Hop> hops = new ArrayList<>();
        for (final JsonNode hop : route.path("nexthops"))
        {
            if (!texts(hop.get("flags")).contains("dead") || !linkOf(hop).up())
            {
                hops.add(hop(hop, hop.path("weight").asInt(1)));
            }
        }
        if (object != null && !route.has("dev") && !route.has("nexthops"))
        {
            object.path("group").forEach(member ->
                hops.add(hop(nextHops.get(member.get("id").intValue()), member.path("weight").asInt(1))));
        }
        final JsonNode resilience = object == null ? null : object.get("resilient_args");
        return hops.size() < 2 ? null : new KernelMultipath(resilience == null ? null :
            new KernelMultipath.Resilience(object.get("id").intValue(), resilience.get("buckets").intValue(),
                Math.round(resilience.get("idle_timer").doubleValue() * 1000),
                Math.round(resilience.get("unbalanced_timer").doubleValue() * 1000)), hops);
    }

    private KernelLink linkOf(final JsonNode hop)
    {
        return links.get(indexes.get(hop.get("dev").textValue()));
    }

    private KernelMultipath.Hop hop(final JsonNode hop, final int weight)
    {
        return new KernelMultipath.Hop(hop.has("encap") ? KernelRoute.Kind.OTHER : KernelRoute.Kind.UNICAST,
            indexes.get(hop.get("dev").textValue()), gateway(hop), weight);
    }

    private KernelRoute route(
        final JsonNode node, final boolean ipv6, final JsonNode hop, final KernelMultipath multipath)
    {
        final IpPrefix prefix = prefix(node, ipv6);
        final KernelRoute.Kind kind = hop.has("encap") ? KernelRoute.Kind.OTHER :
            kind(node.path("type").asText("unicast"));
        final boolean sends = !ipv6 || kind == KernelRoute.Kind.UNICAST || kind == KernelRoute.Kind.LOCAL;
        return new KernelRoute(ipv6, prefix.first(), prefix.length(),
            table(node), (int)node.path("metric").asLong(0), kind,
            gateway(hop), hop.has("dev") && sends ? indexes.get(hop.get("dev").textValue()) : 0,
            kind == KernelRoute.Kind.UNICAST ? multipath : null);
    }

    private static IpPrefix prefix(final JsonNode node, final boolean ipv6)
    {
        final String destination = node.get("dst").textValue();
        return "default".equals(destination) ? IpPrefix.parse(ipv6 ? "::/0" : "0.0.0.0/0") :
            destination.contains("/") ? IpPrefix.parse(destination) : IpPrefix.host(IpAddress.parse(destination));
    }

    private static IpAddress gateway(final JsonNode hop)
    {
        final String text = hop.path("gateway").asText(hop.path("via").path("host").asText("::"));
        return IpAddress.parse(text);
    }

    private JsonNode hop(final JsonNode route, final boolean ipv6, final Map<Integer, JsonNode> nextHops)
    {
        if (route.has("nhid") && !route.has("dev") && !route.has("nexthops") &&
            "unicast".equals(route.path("type").asText()))
        {
            final JsonNode nextHop = nextHops.get(route.get("nhid").intValue());
            return nextHop.has("group") ? nextHops.get(nextHop.get("group").get(0).get("id").intValue()) : nextHop;
        }
        final List<JsonNode> used = new ArrayList<>();
        for (final JsonNode hop : route.path("nexthops"))
        {
            if (!texts(hop.get("flags")).contains("dead"))
            {
                used.add(hop);
            }
        }
        if (ipv6)
        {
            used.sort(Comparator.comparing((JsonNode hop) -> indexes.get(hop.get("dev").textValue()))
                .thenComparing(IpRoute2::gateway));
        }
        return !used.isEmpty() ? used.get(0) : route.has("nexthops") ? route.get("nexthops").get(0) : route;
    }

    private static KernelRoute.Kind kind(final String type)
    {
        // An IPv6 anycast address is an address of this host too.
        if ("anycast".equals(type))
        {
            return KernelRoute.Kind.LOCAL;
        }
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
