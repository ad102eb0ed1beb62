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

/**
 * Reads NetBox's export of cables (all data) or of interface connections, or a file in the form of its import, as CSV.
 * Planned and decommissioning cables are ignored. The export has no roles of devices: a device whose cables all lead to
 * one other device, which has further neighbours, is a server; a server with cables to two switches needs
 * {@code devices.csv}, NetBox's export of devices with the column Role, beside the file. There a role that contains
 * server, host, compute, storage or gpu is that of a server. A server with several cables counts once for each.
 */
final class NetBoxReader
{
    private static final String SERVER_ROLE = ".*(server|host|compute|storage|gpu).*";

    private final String file;
    private final FabricBuilder builder;
    private final List<Cable> cables = new ArrayList<>();
    private final Map<String, Set<String>> neighbors = new TreeMap<>();
    private final Map<String, Boolean> serverRoles = new HashMap<>();

    private record Cable(int line, String deviceA, String portA, String deviceB, String portB)
    {
    }

    private NetBoxReader(final String file)
    {
        this.file = file;
        this.builder = new FabricBuilder(file);
    }

    /** Returns whether a text begins with the header of such an export. */
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
     * @param file    starts the messages of faults.
     * @param text    its content.
     * @param devices content of devices.csv, or null.
     */
    static Fabric read(final String file, final String text, final String devices)
    {
        final NetBoxReader reader = new NetBoxReader(file);
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
        records.rows().forEach(row -> serverRoles.put(row.values().get(name),
            row.values().get(role).toLowerCase(Locale.ROOT).matches(SERVER_ROLE)));
    }

    private void readCables(final CsvRecords records)
    {
        final int deviceA = records.column("device a", "side a", "side_a_device");
        final int deviceB = records.column("device b", "side b", "side_b_device");
        final int portA = records.column("termination a", "interface a", "side_a_name");
        final int portB = records.column("termination b", "interface b", "side_b_name");
        if (deviceA < 0 || deviceB < 0 || portA < 0 || portB < 0)
        {
            throw UserException.usage(file + ":1: has no columns Device A, Termination A, Device B and Termination " +
                "B; export all data of cables");
        }
        final int status = records.column("status");
        final Set<String> used = new HashSet<>();
        for (final CsvRecords.Row row : records.rows())
        {
            final List<String> values = row.values();
            final boolean isConnected = status < 0 || values.get(status).isEmpty() ||
                values.get(status).equalsIgnoreCase("connected") || values.get(status).equalsIgnoreCase("active");
            if (isConnected)
            {
                add(new Cable(row.line(), values.get(deviceA).strip(), values.get(portA).strip(),
                    values.get(deviceB).strip(), values.get(portB).strip()), used);
            }
        }
    }

    private void add(final Cable cable, final Set<String> used)
    {
        builder.at(file + ":" + cable.line());
        for (final String end : List.of(cable.deviceA(), cable.portA(), cable.deviceB(), cable.portB()))
        {
            if (end.isEmpty())
            {
                throw builder.fault("an end of the cable has no device or no termination; remove the cable");
            }
            if (end.contains(","))
            {
                throw builder.fault("\"" + end + "\" are several terminations, and the export does not contain " +
                    "which belong together; use the export of interface connections");
            }
        }
        if (cable.deviceA().equals(cable.deviceB()))
        {
            throw builder.fault("device \"" + cable.deviceA() + "\" is connected to itself");
        }
        if (!used.add(cable.deviceA() + '\n' + cable.portA()) || !used.add(cable.deviceB() + '\n' + cable.portB()))
        {
            throw builder.fault("an end of this cable has another cable already (duplicate); remove one");
        }
        cables.add(cable);
        neighbors.computeIfAbsent(cable.deviceA(), name -> new TreeSet<>()).add(cable.deviceB());
        neighbors.computeIfAbsent(cable.deviceB(), name -> new TreeSet<>()).add(cable.deviceA());
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
