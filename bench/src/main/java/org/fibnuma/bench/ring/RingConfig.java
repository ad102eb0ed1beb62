package org.fibnuma.bench.ring;

import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fabric.export.AddressPlan;
import org.fibnuma.fabric.export.StaticRoutes;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;

import java.io.IOException;
import java.nio.file.Files;
import java.util.function.IntFunction;

/**
 * Configuration of each router process of a ring: links of the ring in shared memory, hosts over AF_XDP, lossless
 * buffers without a watchdog, and the routes as {@link StaticRoutes} exports them. The network between server n and its
 * router is 192.168.n.0/24.
 * <p>
 * Buffers are a few times as large as what arrives before a pause takes effect: two full rings.
 */
final class RingConfig
{
    private static final String ROUTER = "control = \"static\"\ncores = []\ntx-ring-size = 64\n";
    private static final String BUFFERS = "poll-us = 5000\nheadroom-bytes = 1000000\nxoff-bytes = 300000\n" +
        "xon-bytes = 10000\nwatchdog = \"off\"\n";
    private static final long MAC = MacAddress.parse("02:00:00:00:01:00");

    private final ForwardingTables tables;
    private final Fabric fabric;
    private final AddressPlan addresses;
    private final long bitsPerSecond;

    RingConfig(final ForwardingTables tables, final long bitsPerSecond)
    {
        this.tables = tables;
        this.fabric = tables.fabric();
        this.addresses = new AddressPlan(fabric);
        this.bitsPerSecond = bitsPerSecond;
    }

    String routerName(final int node)
    {
        return "ring-" + ProcessHandle.current().pid() + "-" + fabric.switchName(node);
    }

    /**
     * Returns the configuration of a router.
     *
     * @param node    of the router.
     * @param hostMac returns the MAC address of a server.
     * @return TOML.
     */
    String of(final int node, final IntFunction<String> hostMac)
    {
        final StringBuilder text = new StringBuilder("[router]\nname = \"" + routerName(node) + "\"\n" + ROUTER +
            "[pfc]\nlossless = [" + RouterRing.PRIORITY + "]\nspeed = \"" + bitsPerSecond / 1_000_000 + "M\"\n" +
            BUFFERS);
        for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
        {
            final int back = fabric.reverse(channel);
            final String device =
                "shm:" + routerName(0) + "-" + Math.min(channel, back) + (channel < back ? "" : "@far");
            link(text, fabric.portName(channel), device, address(addresses.ofPort(channel)) + "/31",
                address(addresses.ofPort(back)), MacAddress.format(MAC + back));
            text.append("mac = \"" + MacAddress.format(MAC + channel) + "\"\n");
        }
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            if (fabric.serverSwitch(server) == node)
            {
                final String gateway = "192.168." + server + ".2";
                final String name = fabric.serverName(server);
                link(text, name, "xdp:" + name, "192.168." + server + ".1/24", gateway, hostMac.apply(server));
                text.append("[[route]]\nprefix = \"" + address(addresses.ofServer(server)) + "/32\"\nvia = \"" +
                    gateway + "\"\n");
            }
        }
        return text + exportedRoutes(node);
    }

    private static String address(final int address)
    {
        return Ipv4Address.format(address);
    }

    private static void link(
        final StringBuilder text,
        final String port,
        final String device,
        final String prefix,
        final String neighbor,
        final String neighborMac)
    {
        text.append("[[neighbor]]\naddress = \"" + neighbor + "\"\nmac = \"" + neighborMac + "\"\n" +
            "[[port]]\nname = \"" + port + "\"\ndevice = \"" + device + "\"\naddress = [\"" + prefix + "\"]\n");
    }

    private String exportedRoutes(final int node)
    {
        try (TemporaryDirectory folder = TemporaryDirectory.create("ring"))
        {
            new StaticRoutes(tables).write(folder.path());
            return Files.readString(
                folder.path().resolve(StaticRoutes.TOML_FOLDER).resolve(fabric.switchName(node) + ".toml"))
                .replaceFirst("(?m)^switch = .*$", "");
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot export routes: " + ex.getMessage(), ex);
        }
    }
}
