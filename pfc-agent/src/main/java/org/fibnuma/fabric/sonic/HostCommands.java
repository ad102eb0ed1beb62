package org.fibnuma.fabric.sonic;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fabric.tables.Lanes;
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

/**
 * Commands for the hosts of a site, {@code hosts/HOST.sh} for each. They set {@code ip route} to all other subnets
 * through the switch. PFC and DSCPs get the values of the switch's port by {@code dcb} of iproute2 or, with the
 * argument {@code mlnx_qos}, by that tool of NVIDIA, which also sets the cable length.
 * <p>
 * In a plan with several lanes they also set the type of service that RDMA connections get by default
 * ({@code default_roce_tos} of rdma_cm in configfs, Linux 4.11). Its DSCP is that of the host's lane. Neighbours
 * without a configured port get no commands. PFC must be on at the site's ports, by {@link SonicPatches} or before.
 */
public final class HostCommands
{
    /** Name of the folder. */
    public static final String FOLDER = "hosts";

    private final SonicSite site;
    private final SonicAddresses addresses;
    private final Lanes lanes;
    private final Map<String, List<String>> scripts = new TreeMap<>();

    /** Collects the commands. Each host sends in its lane: lane 0 is the lowest lossless priority, lane 1 the next. */
    public HostCommands(final SonicSite site, final SonicAddresses addresses, final Lanes lanes)
    {
        this.lanes = lanes;
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
        if (lanes.count() > 1)
        {
            addLane(lanes.of(site.hosts().get(server).node()), owner, port, device, qos, lines);
        }
    }

    private void addLane(
        final int lane,
        final SonicSwitch owner,
        final SonicPort port,
        final String device,
        final PortQos qos,
        final List<String> lines)
    {
        final int priority = new ArrayList<>(qos.lossless(port.name())).get(lane);
        final Set<Integer> dscps = qos.dscps(port.name(), priority);
        if (dscps.isEmpty())
        {
            throw owner.database().fault("PORT_QOS_MAP", port.name(), "no DSCP is mapped to priority " + priority +
                ", lane " + lane + " of the plan; add one to dscp_to_tc_map");
        }
        final int dscp = dscps.iterator().next();
        final String parent = "/sys/class/net/" + device;
        lines.add("# Lane " + lane + ": all lossless traffic of this host has DSCP " + dscp + ", priority " + priority +
            ". Programs that set");
        lines.add("# their traffic class themselves need " + (dscp << 2) +
            " (NCCL_IB_TC, UCX_IB_TRAFFIC_CLASS); no other lossless DSCP is proved.");
        lines.add("for rdma in $(ls " + parent + "/device/infiniband 2>/dev/null)");
        lines.add("do");
        lines.add("    modprobe rdma_cm");
        lines.add("    mkdir -p /sys/kernel/config/rdma_cm/$rdma");
        lines.add("    echo " + (dscp << 2) + " > /sys/kernel/config/rdma_cm/$rdma/ports/$(($(cat " + parent +
            "/dev_port) + 1))/default_roce_tos");
        lines.add("done");
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
            qos.dscps(port.name(), priority).forEach(dscp -> priorities.put(dscp, priority));
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

    /** Writes the scripts below a folder and replaces existing ones. */
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
