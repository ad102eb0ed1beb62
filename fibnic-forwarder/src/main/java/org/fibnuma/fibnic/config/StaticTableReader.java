package org.fibnuma.fibnic.config;

import org.fibnuma.core.config.TomlSection;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.MacAddress;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the {@code [[route]]} and {@code [[neighbor]]} tables of a static router. */
final class StaticTableReader
{
    private static final String ROUTE = "route";
    private static final String PREFIX = "prefix";
    private static final String VIA = "via";
    private static final String WEIGHT = "weight";
    /** As in the kernel (struct rtnexthop, linux/rtnetlink.h). */
    private static final int HIGHEST_WEIGHT = 256;
    private static final String KIND = "kind";
    private static final String NEIGHBOR = "neighbor";
    private static final String ADDRESS = "address";
    private static final String MAC = "mac";
    private static final int NO_PORT = -1;

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

    /** A port or VLAN interface as messages name it, and its addresses. */
    private record Interface(String name, List<InterfaceAddress> addresses)
    {
    }

    List<ControlConfig.Route> routes()
    {
        final List<ControlConfig.Route> routes = new ArrayList<>();
        final Map<IpPrefix, Integer> lines = new HashMap<>();
        for (final TomlSection section : sections(ROUTE))
        {
            final IpPrefix prefix = section.parsed(PREFIX, IpPrefix::parse, null);
            if (!section.has(PREFIX))
            {
                section.missing(PREFIX, "give one, such as prefix = \"192.0.2.0/24\"");
            }
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
        for (final TomlSection section : sections(NEIGHBOR))
        {
            final IpAddress address = section.parsed(ADDRESS, IpAddress::parse, null);
            if (!section.has(ADDRESS))
            {
                section.missing(ADDRESS, "give one, such as address = \"10.0.1.2\"");
            }
            final long mac = section.parsed(MAC, MacAddress::parse, 0L);
            if (!section.has(MAC))
            {
                section.missing(MAC, "give one, such as mac = \"02:00:00:00:00:02\"");
            }
            if (address != null)
            {
                neighbors.add(new ControlConfig.Neighbor(connectedPort(section, ADDRESS, address), address, mac));
                final Integer first = lines.putIfAbsent(address, section.lineOf(ADDRESS));
                if (first != null)
                {
                    section.wrong(ADDRESS, address + " is a neighbor in line " + first +
                        "; keep one of them");
                }
            }
            section.refuseUnknownKeys();
        }
        return neighbors;
    }

    private List<TomlSection> sections(final String key)
    {
        final List<TomlSection> sections = root.tables(key);
        if (!isStatic && !sections.isEmpty())
        {
            root.wrong(key, "is only for control = \"static\"; remove it, the kernel's table is used");
            return List.of();
        }
        return sections;
    }

    private ControlConfig.Route route(final TomlSection section, final IpPrefix prefix)
    {
        final List<ControlConfig.Hop> hops = hops(section, prefix);
        final String kind = section.oneOf(KIND, kinds(), null);
        if (section.has(VIA) == section.has(KIND))
        {
            section.wrong(section.has(KIND) ? KIND : VIA, "give either via = \"GATEWAY\" or kind = one of " +
                String.join(", ", kinds()));
        }
        return new ControlConfig.Route(
            prefix,
            section.has(VIA) ? KernelRoute.Kind.UNICAST :
                kind == null ? KernelRoute.Kind.OTHER : KernelRoute.Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
            hops);
    }

    private List<ControlConfig.Hop> hops(final TomlSection section, final IpPrefix prefix)
    {
        final List<String> gateways = section.stringOrStrings(VIA);
        final List<Integer> weights = section.integers(WEIGHT, 1, HIGHEST_WEIGHT);
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
                    gateway, connectedPort(section, VIA, gateway), i < weights.size() ? weights.get(i) : 1));
            }
        }
        return hops;
    }

    private void requireIpv6(
        final TomlSection section, final String key, final Object value, final boolean isIpv6)
    {
        if (isIpv6 && !ipv6)
        {
            section.wrong(key, value + " is only for ipv6 = true; set it in [router] or remove the table");
        }
    }

    private int connectedPort(final TomlSection section, final String key, final IpAddress address)
    {
        if (!address.isIpv4() && !ipv6)
        {
            requireIpv6(section, key, address, true);
            return NO_PORT;
        }
        int found = NO_PORT;
        int longest = 0;
        for (int i = 0; i < interfaces.size(); i++)
        {
            for (final InterfaceAddress own : interfaces.get(i).addresses())
            {
                if (own.address().equals(address))
                {
                    section.wrong(key, address + " is this router's own, on " +
                        interfaces.get(i).name() + "; name a neighbor's");
                    return NO_PORT;
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
            return NO_PORT;
        }
        if (found == NO_PORT)
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

    private static List<String> kinds()
    {
        return List.of("blackhole", "unreachable", "prohibit");
    }
}
