package org.fibnuma.fabric.export;

import org.fibnuma.core.UserException;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code opensm.fdbs}: for each switch lines of a LID and a port. It does not say whose the LIDs are; the LID
 * that a switch sends to a port with a server is that server's.
 */
final class FdbDump
{
    private static final Pattern SWITCH = Pattern.compile("^(?:dump_ucast_routes|\\S*): Switch 0x([0-9a-fA-F]+).*");
    private static final Pattern ROUTE = Pattern.compile("^0x([0-9a-fA-F]+)\\s*:\\s*(\\d+)\\s*:.*");
    private static final Pattern NO_ROUTE = Pattern.compile("^0x[0-9a-fA-F]+\\s*:\\s*UNREACHABLE.*");

    private final Fabric fabric;
    private final String file;
    private final Map<Integer, Integer> serverOfLid = new HashMap<>();
    private final List<Route> routes = new ArrayList<>();

    private record Route(String place, int node, int lid, int port)
    {
    }

    FdbDump(final Fabric fabric, final String file)
    {
        this.fabric = fabric;
        this.file = file;
    }

    static boolean isSwitchLine(final String line)
    {
        return SWITCH.matcher(line).matches();
    }

    ForwardingTables read(final List<String> lines)
    {
        int node = -1;
        for (int i = 0; i < lines.size(); i++)
        {
            final String place = file + ":" + (i + 1);
            final Matcher header = SWITCH.matcher(lines.get(i));
            final Matcher route = ROUTE.matcher(lines.get(i));
            if (header.matches())
            {
                node = RoutesReader.switchWithGuid(fabric, place, Long.parseUnsignedLong(header.group(1), 16));
            }
            else if (route.matches() && node >= 0)
            {
                final Route found = new Route(place, node, Integer.parseInt(route.group(1), 16),
                    Integer.parseInt(route.group(2)));
                routes.add(found);
                learn(found);
            }
            else if (lines.get(i).startsWith("0x") && !NO_ROUTE.matcher(lines.get(i)).matches())
            {
                throw UserException.usage(place + ": \"" + lines.get(i) + "\" is no route: LID : port : hops");
            }
        }
        return tables();
    }

    private void learn(final Route route)
    {
        final int end = fabric.firstServer(route.node() + 1);
        for (int server = fabric.firstServer(route.node()); server < end; server++)
        {
            if (fabric.serverPort(server) == route.port())
            {
                serverOfLid.put(route.lid(), server);
            }
        }
    }

    private ForwardingTables tables()
    {
        final ForwardingTables tables = new ForwardingTables(fabric);
        for (final Route route : routes)
        {
            final Integer server = serverOfLid.get(route.lid());
            if (server != null && route.port() != 0)
            {
                RoutesReader.route(tables, route.place(), route.node(), route.port(), server);
            }
        }
        return tables;
    }
}
