package org.fibnuma.fabric.export;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigProblems;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.TomlFile;
import org.fibnuma.core.service.config.TomlSection;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.TextFile;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the routes of a known fabric: TOML files of {@link StaticRoutes}, {@code opensm-lfts.dump} or
 * {@code opensm.fdbs}. A fault is a {@link UserException} of one line.
 */
public final class RoutesReader
{
    private static final ConfigTable ROUTE_KEYS = new ConfigTable();
    private static final ConfigKey<IpPrefix> PREFIX =
        ROUTE_KEYS.parsed("prefix", "a prefix", "10.0.0.0/24", IpPrefix::parse, null);
    private static final ConfigKey<IpAddress> VIA =
        ROUTE_KEYS.parsed("via", "an address", "10.0.1.2", IpAddress::parse, null);
    private static final ConfigTable KEYS = new ConfigTable();
    private static final ConfigKey<String> SWITCH = KEYS.string("switch", "name", "spine1", "");
    private static final ConfigKey<List<TomlSection>> ROUTES = KEYS.tables("route", ROUTE_KEYS);

    private final Fabric fabric;
    private final ForwardingTables tables;

    /** A route of a switch; the id is the port GUID or the LID of the destination. */
    private record Route(String place, int node, long id, int port)
    {
    }

    /** A text format of OpenSM: for each switch a heading and a line for each LID. */
    private enum Dump
    {
        /** {@code opensm-lfts.dump} and the output of {@code dump_lfts.sh}; routes to switches are ignored. */
        LFTS("^Unicast lids .* guid 0x([0-9a-fA-F]+) .*",
            "^0x[0-9a-fA-F]+\\s+(?<port>\\d+)\\s.*Channel Adapter portguid 0x(?<id>[0-9a-fA-F]+).*",
            "^0x[0-9a-fA-F]+\\s+\\d+(\\s.*)?", "LID, port, device"),
        /** {@code opensm.fdbs}, in which the LIDs have no names. */
        FDBS("^(?:dump_ucast_routes|\\S*): Switch 0x([0-9a-fA-F]+).*",
            "^0x(?<id>[0-9a-fA-F]+)\\s*:\\s*(?<port>\\d+)\\s*:.*",
            "^0x[0-9a-fA-F]+\\s*:\\s*UNREACHABLE.*", "LID : port : hops");

        final Pattern heading;
        final Pattern route;
        final Pattern ignored;
        final String form;

        Dump(final String heading, final String route, final String ignored, final String form)
        {
            this.heading = Pattern.compile(heading);
            this.route = Pattern.compile(route);
            this.ignored = Pattern.compile(ignored);
            this.form = form;
        }
    }

    private RoutesReader(final Fabric fabric)
    {
        this.fabric = fabric;
        this.tables = new ForwardingTables(fabric);
    }

    /** Reads a file, or a folder of TOML files with the addresses of an {@link AddressPlan}. */
    public static ForwardingTables read(final Fabric fabric, final Path path)
    {
        return read(fabric, path, null);
    }

    /**
     * Reads a file, or a folder of TOML files.
     *
     * @param addresses of TOML files; null for those of an {@link AddressPlan}.
     */
    public static ForwardingTables read(final Fabric fabric, final Path path, final Addressing addresses)
    {
        final RoutesReader reader = new RoutesReader(fabric);
        try
        {
            if (Files.isDirectory(path) || path.toString().endsWith(".toml"))
            {
                reader.readToml(path, addresses == null ? new AddressPlan(fabric) : addresses);
            }
            else
            {
                reader.readDump(path.toString(), Files.readAllLines(path));
            }
        }
        catch (final MalformedInputException ex)
        {
            throw UserException.usage(path + ": is not text; use TOML, opensm-lfts.dump or opensm.fdbs");
        }
        catch (final IOException ex)
        {
            throw TextFile.unreadable(path, ex);
        }
        return reader.tables;
    }

    private void readToml(final Path path, final Addressing addresses) throws IOException
    {
        final Map<IpPrefix, Integer> servers = new HashMap<>();
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            for (final IpPrefix prefix : addresses.prefixes(server))
            {
                servers.put(prefix, server);
            }
        }
        final List<Path> files;
        try (Stream<Path> found = Files.isDirectory(path) ? Files.list(path) : Stream.of(path))
        {
            files = found.filter(file -> file.toString().endsWith(".toml")).sorted().toList();
        }
        if (files.isEmpty())
        {
            throw UserException.usage(path + ": contains no SWITCH.toml; use the routes folder of a plan");
        }
        for (final Path file : files)
        {
            readToml(file, servers, addresses);
        }
    }

    private void readToml(final Path file, final Map<IpPrefix, Integer> servers, final Addressing addresses)
    {
        final ConfigProblems problems = new ConfigProblems(file);
        try
        {
            final TomlSection root = TomlFile.read(file, problems, KEYS);
            final String name = root.get(SWITCH);
            final int node = fabric.switchNamed(name);
            if (node < 0)
            {
                throw UserException.usage(file + ":1: unknown switch \"" + name + "\"; is this its topology?");
            }
            for (final TomlSection route : root.get(ROUTES))
            {
                readToml(node, route, servers, addresses);
            }
            problems.throwIfAny();
        }
        catch (final ConfigException ex)
        {
            throw UserException.usage(ex.problems().get(0));
        }
    }

    private void readToml(
        final int node, final TomlSection route, final Map<IpPrefix, Integer> servers, final Addressing addresses)
    {
        final IpPrefix prefix = route.get(PREFIX);
        final IpAddress via = route.get(VIA);
        if (prefix == null || via == null)
        {
            return;
        }
        final Integer server = servers.get(prefix);
        final int channel = channelTo(node, via, addresses);
        if (server == null)
        {
            route.wrong(PREFIX, "is not a server of the topology");
        }
        else if (channel < 0)
        {
            route.wrong(VIA, "is not at the other end of a cable of switch \"" + fabric.switchName(node) + "\"");
        }
        else if (addresses.prefixes(server).size() > 1 && tables.next(node, server) != ForwardingTables.NONE &&
            tables.next(node, server) != channel)
        {
            route.wrong(VIA, "is at another port than that of another prefix of the same server");
        }
        else
        {
            tables.set(node, server, channel);
        }
    }

    private int channelTo(final int node, final IpAddress address, final Addressing addresses)
    {
        for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
        {
            if (address.equals(addresses.port(fabric.reverse(channel), !address.isIpv4())))
            {
                return channel;
            }
        }
        return -1;
    }

    private void readDump(final String file, final List<String> lines)
    {
        final Dump dump = lines.stream().anyMatch(line -> line.startsWith("Unicast lids")) ? Dump.LFTS : Dump.FDBS;
        if (dump == Dump.FDBS && lines.stream().noneMatch(line -> dump.heading.matcher(line).matches()))
        {
            throw UserException.usage(file + ":1: no routes; use a folder of our TOML files, opensm-lfts.dump or " +
                "opensm.fdbs");
        }
        final List<Route> routes = routes(dump, file, lines);
        final Map<Long, Integer> servers = dump == Dump.LFTS ? serversByGuid() : serversByLid(routes);
        for (final Route route : routes)
        {
            final Integer server = servers.get(route.id());
            if (dump == Dump.LFTS && server == null)
            {
                throw UserException.usage(route.place() + ": unknown server port 0x" +
                    Long.toHexString(route.id()) + "; is this its topology?");
            }
            if (dump == Dump.LFTS || server != null && route.port() != 0)
            {
                add(route, server);
            }
        }
    }

    private List<Route> routes(final Dump dump, final String file, final List<String> lines)
    {
        final List<Route> routes = new ArrayList<>();
        int node = -1;
        for (int i = 0; i < lines.size(); i++)
        {
            final String line = lines.get(i);
            final String place = file + ":" + (i + 1);
            final Matcher heading = dump.heading.matcher(line);
            final Matcher route = dump.route.matcher(line);
            if (heading.matches())
            {
                node = switchWithGuid(place, Long.parseUnsignedLong(heading.group(1), 16));
            }
            else if (route.matches() && node >= 0)
            {
                routes.add(new Route(place, node, Long.parseUnsignedLong(route.group("id"), 16),
                    Integer.parseInt(route.group("port"))));
            }
            else if (line.startsWith("0x") && !dump.ignored.matcher(line).matches())
            {
                throw UserException.usage(place + ": \"" + line + "\" is not a route; the form is " + dump.form);
            }
        }
        return routes;
    }

    private Map<Long, Integer> serversByGuid()
    {
        final Map<Long, Integer> servers = new HashMap<>();
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            servers.put(fabric.serverGuid(server), server);
        }
        return servers;
    }

    /** Returns the server of each LID: a switch sends the LID to the port of its server. */
    private Map<Long, Integer> serversByLid(final List<Route> routes)
    {
        final Map<Long, Integer> servers = new HashMap<>();
        for (final Route route : routes)
        {
            final int end = fabric.firstServer(route.node() + 1);
            for (int server = fabric.firstServer(route.node()); server < end; server++)
            {
                if (fabric.serverPort(server) == route.port())
                {
                    servers.put(route.id(), server);
                }
            }
        }
        return servers;
    }

    private void add(final Route route, final int server)
    {
        final int node = route.node();
        if (fabric.serverSwitch(server) == node)
        {
            return;
        }
        for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
        {
            if (fabric.portNumber(channel) == route.port())
            {
                tables.set(node, server, channel);
                return;
            }
        }
        throw UserException.usage(route.place() + ": switch \"" + fabric.switchName(node) +
            "\" has no cable to another switch at port " + route.port() + "; is this its topology?");
    }

    private int switchWithGuid(final String place, final long guid)
    {
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (fabric.switchGuid(node) == guid)
            {
                return node;
            }
        }
        throw UserException.usage(place + ": unknown switch 0x" + Long.toHexString(guid) +
            "; give the topology as ibnetdiscover printed it, with GUIDs");
    }
}
