package org.fibnuma.fabric.export;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Writes tables as static routes of IPv4 and IPv6, three files for each switch. {@code routes/SWITCH.toml} has
 * {@code [[route]]} tables for the router's configuration, {@code ip-route/SWITCH.sh} commands of iproute2,
 * {@code frr/SWITCH.conf} lines for FRR's staticd.
 */
public final class StaticRoutes
{
    /** Name of the folder of the TOML files. */
    public static final String TOML_FOLDER = "routes";
    /** Name of the folder of the ip route commands. */
    public static final String IP_ROUTE_FOLDER = "ip-route";
    /** Name of the folder of the FRR configurations. */
    public static final String FRR_FOLDER = "frr";

    private final ForwardingTables tables;
    private final Fabric fabric;
    private final Addressing addresses;
    private final List<List<IpPrefix>> prefixes;
    private final String[][] prefixTexts;
    /** The address behind each channel as text, of IPv4 and IPv6; null without one. */
    private final String[][] vias;

    @FunctionalInterface
    private interface RouteWriter
    {
        void route(int server, String prefix, boolean isIpv6, int channel, String via);
    }

    /** Prepares to write tables with the addresses of an {@link AddressPlan}. */
    public StaticRoutes(final ForwardingTables tables)
    {
        this(tables, new AddressPlan(tables.fabric()));
    }

    /**
     * Prepares to write tables with a site's addresses.
     *
     * @throws UserException if the other end of a used cable has no address of a server's family.
     */
    public StaticRoutes(final ForwardingTables tables, final Addressing addresses)
    {
        this.tables = tables;
        this.fabric = tables.fabric();
        this.addresses = addresses;
        this.prefixes = IntStream.range(0, fabric.serverCount()).mapToObj(addresses::prefixes).toList();
        this.prefixTexts = prefixes.stream()
            .map(list -> list.stream().map(IpPrefix::toString).toArray(String[]::new)).toArray(String[][]::new);
        this.vias = new String[][]{vias(false), vias(true)};
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            forEachRoute(node, this::requireAddress);
        }
    }

    private String[] vias(final boolean isIpv6)
    {
        return IntStream.range(0, fabric.channelCount())
            .mapToObj(channel -> addresses.port(fabric.reverse(channel), isIpv6))
            .map(address -> address == null ? null : address.toString()).toArray(String[]::new);
    }

    private void requireAddress(
        final int server, final String prefix, final boolean isIpv6, final int channel, final String via)
    {
        if (via == null)
        {
            throw UserException.usage("port " + fabric.portName(fabric.reverse(channel)) + " of switch \"" +
                fabric.switchName(fabric.target(channel)) + "\" has no " + (isIpv6 ? "IPv6" : "IPv4") +
                " address, which the route to " + prefix + " needs; add one");
        }
    }

    /** Writes the files of every switch, in three folders below a folder, and replaces existing ones. */
    public void write(final Path folder) throws IOException
    {
        final Path toml = Files.createDirectories(folder.resolve(TOML_FOLDER));
        final Path lines = Files.createDirectories(folder.resolve(IP_ROUTE_FOLDER));
        final Path frr = Files.createDirectories(folder.resolve(FRR_FOLDER));
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            final String file = fabric.switchName(node).replaceAll("[^A-Za-z0-9._-]", "_");
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(toml.resolve(file + ".toml"))))
            {
                writeToml(node, out);
            }
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(lines.resolve(file + ".sh"))))
            {
                forEachRoute(node, (server, prefix, isIpv6, channel, via) -> write(out, isIpv6 ? "ip -6 " : "ip ",
                    "route replace ", prefix, " via ", via, " dev ", fabric.portName(channel), "\n"));
            }
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(frr.resolve(file + ".conf"))))
            {
                forEachRoute(node, (server, prefix, isIpv6, channel, via) -> write(out, isIpv6 ? "ipv6" : "ip",
                    " route ", prefix, " ", via, " ", fabric.portName(channel), "\n"));
            }
        }
    }

    private static void write(final PrintWriter out, final String... parts)
    {
        for (final String part : parts)
        {
            out.write(part);
        }
    }

    private void writeToml(final int node, final PrintWriter out)
    {
        out.println("switch = \"" + fabric.switchName(node) + "\"");
        for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
        {
            for (final boolean isIpv6 : new boolean[]{false, true})
            {
                if (addresses.port(channel, isIpv6) != null)
                {
                    out.println("# port " + fabric.portName(channel) + ": " + addresses.port(channel, isIpv6) +
                        ", to " + fabric.switchName(fabric.target(channel)) + " port " +
                        fabric.portName(fabric.reverse(channel)));
                }
            }
        }
        forEachRoute(node, (server, prefix, isIpv6, channel, via) -> write(out, "\n[[route]] # ",
            fabric.serverName(server), "\nprefix = \"", prefix, "\"\nvia = \"", via, "\"\n"));
    }

    private void forEachRoute(final int node, final RouteWriter writer)
    {
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            final int channel = tables.next(node, server);
            if (fabric.serverSwitch(server) == node || channel == ForwardingTables.NONE)
            {
                continue;
            }
            for (int i = 0; i < prefixTexts[server].length; i++)
            {
                final boolean isIpv6 = prefixes.get(server).get(i).isIpv6();
                writer.route(server, prefixTexts[server][i], isIpv6, channel, vias[isIpv6 ? 1 : 0][channel]);
            }
        }
    }
}
