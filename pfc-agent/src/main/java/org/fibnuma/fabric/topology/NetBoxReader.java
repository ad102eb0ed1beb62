package org.fibnuma.fabric.topology;

import org.fibnuma.core.UserException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Reads NetBox's export of cables (all data) or of interface connections, or a file in the form of its import, as CSV.
 * Planned and decommissioning cables are ignored.
 * <p>
 * The export has no roles of devices. A device is a server if all its cables lead to one other device and that has
 * further neighbours. A server with cables to two switches needs {@code devices.csv} beside the file: NetBox's export
 * of devices with the column Role. A role that contains server, host, compute, storage or gpu is that of a server, one
 * that contains patch or panel that of a patch panel. A server with several cables counts once for each.
 * <p>
 * Cables of power and consoles and those with an end that is no device, such as a circuit, are left out with a count.
 * They are found by the types of terminations or, if the export has none, by the names of ports. Cables are followed
 * through patch panels from a port to the port of the same number. A device whose name several sites have is called
 * {@code SITE/DEVICE}.
 */
final class NetBoxReader
{
    private static final String SERVER_ROLE = ".*(server|host|compute|storage|gpu).*";
    private static final String PANEL_ROLE = ".*(patch|panel).*";
    /** Names of ports of power and consoles, for exports without types. */
    private static final Pattern POWER_OR_CONSOLE = Pattern.compile(
        "(?i)(psu|ps|pem|pwr|power|outlet|feed|con|console|serial|aux|tty|usb)" +
            "([ _-]?(port|supply|in|out|module))?[ _-]?\\d*");
    private static final int DEVICE = 0;
    private static final int PORT = 1;
    private static final int TYPE = 2;
    private static final int SITE = 3;

    private final String file;
    private final FabricBuilder builder;
    private final Set<String> ignored;
    private final Set<String> ambiguous = new HashSet<>();
    private final Set<String> panels = new HashSet<>();
    private final Map<String, Integer> leftOut = new TreeMap<>();
    private final Set<End> joined = new HashSet<>();
    private final List<Cable> cables = new ArrayList<>();
    private final Map<String, Set<String>> neighbors = new TreeMap<>();
    private final Map<String, Boolean> serverRoles = new HashMap<>();

    private record Cable(int line, String deviceA, String portA, String deviceB, String portB)
    {
    }

    /** An end of a cable; the type is empty if the export has none. */
    private record End(String device, String port, String type)
    {
        boolean isPowerOrConsole()
        {
            return type.isEmpty() ? POWER_OR_CONSOLE.matcher(port).matches() : type.matches("(power|console).*");
        }

        boolean isElsewhere()
        {
            return !type.isEmpty() && !type.matches("interface|frontport|rearport");
        }

        String number()
        {
            return port.replaceAll("^.*?(\\d*)$", "$1");
        }
    }

    private record Far(int line, End end)
    {
    }

    private NetBoxReader(final String file, final Set<String> ignored)
    {
        this.ignored = ignored;
        this.file = file;
        this.builder = new FabricBuilder(file);
    }

    /** Returns whether a text begins with the header of an export of NetBox. */
    static boolean isExport(final String text)
    {
        final int end = text.indexOf('\n');
        final String header = (end < 0 ? text : text.substring(0, end)).toLowerCase(Locale.ROOT);
        return header.length() < 4096 && (header.contains("termination a") || header.contains("interface a") ||
            header.contains("side_a_device"));
    }

    /**
     * Reads an export.
     *
     * @param devices content of devices.csv, or null.
     * @param ignored names of devices and ports whose cables are left out.
     */
    static Fabric read(final String file, final String text, final String devices, final Set<String> ignored)
    {
        final NetBoxReader reader = new NetBoxReader(file, ignored);
        if (devices != null)
        {
            reader.readRoles(devices);
        }
        reader.readCables(new CsvRecords(file, text));
        return reader.build();
    }

    private void readRoles(final String devices)
    {
        final CsvRecords records = new CsvRecords("devices.csv", devices);
        final int name = records.column("name");
        final int role = records.column("role", "device role");
        if (name < 0 || role < 0)
        {
            throw UserException.usage("devices.csv:1: has no columns Name and Role; export all data of devices");
        }
        records.rows().forEach(row ->
        {
            final String text = row.values().get(role).toLowerCase(Locale.ROOT);
            serverRoles.put(row.values().get(name), text.matches(SERVER_ROLE));
            if (text.matches(PANEL_ROLE))
            {
                panels.add(row.values().get(name));
            }
        });
    }

    private void readCables(final CsvRecords records)
    {
        final int[] a = columns(records, "a");
        final int[] b = columns(records, "b");
        if (a[DEVICE] < 0 || b[DEVICE] < 0 || a[PORT] < 0 || b[PORT] < 0)
        {
            throw UserException.usage(file + ":1: has no columns Device A, Termination A, Device B and Termination " +
                "B; export all data of cables");
        }
        final int status = records.column("status");
        final int type = records.column("type");
        readNames(records, a, b);
        final Map<End, Far> fars = new LinkedHashMap<>();
        for (final CsvRecords.Row row : records.rows())
        {
            builder.at(file + ":" + row.line());
            final List<String> values = row.values();
            final boolean isConnected = status < 0 || values.get(status).isEmpty() ||
                values.get(status).equalsIgnoreCase("connected") || values.get(status).equalsIgnoreCase("active");
            if (isConnected && isOfNetwork(values, a, b, type))
            {
                addCable(row.line(), end(values, a), end(values, b), fars);
            }
        }
        builder.at(file);
        leftOut.forEach((reason, count) -> builder.leaveOut(count + " cables " + reason + " are left out"));
        fars.forEach((end, far) -> passPanels(end, far, fars));
    }

    private static int[] columns(final CsvRecords records, final String side)
    {
        return new int[]{
            records.column("device " + side, "side " + side, "side_" + side + "_device"),
            records.column("termination " + side, "interface " + side, "side_" + side + "_name"),
            records.column("termination " + side + " type", "side_" + side + "_type"),
            records.column("site " + side, "side_" + side + "_site")};
    }

    /** Finds names of devices that several sites have. */
    private void readNames(final CsvRecords records, final int[] a, final int[] b)
    {
        final Map<String, String> sites = new HashMap<>();
        for (final CsvRecords.Row row : records.rows())
        {
            for (final int[] side : List.of(a, b))
            {
                final String name = value(row.values(), side[DEVICE]);
                final String site = value(row.values(), side[SITE]);
                if (!site.isEmpty() && !sites.computeIfAbsent(name, key -> site).equals(site))
                {
                    ambiguous.add(name);
                }
            }
        }
    }

    private static String value(final List<String> values, final int column)
    {
        return column < 0 ? "" : values.get(column).strip();
    }

    private End end(final List<String> values, final int[] side)
    {
        final String name = value(values, side[DEVICE]);
        final String type = value(values, side[TYPE]).toLowerCase(Locale.ROOT).replaceAll("^dcim\\.|[ -]", "");
        return new End(
            ambiguous.contains(name) ? value(values, side[SITE]) + "/" + name : name, value(values, side[PORT]), type);
    }

    /** Returns whether a cable connects network ports of devices; counts any other cable by the reason. */
    private boolean isOfNetwork(final List<String> values, final int[] a, final int[] b, final int type)
    {
        final List<End> ends = List.of(end(values, a), end(values, b));
        String reason = null;
        if (value(values, type).equalsIgnoreCase("power") || ends.stream().anyMatch(End::isPowerOrConsole))
        {
            reason = "of power or consoles";
        }
        else if (ends.stream().anyMatch(end -> end.device().isEmpty() || end.port().isEmpty() || end.isElsewhere()))
        {
            reason = "of circuits, power feeds or other ends without a device";
        }
        else if (ends.stream().anyMatch(end -> ignored.contains(end.device()) || ignored.contains(end.port())))
        {
            reason = "of ignored devices or interfaces";
        }
        else if (ends.get(0).device().equals(ends.get(1).device()))
        {
            builder.leaveOut("a cable from device \"" + ends.get(0).device() + "\" to itself is left out");
            return false;
        }
        if (reason != null)
        {
            leftOut.merge(reason, 1, Integer::sum);
        }
        return reason == null;
    }

    private void addCable(final int line, final End a, final End b, final Map<End, Far> fars)
    {
        for (final String name : List.of(a.device(), a.port(), b.device(), b.port()))
        {
            if (name.contains(","))
            {
                throw builder.fault("\"" + name + "\" are several terminations, and the export does not contain " +
                    "which belong together; use the export of interface connections");
            }
        }
        if (fars.put(a, new Far(line, b)) != null || fars.put(b, new Far(line, a)) != null)
        {
            throw builder.fault("an end of this cable has another cable already (duplicate); remove one");
        }
    }

    /** Follows a cable from a device through patch panels to the other device. */
    private void passPanels(final End start, final Far first, final Map<End, Far> fars)
    {
        if (isPanel(start))
        {
            return;
        }
        Far far = first;
        for (int panels = 0; far != null && isPanel(far.end()) && panels <= fars.size(); panels++)
        {
            far = fars.get(behind(far.end(), fars));
        }
        if (far == null || isPanel(far.end()))
        {
            builder.at(file + ":" + first.line()).leaveOut("the cable of " + start.device() + " " + start.port() +
                " ends at a patch panel; it is left out");
        }
        else if (joined.add(start))
        {
            joined.add(far.end());
            final Cable cable =
                new Cable(first.line(), start.device(), start.port(), far.end().device(), far.end().port());
            cables.add(cable);
            neighbors.computeIfAbsent(cable.deviceA(), name -> new TreeSet<>()).add(cable.deviceB());
            neighbors.computeIfAbsent(cable.deviceB(), name -> new TreeSet<>()).add(cable.deviceA());
        }
    }

    private boolean isPanel(final End end)
    {
        return end.type().matches("(front|rear)port") || panels.contains(end.device());
    }

    /** Returns the port on the other side of a panel: the one with the same number. */
    private static End behind(final End end, final Map<End, Far> fars)
    {
        return fars.keySet().stream().filter(other -> other.device().equals(end.device()) && !other.equals(end) &&
            other.number().equals(end.number())).findFirst().orElse(null);
    }

    private boolean isServer(final String device)
    {
        if (!serverRoles.isEmpty())
        {
            return serverRoles.getOrDefault(device, false);
        }
        final Set<String> others = neighbors.get(device);
        return others.size() == 1 && neighbors.get(others.iterator().next()).size() > 1;
    }

    private Fabric build()
    {
        final Map<String, Integer> switches = new LinkedHashMap<>();
        builder.at(file);
        for (final String device : neighbors.keySet())
        {
            if (!isServer(device))
            {
                switches.put(device, builder.addSwitch(device, Fabric.NO_GUID, -1));
            }
        }
        for (final Cable cable : cables)
        {
            builder.at(file + ":" + cable.line());
            final Integer a = switches.get(cable.deviceA());
            final Integer b = switches.get(cable.deviceB());
            if (a != null && b != null)
            {
                builder.addParallelCable(a, cable.portA(), b, cable.portB());
            }
            else if (a != null)
            {
                builder.addServer(a, cable.deviceB());
            }
            else if (b != null)
            {
                builder.addServer(b, cable.deviceA());
            }
            else
            {
                throw builder.fault("connects two servers; correct their roles in devices.csv");
            }
        }
        return builder.at(file).build();
    }
}
