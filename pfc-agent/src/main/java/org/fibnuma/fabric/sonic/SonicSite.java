package org.fibnuma.fabric.sonic;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.FabricBuilder;
import org.fibnuma.fabric.topology.TextFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The configurations of all switches of a network, in a folder {@code NAME/config_db.json} for each.
 * <p>
 * Cables come from DEVICE_NEIGHBOR. One of the two ends is enough; if both are configured, they must agree. A neighbour
 * without a configuration is a host. A cable of the {@link Fabric} is an interface that routes: a port, or a port
 * channel with all its members. A server of the fabric is an interface towards hosts with its subnets: a port, a port
 * channel or a VLAN. Switches have a route for a subnet and not for each host.
 */
public final class SonicSite
{
    /** Name of the configuration file in the folder of a switch. */
    public static final String CONFIG = "config_db.json";

    private final Path folder;
    private final Map<String, SonicSwitch> switches = new LinkedHashMap<>();
    private final Map<String, Path> folders = new TreeMap<>();
    private final Map<End, End> cables = new LinkedHashMap<>();
    private final List<HostInterface> hosts = new ArrayList<>();
    private final Fabric fabric;

    /** A port of a switch. */
    record End(String switchName, String port)
    {
        @Override
        public String toString()
        {
            return switchName + " " + port;
        }
    }

    /** An interface towards hosts; the index in the list is the number of the fabric's server. */
    record HostInterface(int node, String interfaceName, List<IpPrefix> subnets)
    {
    }

    private SonicSite(final Path folder, final Map<String, ConfigDatabase> databases)
    {
        this.folder = folder;
        databases.forEach(this::addSwitch);
        switches.values().forEach(this::joinNeighbors);
        this.fabric = build();
    }

    /** {@return whether a path is a folder with a folder that contains a {@value #CONFIG}} */
    public static boolean isSite(final Path folder)
    {
        if (!Files.isDirectory(folder))
        {
            return false;
        }
        try (Stream<Path> found = Files.list(folder))
        {
            return found.anyMatch(path -> Files.isRegularFile(path.resolve(CONFIG)));
        }
        catch (final IOException ex)
        {
            throw TextFile.unreadable(folder, ex);
        }
    }

    /**
     * Reads the configurations in a folder with a folder for each switch.
     *
     * @throws UserException with one line, if a configuration is unusable, two contradict each other, or the network is
     *                       not connected.
     */
    public static SonicSite read(final Path folder)
    {
        final Map<String, ConfigDatabase> databases = new TreeMap<>();
        try (Stream<Path> found = Files.list(folder))
        {
            for (final Path path : found.filter(path -> Files.isRegularFile(path.resolve(CONFIG))).sorted().toList())
            {
                databases.put(path.getFileName().toString(), ConfigDatabase.read(path.resolve(CONFIG)));
            }
        }
        catch (final IOException ex)
        {
            throw TextFile.unreadable(folder, ex);
        }
        if (databases.isEmpty())
        {
            throw UserException.usage(folder + ": contains no NAME/" + CONFIG + "; make a folder for each switch");
        }
        return new SonicSite(folder, databases);
    }

    /** Returns the same network with other configurations, by the names of the folders. */
    SonicSite with(final Map<String, ConfigDatabase> databases)
    {
        return new SonicSite(folder, databases);
    }

    private void addSwitch(final String name, final ConfigDatabase database)
    {
        final SonicSwitch added = new SonicSwitch(database, name);
        final SonicSwitch other = switches.put(added.name(), added);
        if (other != null)
        {
            throw UserException.usage(database.file() + ": DEVICE_METADATA|localhost: hostname \"" + added.name() +
                "\" is that of " + other.database().file() + " too; rename one");
        }
        folders.put(added.name(), folder.resolve(name));
    }

    private void joinNeighbors(final SonicSwitch here)
    {
        here.neighbors().forEach((port, neighbor) ->
        {
            final SonicSwitch there = switches.get(neighbor.name());
            if (there != null)
            {
                final SonicPort far = neighbor.port() == null ? null : there.portNamed(neighbor.port());
                if (far == null)
                {
                    throw here.database().fault("DEVICE_NEIGHBOR", port, "switch " + there.name() + " has no port \"" +
                        (neighbor.port() == null ? "" : neighbor.port()) + "\"; correct name or port");
                }
                join(here, new End(here.name(), port), new End(there.name(), far.name()));
            }
        });
    }

    private void join(final SonicSwitch here, final End near, final End far)
    {
        final End known = cables.put(near, far);
        final End back = cables.put(far, near);
        if (known != null && !known.equals(far))
        {
            throw contradiction(here, near, far, near, known);
        }
        if (back != null && !back.equals(near))
        {
            throw contradiction(here, near, far, far, back);
        }
        final SonicSwitch.Neighbor answer = switches.get(far.switchName()).neighbors().get(far.port());
        if (answer != null && !answer.name().equals(near.switchName()))
        {
            throw contradiction(here, near, far, far, answer.name());
        }
    }

    private static UserException contradiction(
        final SonicSwitch here, final End near, final End far, final End end, final Object other)
    {
        return here.database().fault("DEVICE_NEIGHBOR", near.port(), "is connected to " + far + ", but " + end +
            " is connected to " + other + "; correct one of them");
    }

    private Fabric build()
    {
        final FabricBuilder builder = new FabricBuilder(folder.toString());
        switches.keySet().forEach(name -> builder.addSwitch(name, Fabric.NO_GUID, -1));
        final Map<End, End> links = new LinkedHashMap<>();
        cables.forEach((near, far) ->
        {
            final End here = link(near);
            final End there = link(far);
            final End known = links.putIfAbsent(here, there);
            if (known != null && !known.equals(there))
            {
                throw switches.get(near.switchName()).database().fault("PORTCHANNEL_MEMBER", here.port(),
                    "its members lead to " + known + " and to " + there + "; correct one");
            }
        });
        int node = 0;
        for (final SonicSwitch each : switches.values())
        {
            builder.at(each.database().file());
            each.leftOut().forEach(finding -> builder.leaveOut(finding.place() + ": " + finding.text()));
            for (final Map.Entry<String, List<IpPrefix>> host : hostInterfaces(each, links).entrySet())
            {
                hosts.add(new HostInterface(node, host.getKey(), host.getValue()));
                builder.addServer(node, serverName(each, host.getKey()));
            }
            node++;
        }
        links.forEach((here, there) ->
        {
            if (builder.require(here.switchName()) < builder.require(there.switchName()))
            {
                builder.addParallelCable(builder.require(here.switchName()), here.port(),
                    builder.require(there.switchName()), there.port());
            }
        });
        return builder.build();
    }

    private End link(final End end)
    {
        return new End(end.switchName(), switches.get(end.switchName()).link(end.port()));
    }

    /** Returns the subnets of each interface that has an address or a host and does not lead to a switch. */
    private static Map<String, List<IpPrefix>> hostInterfaces(final SonicSwitch here, final Map<End, End> links)
    {
        final Map<String, List<IpPrefix>> found = new LinkedHashMap<>();
        for (final String port : here.neighbors().keySet())
        {
            final String link = here.link(port);
            if (!links.containsKey(new End(here.name(), link)))
            {
                found.putIfAbsent(here.vlan(link) == null ? link : here.vlan(link), new ArrayList<>());
            }
        }
        for (final SonicSwitch.Address address : here.addresses())
        {
            final boolean isHost = here.vrf(address.interfaceName()) == null &&
                !links.containsKey(new End(here.name(), address.interfaceName()));
            if (isHost)
            {
                final List<IpPrefix> subnets =
                    found.computeIfAbsent(address.interfaceName(), name -> new ArrayList<>());
                if (!subnets.contains(address.subnet()))
                {
                    subnets.add(address.subnet());
                }
            }
        }
        return found;
    }

    private static String serverName(final SonicSwitch here, final String interfaceName)
    {
        final SonicSwitch.Neighbor neighbor = here.neighbors().get(interfaceName);
        return neighbor == null ? here.name() + ":" + interfaceName : neighbor.name();
    }

    /** {@return switches, cables and servers} */
    public Fabric fabric()
    {
        return fabric;
    }

    /** {@return the switches in the order of the fabric} */
    List<SonicSwitch> switches()
    {
        return List.copyOf(switches.values());
    }

    Path folder(final String switchName)
    {
        return folders.get(switchName);
    }

    /** {@return the other end of each port that leads to a switch, in both directions} */
    Map<End, End> cables()
    {
        return cables;
    }

    /** {@return the interfaces towards hosts, by the number of the fabric's server} */
    List<HostInterface> hosts()
    {
        return hosts;
    }

    SonicSwitch owner(final End end)
    {
        return switches.get(end.switchName());
    }

    SonicPort port(final End end)
    {
        return owner(end).ports().get(end.port());
    }

    /** {@return a channel as {@code source interface -> target interface}} */
    String describe(final int channel)
    {
        return fabric.switchName(fabric.source(channel)) + " " + fabric.portName(channel) + " -> " +
            fabric.switchName(fabric.target(channel)) + " " + fabric.portName(fabric.reverse(channel));
    }
}
