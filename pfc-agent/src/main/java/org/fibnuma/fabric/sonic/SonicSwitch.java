package org.fibnuma.fabric.sonic;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.pfc.quanta.LinkSpeed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A switch as its configuration describes it: ports, neighbours, port channels, VLANs, addresses, static routes. */
final class SonicSwitch
{
    private static final String DEVICE_METADATA = "DEVICE_METADATA";
    private static final String LOCALHOST = "localhost";
    private static final int DEFAULT_MTU = 9100;
    private static final Pattern CABLE = Pattern.compile("(\\d{1,6})m");
    private static final List<String> INTERFACE_TABLES =
        List.of("INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE", "VLAN_SUB_INTERFACE");

    private final ConfigDatabase database;
    private final String name;
    private final Map<String, SonicPort> ports = new LinkedHashMap<>();
    private final Map<String, Neighbor> neighbors = new LinkedHashMap<>();
    private final Map<String, String> portChannels = new TreeMap<>();
    private final Map<String, String> vlans = new TreeMap<>();
    private final Map<String, String> vrfs = new TreeMap<>();
    private final List<Address> addresses = new ArrayList<>();
    private final List<Finding> leftOut = new ArrayList<>();

    /** The device at the other end of a port's cable; its port is null if it is not configured. */
    record Neighbor(String name, String port)
    {
    }

    record Address(String interfaceName, IpAddress address, int length)
    {
        IpPrefix subnet()
        {
            return IpPrefix.of(address, length);
        }
    }

    /**
     * Interprets a configuration.
     *
     * @param folder name of the switch if the configuration contains no hostname.
     * @throws UserException with one line, for a field of a wrong type and for names that do not exist.
     */
    SonicSwitch(final ConfigDatabase database, final String folder)
    {
        this.database = database;
        final String hostname = database.text(DEVICE_METADATA, LOCALHOST, "hostname");
        this.name = hostname == null || hostname.isEmpty() ? folder : hostname;
        readPorts();
        readNeighbors();
        readQosPorts();
        readMembers("PORTCHANNEL_MEMBER", portChannels);
        readMembers("VLAN_MEMBER", vlans);
        INTERFACE_TABLES.forEach(this::readAddresses);
    }

    private void readPorts()
    {
        final Map<String, Long> cables = cableLengths();
        for (final String port : database.entries("PORT").keySet())
        {
            final String alias = database.text("PORT", port, "alias");
            final long speed = database.number("PORT", port, "speed", 0, 1, 10_000_000) * LinkSpeed.MEGABIT;
            final String lanes = database.text("PORT", port, "lanes");
            ports.put(port, new SonicPort(port, alias == null ? port : alias, speed,
                (int)database.number("PORT", port, "mtu", DEFAULT_MTU, 68, 9216),
                lanes == null ? 0 : lanes.split(",").length, cables.getOrDefault(port, -1L),
                !"down".equals(database.text("PORT", port, "admin_status"))));
        }
        if (ports.isEmpty())
        {
            throw UserException.usage(database.file() + ": PORT is missing or empty; use a switch's config_db.json");
        }
    }

    private Map<String, Long> cableLengths()
    {
        final Map<String, Long> cables = new TreeMap<>();
        database.entries("CABLE_LENGTH").forEach((list, entry) -> entry.properties().forEach(field ->
        {
            final String text = database.text("CABLE_LENGTH", list, field.getKey());
            final Matcher matcher = CABLE.matcher(text);
            if (matcher.matches())
            {
                cables.put(field.getKey(), Long.parseLong(matcher.group(1)));
            }
            else if (!text.equals("None"))
            {
                throw database.fault("CABLE_LENGTH", list, field.getKey() + " \"" + text +
                    "\" is not a length such as 40m");
            }
        }));
        return cables;
    }

    private void readNeighbors()
    {
        final Set<String> unknown = new TreeSet<>();
        for (final String key : database.entries("DEVICE_NEIGHBOR").keySet())
        {
            final String local = database.text("DEVICE_NEIGHBOR", key, "local_port");
            final String port = local == null ? key : local;
            final String given = database.text("DEVICE_NEIGHBOR", key, "name");
            // Configuration.md: the key is the name of the neighbour; minigraphs: it is the port, and a field the name.
            final String neighbor = given == null && local != null ? key : given;
            if (neighbor == null || neighbor.isEmpty())
            {
                throw database.fault("DEVICE_NEIGHBOR", key, "has no name");
            }
            if (!ports.containsKey(port))
            {
                unknown.add(port);
                continue;
            }
            if (neighbor.equals(name))
            {
                leftOut.add(new Finding(false, "ports", name + " " + port,
                    "DEVICE_NEIGHBOR has a cable from the switch to itself; it is left out"));
                continue;
            }
            if (neighbors.put(port, new Neighbor(neighbor, database.text("DEVICE_NEIGHBOR", key, "port"))) != null)
            {
                throw database.fault("DEVICE_NEIGHBOR", key, "port " + port + " has two neighbours; remove one");
            }
        }
        leaveOut("DEVICE_NEIGHBOR", unknown);
    }

    /** Adds a warning about ports that a table names and PORT does not have. */
    private void leaveOut(final String table, final Set<String> unknown)
    {
        if (!unknown.isEmpty())
        {
            leftOut.add(new Finding(false, "ports", name, table + " names " + unknown.size() +
                " ports that PORT does not have, such as " + unknown.iterator().next() + "; they are left out"));
        }
    }

    private void readQosPorts()
    {
        final Set<String> unknown = new TreeSet<>();
        database.entries("PORT_QOS_MAP").keySet().forEach(key -> unknown.addAll(List.of(key.split(","))));
        unknown.removeAll(ports.keySet());
        unknown.remove(PortQos.GLOBAL);
        leaveOut("PORT_QOS_MAP", unknown);
    }

    /** Reads a table whose keys are {@code GROUP|MEMBER}. */
    private void readMembers(final String table, final Map<String, String> groups)
    {
        for (final String key : database.entries(table).keySet())
        {
            final int bar = key.indexOf('|');
            if (bar < 0)
            {
                throw database.fault(table, key, "is not a key of the form GROUP|PORT");
            }
            final String member = key.substring(bar + 1);
            final String group = key.substring(0, bar);
            final String other = groups.putIfAbsent(member, group);
            if (other != null && groups == portChannels)
            {
                throw database.fault(table, key, member + " is a member of " + other + " too; remove one");
            }
        }
    }

    private void readAddresses(final String table)
    {
        for (final Map.Entry<String, JsonNode> entry : database.entries(table).entrySet())
        {
            final String key = entry.getKey();
            final int bar = key.indexOf('|');
            if (bar < 0)
            {
                final String vrf = database.text(table, key, "vrf_name");
                if (vrf != null && !vrf.isEmpty() && !vrf.equals("default"))
                {
                    vrfs.put(key, vrf);
                }
                continue;
            }
            addAddress(table, key, key.substring(0, bar), key.substring(bar + 1));
        }
    }

    private void addAddress(final String table, final String key, final String interfaceName, final String text)
    {
        final int slash = text.indexOf('/');
        try
        {
            final IpAddress address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
            final int bits = address.isIpv4() ? 32 : 128;
            final int length = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
            if (length < 0 || length > bits)
            {
                throw new IllegalArgumentException("the prefix length is not in 0 to " + bits);
            }
            if (address.isIpv4() || !isLinkLocal(address))
            {
                addresses.add(new Address(interfaceName, address, length));
            }
        }
        catch (final IllegalArgumentException ex)
        {
            throw database.fault(table, key, "\"" + text + "\" is not an address with a prefix length");
        }
    }

    private static boolean isLinkLocal(final IpAddress address)
    {
        return address.high() >>> 54 == 0x3FA;
    }

    ConfigDatabase database()
    {
        return database;
    }

    /** {@return the hostname, or the folder's name} */
    String name()
    {
        return name;
    }

    /** {@return the ports by name} */
    Map<String, SonicPort> ports()
    {
        return ports;
    }

    /** {@return the neighbours by port} */
    Map<String, Neighbor> neighbors()
    {
        return neighbors;
    }

    /** {@return the addresses of all interfaces that route, in all VRFs, without link-local ones} */
    List<Address> addresses()
    {
        return addresses;
    }

    /** {@return the VRF of an interface; null for the default VRF} */
    String vrf(final String interfaceName)
    {
        return vrfs.get(interfaceName);
    }

    /** {@return the port of a name or alias, or null} */
    SonicPort portNamed(final String nameOrAlias)
    {
        final SonicPort port = ports.get(nameOrAlias);
        return port != null ? port :
            ports.values().stream().filter(other -> other.alias().equals(nameOrAlias)).findFirst().orElse(null);
    }

    /** {@return the port channel that a port is a member of, or the port itself} */
    String link(final String port)
    {
        return portChannels.getOrDefault(port, port);
    }

    /** {@return the VLAN that a port or port channel is a member of, or null} */
    String vlan(final String link)
    {
        return vlans.get(link);
    }

    /** {@return the address of an interface in a family, or null} */
    Address address(final String interfaceName, final boolean isIpv6)
    {
        return addresses.stream().filter(address -> address.interfaceName().equals(interfaceName) &&
            address.address().isIpv4() != isIpv6).findFirst().orElse(null);
    }

    /** {@return warnings about ports and cables that are neither checked nor planned} */
    List<Finding> leftOut()
    {
        return leftOut;
    }
}
