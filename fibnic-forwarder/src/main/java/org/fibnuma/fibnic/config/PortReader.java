package org.fibnuma.fibnic.config;

import org.fibnuma.core.UserException;
import org.fibnuma.core.config.ConfigName;
import org.fibnuma.core.config.TomlSection;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.port.fault.FaultPortProvider;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.acl.AccessList;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reads the {@code [[port]]} tables. */
final class PortReader
{
    static final String PORT = "port";

    private static final String NAME = "name";
    private static final String DEVICE = "device";
    private static final String ADDRESS = "address";
    private static final String MAC = "mac";
    private static final String MTU = "mtu";
    private static final String EXCEPTION = "exception";
    private static final String QUEUES = "queues";
    private static final String ACL_IN = "acl-in";
    private static final String ACL_OUT = "acl-out";
    private static final String VLAN_PCP = "vlan-pcp";

    private static final String AUTO = "auto";

    private static final String NO_EXCEPTION = "none";
    private static final String TAP = "tap";
    private static final String TAP_PREFIX = "tap:";
    private static final String HIDDEN_FROM_KERNEL = "dpdk:";
    private static final String SHARED_WITH_KERNEL = "xdp:";

    /** RFC 791: every internet module must forward 68 bytes; a longer packet than 65,535 does not exist. */
    static final int MIN_MTU = 68;
    static final int MAX_MTU = 65_535;

    private final TomlSection root;
    private final ControlMode mode;
    private final boolean ipv6;
    private final Set<String> acls;
    private final VlanReader vlans = new VlanReader(this);
    private final Map<String, Integer> lineByName = new HashMap<>();
    private final Map<String, Integer> lineByDevice = new HashMap<>();
    private final Map<String, Integer> lineByException = new HashMap<>();
    private final Map<IpAddress, String> portByAddress = new HashMap<>();

    PortReader(final TomlSection root, final ControlMode mode, final boolean ipv6, final List<AccessList> acls)
    {
        this.root = root;
        this.mode = mode;
        this.ipv6 = ipv6;
        this.acls = acls.stream().map(AccessList::name).collect(Collectors.toCollection(TreeSet::new));
    }

    List<PortConfig> read()
    {
        final List<TomlSection> sections = root.tables(PORT);
        if (sections.isEmpty() && !root.has(PORT))
        {
            root.missing(PORT, "add a [[port]] with name and device");
        }
        if (sections.size() > RouterConfig.MAX_PORTS)
        {
            root.wrong(PORT, sections.size() + " ports; one router has at most " + RouterConfig.MAX_PORTS +
                ", use several");
        }
        final List<PortConfig> ports = new ArrayList<>();
        for (final TomlSection section : sections)
        {
            ports.add(port(section));
            section.refuseUnknownKeys();
        }
        return ports;
    }

    private PortConfig port(final TomlSection section)
    {
        final String name = section.string(NAME, "");
        if (!section.has(NAME))
        {
            section.missing(NAME, "give the port one, such as name = \"left\"");
        }
        else
        {
            section.parse(NAME, name, ConfigName::parse, name);
        }
        refuseSecondName(section, name);
        final String device = section.string(DEVICE, "");
        if (!section.has(DEVICE))
        {
            section.missing(DEVICE, "name one, such as device = \"xdp:eth1\"");
        }
        else if (!device.matches("[a-z]+:.+"))
        {
            section.wrong(DEVICE, "\"" + device + "\" is not a device; write KIND:NAME, such as \"xdp:eth1\"");
        }
        else
        {
            requireValid(section, name, device);
        }
        refuseSecond(section, DEVICE, device, lineByDevice);
        final int line = section.lineOf(DEVICE);
        final int vlanPcp = section.integer(VLAN_PCP, 0, VlanReader.MAX_PCP, 0);
        if (mode.followsKernel())
        {
            refuseStaticKeys(section);
            return new PortConfig(
                name, device, List.of(), 0, 0, exception(section, name, device), setsQueues(section, device),
                acl(section, ACL_IN), acl(section, ACL_OUT), List.of(), vlanPcp, line);
        }
        return new PortConfig(
            name, device, addresses(section, name), mac(section), section.integer(MTU, MIN_MTU, MAX_MTU, 0),
            exception(section, name, device), setsQueues(section, device),
            acl(section, ACL_IN), acl(section, ACL_OUT), vlans.read(section, name, vlanPcp), vlanPcp,
            line);
    }

    private static void requireValid(final TomlSection section, final String name, final String device)
    {
        try
        {
            Ports.requireValid(name, device);
        }
        catch (final UserException ex)
        {
            section.wrong(DEVICE, ex.getMessage());
        }
    }

    private String acl(final TomlSection section, final String key)
    {
        final String name = section.string(key, null);
        if (name != null && !acls.contains(name))
        {
            section.wrong(key, "\"" + name + "\" is no access list of this file; " + (acls.isEmpty() ?
                "add an [[acl]] with this name" : "one of " + String.join(", ", acls)));
        }
        return name;
    }

    private static boolean setsQueues(final TomlSection section, final String device)
    {
        final String value = section.string(QUEUES, "");
        if (section.has(QUEUES) && !AUTO.equals(value))
        {
            section.wrong(QUEUES, "\"" + value + "\" is not known; give \"auto\", or remove it");
        }
        else if (section.has(QUEUES) && !FaultPortProvider.underlying(device).startsWith(SHARED_WITH_KERNEL))
        {
            section.wrong(QUEUES, "is only for xdp: ports; remove it");
        }
        return AUTO.equals(value);
    }

    private String exception(final TomlSection section, final String name, final String configured)
    {
        final String device = FaultPortProvider.underlying(configured);
        final String value = section.string(EXCEPTION, device.startsWith(HIDDEN_FROM_KERNEL) ? TAP : NO_EXCEPTION);
        if (NO_EXCEPTION.equals(value))
        {
            return null;
        }
        if (device.startsWith(SHARED_WITH_KERNEL))
        {
            section.wrong(EXCEPTION, "is not for " + device + ", which the kernel sees itself; remove it");
            return null;
        }
        final String exception = TAP.equals(value) ? TAP_PREFIX + name : value;
        if (!exception.startsWith(TAP_PREFIX))
        {
            section.wrong(EXCEPTION, "\"" + value + "\" is not known; give \"tap\", \"tap:INTERFACE\" or \"none\"");
            return null;
        }
        if (exception.length() - TAP_PREFIX.length() > PortConfig.MAX_INTERFACE_NAME)
        {
            section.wrong(EXCEPTION, "\"" + exception.substring(TAP_PREFIX.length()) + "\" is longer than the " +
                PortConfig.MAX_INTERFACE_NAME + " characters of an interface's name; give exception = \"tap:SHORTER\"");
            return null;
        }
        refuseSecond(section, EXCEPTION, exception, lineByException);
        return exception;
    }

    /** Refuses a name that a port or VLAN interface has already. */
    void refuseSecondName(final TomlSection section, final String name)
    {
        refuseSecond(section, NAME, name, lineByName);
    }

    List<InterfaceAddress> addresses(final TomlSection section, final String name)
    {
        final List<InterfaceAddress> addresses = new ArrayList<>();
        for (final String text : section.strings(ADDRESS))
        {
            final InterfaceAddress address = section.parse(ADDRESS, text, InterfaceAddress::parse, null);
            if (address != null && isAllowed(section, address))
            {
                addresses.add(address);
                // RFC 4007 section 6: a link-local address may be used on every link.
                final String other = Ipv6Address.isLinkLocal(address.address().high()) ?
                    null : portByAddress.put(address.address(), name);
                if (other != null)
                {
                    section.wrong(ADDRESS, address.address() + " is an address of port " + other +
                        " already; an address belongs to one port");
                }
            }
        }
        return addresses;
    }

    private boolean isAllowed(final TomlSection section, final InterfaceAddress address)
    {
        if (!address.address().isIpv4() && !ipv6)
        {
            section.wrong(ADDRESS, address + " is only for ipv6 = true; set it in [router] or remove the address");
            return false;
        }
        return true;
    }

    static long mac(final TomlSection section)
    {
        final long mac = section.parsed(MAC, MacAddress::parse, 0L);
        if (MacAddress.isGroup(mac))
        {
            section.wrong(MAC, MacAddress.format(mac) + " names a group; give an address with an even first byte");
        }
        return mac;
    }

    private static void refuseStaticKeys(final TomlSection section)
    {
        for (final String key : List.of(ADDRESS, MAC, MTU, VlanReader.VLAN))
        {
            if (section.has(key))
            {
                section.wrong(key, "is only for control = \"static\"; remove it, the kernel knows it");
            }
        }
    }

    private static void refuseSecond(
        final TomlSection section, final String key, final String value, final Map<String, Integer> lines)
    {
        final Integer first = value.isEmpty() ? null : lines.putIfAbsent(value, section.lineOf(key));
        if (first != null)
        {
            section.wrong(key, "\"" + value + "\" is taken by the port of line " + first + "; give another");
        }
    }
}
