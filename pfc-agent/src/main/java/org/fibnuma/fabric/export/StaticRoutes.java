package org.fibnuma.fabric.export;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes tables as static routes with the addresses of an {@link AddressPlan}, two files for each switch:
 * {@code routes/SWITCH.toml} with {@code [[route]]} tables for the router's configuration, and
 * {@code ip-route/SWITCH.sh} with commands of iproute2.
 */
public final class StaticRoutes
{
    /** Name of the folder of the TOML files. */
    public static final String TOML_FOLDER = "routes";
    /** Name of the folder of the ip route commands. */
    public static final String IP_ROUTE_FOLDER = "ip-route";

    private final ForwardingTables tables;
    private final Fabric fabric;
    private final AddressPlan addresses;

    /**
     * Prepares to write.
     *
     * @param tables the routes.
     */
    public StaticRoutes(final ForwardingTables tables)
    {
        this.tables = tables;
        this.fabric = tables.fabric();
        this.addresses = new AddressPlan(fabric);
    }

    /**
     * Writes both files of every switch and replaces existing ones.
     *
     * @param folder for the two folders.
     * @throws IOException if one cannot be written.
     */
    public void write(final Path folder) throws IOException
    {
        final Path toml = Files.createDirectories(folder.resolve(TOML_FOLDER));
        final Path lines = Files.createDirectories(folder.resolve(IP_ROUTE_FOLDER));
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            final String file = fabric.switchName(node).replaceAll("[^A-Za-z0-9._-]", "_");
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(toml.resolve(file + ".toml"))))
            {
                writeToml(node, out);
            }
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(lines.resolve(file + ".sh"))))
            {
                writeLines(node, out);
            }
        }
    }

    private void writeToml(final int node, final PrintWriter out)
    {
        out.println("switch = \"" + fabric.switchName(node) + "\"");
        for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
        {
            out.println("# port " + fabric.portName(channel) + ": " + address(addresses.ofPort(channel)) + "/31, to " +
                fabric.switchName(fabric.target(channel)) + " port " + fabric.portName(fabric.reverse(channel)));
        }
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            if (hasRoute(node, server))
            {
                out.println();
                out.println("[[route]] # " + fabric.serverName(server));
                out.println("prefix = \"" + address(addresses.ofServer(server)) + "/32\"");
                out.println("via = \"" + via(node, server) + "\"");
            }
        }
    }

    private void writeLines(final int node, final PrintWriter out)
    {
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            if (hasRoute(node, server))
            {
                out.println("ip route replace " + address(addresses.ofServer(server)) + "/32 via " +
                    via(node, server) + " dev " + fabric.portName(tables.next(node, server)));
            }
        }
    }

    private boolean hasRoute(final int node, final int server)
    {
        return fabric.serverSwitch(server) != node && tables.next(node, server) != ForwardingTables.NONE;
    }

    private String via(final int node, final int server)
    {
        return address(addresses.ofPort(fabric.reverse(tables.next(node, server))));
    }

    private static String address(final int address)
    {
        return Ipv4Address.format(address);
    }
}
