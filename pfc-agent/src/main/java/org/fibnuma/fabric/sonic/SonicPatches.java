package org.fibnuma.fabric.sonic;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.fabric.topology.Fabric;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * JSON Patches for {@code config apply-patch}, one for each SONiC switch, that apply a plan to its configuration. They
 * set STATIC_ROUTE for every subnet of hosts, and PFC, watchdog, headroom and ECN of every port with a neighbour. The
 * patched configurations have passed all checks.
 */
public final class SonicPatches
{
    /** Name of the folder of the patches. */
    public static final String FOLDER = "sonic";

    private static final String STATIC_ROUTE = "STATIC_ROUTE";
    private static final Set<Integer> DEFAULT_PRIORITIES = Set.of(3, 4);

    private final SonicSite site;
    private final Fabric fabric;
    private final ForwardingTables tables;
    private final Lanes lanes;
    private final SonicAddresses addresses;
    private final Map<String, SwitchTarget> targets = new LinkedHashMap<>();
    private SonicSite patched;

    private SonicPatches(
        final SonicSite site,
        final ForwardingTables tables,
        final Lanes lanes,
        final HeadroomRule headroom)
    {
        this.lanes = lanes;
        this.site = site;
        this.fabric = site.fabric();
        this.tables = tables;
        this.addresses = new SonicAddresses(site);
        site.switches().forEach(each -> targets.put(each.name(), new SwitchTarget(each, headroom)));
    }

    /**
     * Computes the patches and checks the patched configurations. Lane 0 is the lowest lossless priority, lane 1 the
     * next.
     *
     * @param tables the planned routes of the site's fabric.
     * @throws UserException with one line: with exit status 2 if a configuration lacks what the plan needs, with exit
     *                       status 1 if a check of the patched configurations fails.
     */
    public static SonicPatches of(
        final SonicSite site,
        final ForwardingTables tables,
        final Lanes lanes,
        final HeadroomRule headroom)
    {
        final SonicPatches patches = new SonicPatches(site, tables, lanes, headroom);
        patches.setRoutes();
        patches.setPorts();
        patches.requireThatChecksPass(headroom);
        return patches;
    }

    private void setRoutes()
    {
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            for (int server = 0; server < fabric.serverCount(); server++)
            {
                if (fabric.serverSwitch(server) != node && tables.next(node, server) != ForwardingTables.NONE)
                {
                    for (final IpPrefix subnet : addresses.prefixes(server))
                    {
                        setRoute(targets.get(fabric.switchName(node)), subnet, tables.next(node, server));
                    }
                }
            }
        }
    }

    private void setRoute(final SwitchTarget target, final IpPrefix subnet, final int channel)
    {
        final String key = target.database().entries(STATIC_ROUTE).keySet().stream()
            .filter(each -> each.equals(subnet.toString()) || each.equals("default|" + subnet))
            .findFirst().orElse("default|" + subnet);
        final ObjectNode entry = target.entry(STATIC_ROUTE, key);
        entry.remove(List.of("distance", "blackhole", "nexthop-vrf"));
        for (final String list : List.of("advertise", "bfd"))
        {
            // Such a list has one item for each next hop, of which there is one now.
            if (entry.path(list).asText().contains(","))
            {
                entry.remove(list);
            }
        }
        entry.put("nexthop", via(channel, subnet.isIpv6()));
        entry.put("ifname", fabric.portName(channel));
    }

    /** Returns the address at the other end of a channel. */
    private String via(final int channel, final boolean isIpv6)
    {
        final IpAddress address = addresses.port(fabric.reverse(channel), isIpv6);
        if (address == null)
        {
            throw targets.get(fabric.switchName(fabric.target(channel))).database().fault("INTERFACE",
                fabric.portName(fabric.reverse(channel)), "has no " + (isIpv6 ? "IPv6" : "IPv4") +
                " address, which routes through it need; add one");
        }
        return address.toString();
    }

    private void setPorts()
    {
        final Set<Integer> priorities = new TreeSet<>();
        for (final SonicSwitch each : site.switches())
        {
            final PortQos qos = new PortQos(each.database());
            each.neighbors().keySet().forEach(port -> priorities.addAll(qos.lossless(port)));
        }
        if (priorities.isEmpty())
        {
            priorities.addAll(DEFAULT_PRIORITIES);
        }
        for (final SonicSwitch each : site.switches())
        {
            final Set<String> ports = new TreeSet<>(each.neighbors().keySet());
            site.cables().keySet().stream().filter(end -> end.switchName().equals(each.name()))
                .forEach(end -> ports.add(end.port()));
            for (final String name : ports)
            {
                final SonicSite.End far = site.cables().get(new SonicSite.End(each.name(), name));
                final int peerMtu = far == null ? 0 : site.port(far).mtu();
                final SonicPort port = each.ports().get(name);
                targets.get(each.name()).makeLossless(port, priorities, Math.max(port.mtu(), peerMtu));
            }
        }
    }

    private void requireThatChecksPass(final HeadroomRule headroom)
    {
        final Map<String, ConfigDatabase> databases = new LinkedHashMap<>();
        targets.forEach((name, target) -> databases.put(name, target.database()));
        patched = site.with(databases);
        final SonicCheck check = SonicCheck.ofStaticRoutes(patched, lanes, headroom);
        final List<Finding> errors = check.findings().stream().filter(Finding::isError).toList();
        if (!errors.isEmpty())
        {
            throw new UserException("sonic: " + errors.size() + " errors remain after the patches, the first at " +
                errors.get(0).place() + ": " + errors.get(0).text());
        }
    }

    /** {@return the site with the patches applied} */
    public SonicSite patched()
    {
        return patched;
    }

    /** {@return the operations for each switch, by its name; empty where nothing is to be changed} */
    Map<String, ArrayNode> patches()
    {
        final Map<String, ArrayNode> patches = new LinkedHashMap<>();
        for (final SonicSwitch each : site.switches())
        {
            patches.put(each.name(),
                JsonPatch.between(each.database().root(), targets.get(each.name()).database().root()));
        }
        return patches;
    }

    /** Writes {@code sonic/SWITCH.patch.json} for each switch and replaces existing ones. */
    public void write(final Path folder) throws IOException
    {
        final ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        final Path own = Files.createDirectories(folder.resolve(FOLDER));
        for (final Map.Entry<String, ArrayNode> patch : patches().entrySet())
        {
            final String file = patch.getKey().replaceAll("[^A-Za-z0-9._-]", "_");
            Files.writeString(own.resolve(file + ".patch.json"), mapper.writeValueAsString(patch.getValue()) + "\n");
        }
    }
}
