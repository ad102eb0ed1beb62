package org.fibnuma.fibnic.config;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.TomlSection;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.MacAddress;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads the {@code [[route]]} and {@code [[neighbor]]} tables of a static router. */
final class StaticTableReader
{
    /** As in the kernel (struct rtnexthop, linux/rtnetlink.h). */
    private static final int HIGHEST_WEIGHT = 256;
    private static final int NO_INTERFACE = -1;
    private static final List<KernelRoute.Kind> KINDS =
        List.of(KernelRoute.Kind.BLACKHOLE, KernelRoute.Kind.UNREACHABLE, KernelRoute.Kind.PROHIBIT);

    static final ConfigTable ROUTE_KEYS = new ConfigTable();

    private static final ConfigKey<IpPrefix> PREFIX = ROUTE_KEYS.parsed(
        "prefix", "a prefix", "192.0.2.0/24", IpPrefix::parse, null)
        .required("give one, such as prefix = \"192.0.2.0/24\"").restart("Destinations of the route.");
    private static final ConfigKey<List<String>> VIA = ROUTE_KEYS.stringOrStrings("via", "addresses", "10.0.1.2")
        .byDefault("none").restart("Gateway in a network of a port. Several gateways share the flows. A route has " +
            "`via` or `kind`.");
    private static final ConfigKey<List<Integer>> WEIGHT = ROUTE_KEYS.integers("weight", 1, HIGHEST_WEIGHT, List.of())
        .byDefault("1 for each").restart("Shares of the gateways, in their order.");
    private static final ConfigKey<KernelRoute.Kind> KIND = ROUTE_KEYS.oneOf("kind", KINDS, null)
        .byDefault("none").restart("A route that drops: silently, or with the ICMP error of this name.");

    static final ConfigTable NEIGHBOR_KEYS = new ConfigTable();

    private static final ConfigKey<IpAddress> ADDRESS = NEIGHBOR_KEYS.parsed(
        "address", "an address", "10.0.1.2", IpAddress::parse, null)
        .required("give one, such as address = \"10.0.1.2\"").restart("Address in a network of a port.");
    private static final ConfigKey<Long> MAC = NEIGHBOR_KEYS.parsed(
        "mac", "a MAC address", "02:00:00:00:00:02", MacAddress::parse, null)
        .required("give one, such as mac = \"02:00:00:00:00:02\"").restart("MAC address of the neighbour.");

    private final TomlSection root;
    private final List<Interface> interfaces = new ArrayList<>();
    private final boolean isStatic;
    private final boolean ipv6;

    StaticTableReader(
        final TomlSection root, final ControlMode mode, final List<PortConfig> ports, final boolean ipv6)
    {
        this.root = root;
        ports.forEach(port -> interfaces.add(new Interface("port " + port.name(), port.addresses())));
        RouterConfig.vlansOf(ports).forEach(
            vlan -> interfaces.add(new Interface("VLAN " + vlan.name(), vlan.addresses())));
        this.isStatic = mode == ControlMode.STATIC;
        this.ipv6 = ipv6;
    }

    /** A port or VLAN interface: its name in messages, and its addresses. */
    private record Interface(String name, List<InterfaceAddress> addresses)
    {
    }

    List<ControlConfig.Route> routes()
    {
        final List<ControlConfig.Route> routes = new ArrayList<>();
        final Map<IpPrefix, Integer> lines = new HashMap<>();
        for (final TomlSection section : sections(RouterKeys.ROUTES))
        {
            final IpPrefix prefix = section.get(PREFIX);
            if (prefix != null)
            {
                requireIpv6(section, PREFIX, prefix, prefix.isIpv6());
            }
            final ControlConfig.Route route = route(section, prefix);
            final Integer first = prefix == null ? null : lines.putIfAbsent(prefix, section.lineOf(PREFIX));
            if (first != null)
            {
                section.wrong(PREFIX, prefix + " has a route in line " + first + "; keep one of them");
            }
            section.refuseUnknownKeys();
            routes.add(route);
        }
        return routes;
    }

    List<ControlConfig.Neighbor> neighbors()
    {
        final List<ControlConfig.Neighbor> neighbors = new ArrayList<>();
        final Map<IpAddress, Integer> lines = new HashMap<>();
        for (final TomlSection section : sections(RouterKeys.NEIGHBORS))
        {
            final IpAddress address = section.get(ADDRESS);
            final long mac = section.get(MAC, 0L);
            if (address != null)
            {
                neighbors.add(new ControlConfig.Neighbor(connectedInterface(section, ADDRESS, address), address, mac));
                final Integer first = lines.putIfAbsent(address, section.lineOf(ADDRESS));
                if (first != null)
                {
                    section.wrong(ADDRESS, address + " is a neighbor in line " + first + "; keep one of them");
                }
            }
            section.refuseUnknownKeys();
        }
        return neighbors;
    }

    private List<TomlSection> sections(final ConfigKey<List<TomlSection>> key)
    {
        final List<TomlSection> sections = root.get(key);
        if (!isStatic && !sections.isEmpty())
        {
            root.refuse(key, "remove it, the kernel's table is used");
            return List.of();
        }
        return sections;
    }

    private ControlConfig.Route route(final TomlSection section, final IpPrefix prefix)
    {
        final List<ControlConfig.Hop> hops = hops(section, prefix);
        final KernelRoute.Kind kind = section.get(KIND, KernelRoute.Kind.OTHER);
        if (section.has(VIA) == section.has(KIND))
        {
            section.wrong(section.has(KIND) ? KIND : VIA, "give either via = \"GATEWAY\" or kind = one of " +
                KINDS.stream().map(each -> each.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(", ")));
        }
        return new ControlConfig.Route(prefix, section.has(VIA) ? KernelRoute.Kind.UNICAST : kind, hops);
    }

    private List<ControlConfig.Hop> hops(final TomlSection section, final IpPrefix prefix)
    {
        final List<String> gateways = section.get(VIA);
        final List<Integer> weights = section.get(WEIGHT);
        if (section.has(VIA) && gateways.isEmpty())
        {
            section.wrong(VIA, "has no gateway; give one, such as via = \"10.0.1.2\"");
        }
        if (section.has(WEIGHT) && weights.size() != gateways.size())
        {
            section.wrong(WEIGHT, "has " + weights.size() + " numbers for " + gateways.size() +
                " gateways; give one for each, such as via = [\"10.0.1.2\", \"10.0.2.2\"], weight = [3, 1]");
        }
        final List<ControlConfig.Hop> hops = new ArrayList<>();
        for (int i = 0; i < gateways.size(); i++)
        {
            final IpAddress gateway = section.parse(VIA, gateways.get(i), IpAddress::parse, null);
            if (gateway != null)
            {
                if (prefix != null && prefix.isIpv6() && gateway.isIpv4())
                {
                    section.wrong(VIA, gateway + " is IPv4; give an IPv6 gateway to " + prefix);
                }
                if (hops.stream().anyMatch(hop -> hop.gateway().equals(gateway)))
                {
                    section.wrong(VIA, gateway + " is in the array twice; give it once, with a weight");
                }
                hops.add(new ControlConfig.Hop(
                    gateway, connectedInterface(section, VIA, gateway), i < weights.size() ? weights.get(i) : 1));
            }
        }
        return hops;
    }

    private void requireIpv6(
        final TomlSection section, final ConfigKey<?> key, final Object value, final boolean isIpv6)
    {
        if (isIpv6 && !ipv6)
        {
            section.wrong(key, value + " is only for ipv6 = true; set it in [router] or remove the table");
        }
    }

    private int connectedInterface(final TomlSection section, final ConfigKey<?> key, final IpAddress address)
    {
        if (!address.isIpv4() && !ipv6)
        {
            requireIpv6(section, key, address, true);
            return NO_INTERFACE;
        }
        int found = NO_INTERFACE;
        int longest = 0;
        for (int i = 0; i < interfaces.size(); i++)
        {
            for (final InterfaceAddress own : interfaces.get(i).addresses())
            {
                if (own.address().equals(address))
                {
                    section.wrong(key, address + " is this router's own, on " +
                        interfaces.get(i).name() + "; name a neighbor's");
                    return NO_INTERFACE;
                }
                if (own.network().contains(address) && own.prefixLength() > longest)
                {
                    found = i;
                    longest = own.prefixLength();
                }
            }
        }
        if (Ipv6Address.isLinkLocal(address.high()) &&
            interfaces.stream().filter(each -> isOnLink(each, address)).count() > 1)
        {
            section.wrong(key, address + " is in the link-local network of several ports; give a global or unique " +
                "local address");
            return NO_INTERFACE;
        }
        if (found == NO_INTERFACE)
        {
            section.wrong(key, address +
                " is in no port's network; give a port an address whose network contains it");
        }
        return found;
    }

    private static boolean isOnLink(final Interface port, final IpAddress address)
    {
        return port.addresses().stream().anyMatch(own -> own.network().contains(address));
    }
}
