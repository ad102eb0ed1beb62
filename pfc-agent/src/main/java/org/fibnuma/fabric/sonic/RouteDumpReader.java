package org.fibnuma.fabric.sonic;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fabric.topology.TextFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the routes of a switch. {@value #IPV4_FILE} and {@value #IPV6_FILE} are the output of FRR's
 * {@code vtysh -c 'show ip route json'} and {@code 'show ipv6 route json'}. {@value #APPL_DB_FILE} is the output of
 * {@code sonic-db-dump -n APPL_DB -y}. Without these files, the table STATIC_ROUTE of the configuration is read. Only
 * routes of the default VRF that cover a subnet of hosts or lie in one are kept, so a dump may have any size.
 */
final class RouteDumpReader
{
    static final String IPV4_FILE = "ip-route.json";
    static final String IPV6_FILE = "ipv6-route.json";
    static final String APPL_DB_FILE = "appl-db.json";

    private static final String ROUTE_TABLE = "ROUTE_TABLE:";
    private static final String STATIC_ROUTE = "STATIC_ROUTE";

    private final Set<IpPrefix> subnets;
    private final Set<IpPrefix> covering = new HashSet<>();

    /** Prepares to read the routes to some subnets. */
    RouteDumpReader(final Collection<IpPrefix> subnets)
    {
        this.subnets = new HashSet<>(subnets);
        for (final IpPrefix subnet : subnets)
        {
            for (int length = subnet.length(); length >= 0; length--)
            {
                covering.add(SwitchRoutes.truncated(subnet, length));
            }
        }
    }

    /**
     * Reads the routes of a switch from the dumps in its folder or its configuration.
     *
     * @return null if there is neither a dump nor a table STATIC_ROUTE.
     * @throws UserException with one line, if a dump cannot be read.
     */
    SwitchRoutes read(final SonicSwitch each, final Path folder)
    {
        final List<Path> dumps = new ArrayList<>();
        for (final String name : List.of(IPV4_FILE, IPV6_FILE, APPL_DB_FILE))
        {
            if (Files.exists(folder.resolve(name)))
            {
                dumps.add(folder.resolve(name));
            }
        }
        if (dumps.isEmpty())
        {
            return staticRoutes(each);
        }
        if (dumps.size() > 1 && dumps.get(dumps.size() - 1).endsWith(APPL_DB_FILE))
        {
            throw UserException.usage(folder + ": contains routes of FRR and " + APPL_DB_FILE + "; remove one of them");
        }
        final SwitchRoutes routes =
            new SwitchRoutes(dumps.get(0).endsWith(APPL_DB_FILE) ? "ROUTE_TABLE of APPL_DB" : "show ip route of FRR");
        dumps.forEach(dump -> readDump(dump, routes));
        return routes;
    }

    /** Reads entry by entry: the dump of a full routing table has hundreds of megabytes. */
    private void readDump(final Path file, final SwitchRoutes routes)
    {
        try (JsonParser parser = new ObjectMapper().createParser(file.toFile()))
        {
            parser.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
            if (parser.nextToken() != JsonToken.START_OBJECT)
            {
                throw UserException.usage(file + ":1: is not an object; use the output of " + command(file));
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME)
            {
                final int line = parser.currentTokenLocation().getLineNr();
                final String key = parser.currentName();
                parser.nextToken();
                readEntry(file, line, key, parser, routes);
            }
            if (parser.nextToken() != null)
            {
                throw UserException.usage(file + ":" + parser.currentTokenLocation().getLineNr() +
                    ": text after the end of the routes");
            }
        }
        catch (final JsonProcessingException ex)
        {
            throw TextFile.notJson(file.toString(), ex);
        }
        catch (final IOException ex)
        {
            throw TextFile.unreadable(file, ex);
        }
    }

    private void readEntry(
        final Path file, final int line, final String key, final JsonParser parser, final SwitchRoutes routes)
        throws IOException
    {
        final boolean isFrr = !file.endsWith(APPL_DB_FILE);
        if (!isFrr && (!key.startsWith(ROUTE_TABLE) || key.startsWith("Vrf", ROUTE_TABLE.length()) ||
            key.startsWith("mgmt", ROUTE_TABLE.length())))
        {
            parser.skipChildren();
            return;
        }
        final IpPrefix prefix = prefix(isFrr ? key : key.substring(ROUTE_TABLE.length()));
        if (prefix == null)
        {
            throw UserException.usage(file + ":" + line + ": \"" + key + "\" is not a prefix; use the output of " +
                command(file));
        }
        if (!isOfInterest(prefix))
        {
            parser.skipChildren();
            return;
        }
        final JsonNode value = parser.readValueAsTree();
        try
        {
            final List<SwitchRoutes.Hop> hops = isFrr ? frrHops(value) : applDbHops(value);
            if (hops != null)
            {
                routes.add(prefix, hops);
            }
        }
        catch (final IllegalArgumentException ex)
        {
            throw UserException.usage(file + ":" + line + ": route " + prefix + ": " + ex.getMessage());
        }
    }

    private static String command(final Path file)
    {
        return file.endsWith(APPL_DB_FILE) ? "sonic-db-dump -n APPL_DB -y" :
            "vtysh -c 'show " + (file.endsWith(IPV6_FILE) ? "ipv6" : "ip") + " route json'";
    }

    private static IpPrefix prefix(final String text)
    {
        try
        {
            return text.indexOf('/') < 0 ? IpPrefix.host(IpAddress.parse(text)) : IpPrefix.parse(text);
        }
        catch (final IllegalArgumentException ex)
        {
            return null;
        }
    }

    private boolean isOfInterest(final IpPrefix prefix)
    {
        if (covering.contains(prefix))
        {
            return true;
        }
        for (int length = prefix.length(); length >= 0; length--)
        {
            if (subnets.contains(SwitchRoutes.truncated(prefix, length)))
            {
                return true;
            }
        }
        return false;
    }

    /** Returns the next hops in use of the selected route, empty if it discards; null if none is selected. */
    private static List<SwitchRoutes.Hop> frrHops(final JsonNode candidates)
    {
        require(candidates.isArray(), "is not a list of routes");
        for (final JsonNode route : candidates)
        {
            require(route.isObject(), "is not a list of objects");
            if (route.path("selected").asBoolean())
            {
                require(route.path("nexthops").isArray(), "nexthops is not a list");
                return usedHops(route);
            }
        }
        return null;
    }

    private static List<SwitchRoutes.Hop> usedHops(final JsonNode route)
    {
        final List<SwitchRoutes.Hop> hops = new ArrayList<>();
        final String mark = route.findValues("fib").isEmpty() ? "active" : "fib";
        for (final JsonNode hop : route.path("nexthops"))
        {
            require(hop.isObject(), "nexthops is not a list of objects");
            final boolean isUsed = hop.path(mark).asBoolean() && !hop.path("recursive").asBoolean() &&
                !hop.path("duplicate").asBoolean() && !hop.path("unreachable").asBoolean();
            if (isUsed)
            {
                hops.add(hop(hop.path("interfaceName").asText(""), hop.path("ip").asText("")));
            }
        }
        return hops;
    }

    private static List<SwitchRoutes.Hop> applDbHops(final JsonNode entry)
    {
        final JsonNode fields = entry.path("value").isObject() ? entry.path("value") : entry;
        require(fields.isObject(), "is not an object");
        require(!fields.has("nexthop_group"), "uses nexthop_group; save the output of show ip route json instead");
        if (fields.path("blackhole").asText().equals("true"))
        {
            return List.of();
        }
        return hops(fields.path("ifname").asText(""), fields.path("nexthop").asText(""));
    }

    /** Returns the table STATIC_ROUTE of a switch, or null if it has none. */
    SwitchRoutes staticRoutes(final SonicSwitch each)
    {
        final ConfigDatabase database = each.database();
        if (!database.root().has(STATIC_ROUTE))
        {
            return null;
        }
        final SwitchRoutes routes = new SwitchRoutes("STATIC_ROUTE of its configuration");
        for (final String key : database.entries(STATIC_ROUTE).keySet())
        {
            final int bar = key.indexOf('|');
            final IpPrefix prefix = prefix(key.substring(bar + 1));
            if (prefix == null)
            {
                throw database.fault(STATIC_ROUTE, key, "is not a prefix, or a VRF and a prefix");
            }
            if ((bar < 0 || key.startsWith("default|")) && isOfInterest(prefix) &&
                !routes.add(prefix, staticHops(database, key)))
            {
                throw database.fault(STATIC_ROUTE, key, "has the prefix of another entry; remove one");
            }
        }
        return routes;
    }

    private static List<SwitchRoutes.Hop> staticHops(final ConfigDatabase database, final String key)
    {
        final String interfaces = database.text(STATIC_ROUTE, key, "ifname");
        final String addresses = database.text(STATIC_ROUTE, key, "nexthop");
        final String blackhole = database.text(STATIC_ROUTE, key, "blackhole");
        final String distance = database.text(STATIC_ROUTE, key, "distance");
        if (blackhole != null && blackhole.contains("true"))
        {
            return List.of();
        }
        try
        {
            final List<SwitchRoutes.Hop> hops =
                hops(interfaces == null ? "" : interfaces, addresses == null ? "" : addresses);
            return distance == null ? hops : nearest(hops, distance.split(",", -1));
        }
        catch (final IllegalArgumentException ex)
        {
            throw database.fault(STATIC_ROUTE, key, ex.getMessage());
        }
    }

    /** Keeps the next hops with the lowest administrative distance; the others are used only if these fail. */
    private static List<SwitchRoutes.Hop> nearest(final List<SwitchRoutes.Hop> hops, final String[] distances)
    {
        require(distances.length == hops.size(), "distance has another number of items than nexthop");
        final int[] values = new int[distances.length];
        int lowest = Integer.MAX_VALUE;
        for (int i = 0; i < values.length; i++)
        {
            require(distances[i].matches("\\d{1,3}"), "distance is not a list of numbers");
            values[i] = Integer.parseInt(distances[i]);
            lowest = Math.min(lowest, values[i]);
        }
        final List<SwitchRoutes.Hop> used = new ArrayList<>();
        for (int i = 0; i < values.length; i++)
        {
            if (values[i] == lowest)
            {
                used.add(hops.get(i));
            }
        }
        return used;
    }

    /** Returns the next hops of two parallel lists with commas, of which one may be empty. */
    private static List<SwitchRoutes.Hop> hops(final String interfaces, final String addresses)
    {
        final String[] names = interfaces.split(",", -1);
        final String[] vias = addresses.split(",", -1);
        require(interfaces.isEmpty() || addresses.isEmpty() || names.length == vias.length,
            "ifname has another number of items than nexthop");
        require(!interfaces.isEmpty() || !addresses.isEmpty(), "has neither nexthop nor ifname");
        final List<SwitchRoutes.Hop> hops = new ArrayList<>();
        for (int i = 0; i < Math.max(names.length, vias.length); i++)
        {
            hops.add(hop(interfaces.isEmpty() ? "" : names[i], addresses.isEmpty() ? "" : vias[i]));
        }
        return hops;
    }

    private static SwitchRoutes.Hop hop(final String interfaceName, final String via)
    {
        final boolean isConnected = via.isEmpty() || via.equals("0.0.0.0") || via.equals("::");
        require(!isConnected || !interfaceName.isEmpty(), "has a next hop without interface and address");
        return new SwitchRoutes.Hop(
            interfaceName.isEmpty() ? null : interfaceName, isConnected ? null : IpAddress.parse(via.strip()));
    }

    private static void require(final boolean holds, final String problem)
    {
        if (!holds)
        {
            throw new IllegalArgumentException(problem);
        }
    }
}
