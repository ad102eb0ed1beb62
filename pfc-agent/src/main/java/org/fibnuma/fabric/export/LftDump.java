package org.fibnuma.fabric.export;

import org.fibnuma.core.UserException;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code opensm-lfts.dump} and what {@code dump_lfts.sh} prints: for each switch lines of a LID, a port and the
 * device that has the LID. Routes to switches are passed over.
 */
final class LftDump
{
    private static final Pattern SWITCH = Pattern.compile("^Unicast lids .* guid 0x([0-9a-fA-F]+) .*");
    private static final Pattern ROUTE = Pattern.compile(
        "^0x[0-9a-fA-F]+\\s+(\\d+)\\s.*Channel Adapter portguid 0x([0-9a-fA-F]+).*");
    private static final Pattern OTHER_ROUTE = Pattern.compile("^0x[0-9a-fA-F]+\\s+\\d+(\\s.*)?");

    private final Fabric fabric;
    private final String file;
    private final ForwardingTables tables;
    private final Map<Long, Integer> servers = new HashMap<>();

    LftDump(final Fabric fabric, final String file)
    {
        this.fabric = fabric;
        this.file = file;
        this.tables = new ForwardingTables(fabric);
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            servers.put(fabric.serverGuid(server), server);
        }
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
                final long guid = Long.parseUnsignedLong(route.group(2), 16);
                final Integer server = servers.get(guid);
                if (server == null)
                {
                    throw UserException.usage(place + ": unknown server port 0x" + Long.toHexString(guid) +
                        "; is this its topology?");
                }
                RoutesReader.route(tables, place, node, Integer.parseInt(route.group(1)), server);
            }
            else if (lines.get(i).startsWith("0x") && !OTHER_ROUTE.matcher(lines.get(i)).matches())
            {
                throw UserException.usage(place + ": \"" + lines.get(i) + "\" is no route: LID, port, device");
            }
        }
        return tables;
    }
}
