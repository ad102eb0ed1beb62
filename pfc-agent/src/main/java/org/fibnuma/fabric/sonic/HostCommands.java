package org.fibnuma.fabric.sonic;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.pfc.wire.MacControl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Commands for the hosts of a site, {@code hosts/HOST.sh} for each: {@code ip route} to all other subnets through the
 * switch, PFC and DSCPs of the switch's port by {@code dcb} of iproute2 or, with the argument {@code mlnx_qos}, by that
 * tool of NVIDIA, which also sets the cable length. Neighbours without a configured port get none. The site must be one
 * that {@link SonicPatches} has patched or that has PFC on already.
 */
public final class HostCommands
{
    /** Name of the folder. */
    public static final String FOLDER = "hosts";

    private final SonicSite site;
    private final SonicAddresses addresses;
    private final Map<String, List<String>> scripts = new TreeMap<>();

    /**
     * Collects the commands.
     *
     * @param site      the configurations.
     * @param addresses of the site.
     */
    public HostCommands(final SonicSite site, final SonicAddresses addresses)
    {
        this.site = site;
        this.addresses = addresses;
        for (int server = 0; server < site.hosts().size(); server++)
        {
            final SonicSite.HostInterface host = site.hosts().get(server);
            final SonicSwitch owner = site.switches().get(host.node());
            final PortQos qos = new PortQos(owner.database());
            for (final Map.Entry<String, SonicSwitch.Neighbor> neighbor : owner.neighbors().entrySet())
            {
                final String link = owner.link(neighbor.getKey());
                final boolean isHere = link.equals(host.interfaceName()) ||
                    host.interfaceName().equals(owner.vlan(link));
                if (isHere && !site.cables().containsKey(new SonicSite.End(owner.name(), neighbor.getKey())))
                {
                    addHost(server, owner, owner.ports().get(neighbor.getKey()), neighbor.getValue(), qos);
                }
            }
        }
    }

    private void addHost(
        final int server,
        final SonicSwitch owner,
        final SonicPort port,
        final SonicSwitch.Neighbor host,
        final PortQos qos)
    {
        final String device = host.port();
        if (device == null)
        {
            return;
        }
        if (!device.matches("[A-Za-z0-9._@-]{1,15}"))
        {
            throw owner.database().fault("DEVICE_NEIGHBOR", port.name(),
                "port is not the name of a Linux interface of host " + host.name() + "; correct it");
        }
        final List<String> lines = scripts.computeIfAbsent(host.name(), name -> new ArrayList<>());
        lines.add("# " + device + ": " + owner.name() + " " + port.name());
        addRoutes(server, owner, device, lines);
        addQos(port, device, qos, lines);
    }

    private void addRoutes(
        final int server, final SonicSwitch owner, final String device, final List<String> lines)
    {
        final String interfaceName = site.hosts().get(server).interfaceName();
        for (int other = 0; other < site.hosts().size(); other++)
        {
            for (final IpPrefix prefix : other == server ? List.<IpPrefix>of() : addresses.prefixes(other))
            {
                final SonicSwitch.Address gateway = owner.address(interfaceName, prefix.isIpv6());
                if (gateway != null)
                {
                    final IpAddress via = gateway.address();
                    lines.add((prefix.isIpv6() ? "ip -6 " : "ip ") + "route replace " + prefix + " via " + via +
                        " dev " + device);
                }
            }
        }
    }

    private static void addQos(
        final SonicPort port, final String device, final PortQos qos, final List<String> lines)
    {
        final Set<Integer> lossless = qos.lossless(port.name());
        final StringBuilder bits = new StringBuilder();
        final StringBuilder switches = new StringBuilder("all:off");
        final Map<Integer, Integer> priorities = new LinkedHashMap<>();
        for (int priority = 0; priority < MacControl.PRIORITIES; priority++)
        {
            bits.append(priority == 0 ? "" : ",").append(lossless.contains(priority) ? 1 : 0);
            switches.append(lossless.contains(priority) ? " " + priority + ":on" : "");
        }
        for (final int priority : lossless)
        {
            final Set<Integer> classes =
                new TreeSet<>(qos.classesOfQueue(port.name(), qos.queue(port.name(), priority)));
            qos.dscps(port.name(), classes).forEach(dscp -> priorities.put(dscp, priority));
        }
        lines.add("if [ \"$1\" = mlnx_qos ]");
        lines.add("then");
        lines.add("    mlnx_qos -i " + device + " --trust dscp --pfc " + bits +
            (port.cableMeters() > 0 ? " --cable_len " + port.cableMeters() : ""));
        priorities.forEach((dscp, priority) ->
            lines.add("    mlnx_qos -i " + device + " --dscp2prio set," + dscp + "," + priority));
        lines.add("else");
        lines.add("    dcb pfc set dev " + device + " prio-pfc " + switches);
        priorities.forEach((dscp, priority) ->
            lines.add("    dcb app replace dev " + device + " dscp-prio " + dscp + ":" + priority));
        lines.add("fi");
    }

    /**
     * Writes the scripts and replaces existing ones.
     *
     * @param folder for the folder of the scripts.
     * @throws IOException if one cannot be written.
     */
    public void write(final Path folder) throws IOException
    {
        final Path own = Files.createDirectories(folder.resolve(FOLDER));
        for (final Map.Entry<String, List<String>> script : scripts.entrySet())
        {
            final String file = script.getKey().replaceAll("[^A-Za-z0-9._-]", "_");
            Files.writeString(own.resolve(file + ".sh"),
                "#!/bin/sh\nset -e\n" + String.join("\n", script.getValue()) + "\n");
        }
    }
}
