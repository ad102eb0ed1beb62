package org.fibnuma.fibnic.config;

import org.fibnuma.core.UserException;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.port.fault.FaultPortProvider;
import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigName;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.TomlSection;
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
    private static final String AUTO = "auto";
    private static final String NO_EXCEPTION = "none";
    private static final String TAP = "tap";
    private static final String TAP_PREFIX = "tap:";
    private static final String HIDDEN_FROM_KERNEL = "dpdk:";
    private static final String SHARED_WITH_KERNEL = "xdp:";

    /** In bytes: every internet module must forward 68 (RFC 791), and no packet is longer than 65,535. */
    static final int MIN_MTU = 68;
    static final int MAX_MTU = 65_535;

    static final ConfigTable KEYS = new ConfigTable();

    /** Read as any text, so that messages about other keys of the port can name it. */
    static final ConfigKey<String> NAME = KEYS.string("name", ConfigName.FORM, "left", null)
        .required("give the port one, such as name = \"left\"")
        .reload("Name of the port, unique among ports and VLANs of the router.");
    static final ConfigKey<String> DEVICE = KEYS.string("device", "`KIND:NAME`", "xdp:eth1", null)
        .required("name one, such as device = \"xdp:eth1\"")
        .restart("`xdp:INTERFACE`, `dpdk:VDEV-OR-PCI[,ARGUMENTS]`, `tap:INTERFACE`, `mem:NAME`, `shm:NAME` or " +
            "`pcap:IN[,OUT]`, with paths relative to the working directory. In front of any of them " +
            "`fault:loss=1,dup=1,reorder=1,corrupt=1,delay-us=50,seed=7/` injects faults, in percent.");
    static final ConfigKey<Boolean> QUEUES = KEYS.parsed("queues", "`auto`", AUTO, PortReader::setsQueues, null)
        .onlyFor("xdp: ports").byDefault("the interface must have a queue for each worker")
        .restart("Sets the number of the interface's queues to that of the workers, and restores it at the end.");
    static final ConfigKey<String> EXCEPTION = KEYS.string(
        "exception", "`tap`, `tap:INTERFACE` or `none`", "tap:fib0", null)
        .byDefault("`\"tap\"` for `dpdk:` ports, `\"none\"` for others")
        .restart("The kernel's interface of a port whose device the kernel does not see. `tap` has the port's name.");
    static final ConfigKey<String> ACL_IN = KEYS.string("acl-in", "name of an `[[acl]]`", "edge", null)
        .byDefault("none").reload("Access list for frames that the port receives.");
    static final ConfigKey<String> ACL_OUT = KEYS.string("acl-out", "name of an `[[acl]]`", "edge", null)
        .byDefault("none").reload("Access list for frames that leave by the port.");
    static final ConfigKey<Integer> VLAN_PCP = KEYS.integer("vlan-pcp", 0, VlanReader.MAX_PCP, 0)
        .restart("PCP of frames that leave by VLANs of the port.");
    static final ConfigKey<List<String>> ADDRESS = addresses(KEYS).onlyFor(RouterKeys.STATIC_ONLY)
        .restart("Addresses of the router on the port.");
    static final ConfigKey<Long> MAC = mac(KEYS).onlyFor(RouterKeys.STATIC_ONLY).byDefault("that of the device")
        .restart("MAC address of the port.");
    static final ConfigKey<Integer> MTU = mtu(KEYS).onlyFor(RouterKeys.STATIC_ONLY).byDefault("that of the device")
        .restart("Longest IP packet in bytes.");
    static final ConfigKey<List<TomlSection>> VLANS = KEYS.tables("vlan", VlanReader.KEYS)
        .onlyFor(RouterKeys.STATIC_ONLY).restart("A VLAN of the port above it.");

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

    static ConfigKey<List<String>> addresses(final ConfigTable table)
    {
        return table.strings("address", "addresses with prefix length", "10.0.0.1/24").byDefault("none");
    }

    static ConfigKey<Long> mac(final ConfigTable table)
    {
        return table.parsed("mac", "a MAC address that is not a group's", "02:00:00:00:00:01", MacAddress::parse, null);
    }

    static ConfigKey<Integer> mtu(final ConfigTable table)
    {
        return table.integer("mtu", MIN_MTU, MAX_MTU, null);
    }

    List<PortConfig> read()
    {
        final List<TomlSection> sections = root.get(RouterKeys.PORTS);
        if (sections.size() > RouterConfig.MAX_PORTS)
        {
            root.wrong(RouterKeys.PORTS, sections.size() + " ports; one router has at most " + RouterConfig.MAX_PORTS +
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
        final String name = section.get(NAME, "");
        if (section.has(NAME))
        {
            section.parse(NAME, name, ConfigName::parse, name);
        }
        refuseSecond(section, NAME, name, lineByName);
        final String device = section.get(DEVICE, "");
        if (section.has(DEVICE) && !device.matches("[a-z]+:.+"))
        {
            section.wrong(DEVICE, "\"" + device + "\" is not a device; write KIND:NAME, such as \"xdp:eth1\"");
        }
        else if (section.has(DEVICE))
        {
            requireValid(section, name, device);
        }
        refuseSecond(section, DEVICE, device, lineByDevice);
        final int line = section.lineOf(DEVICE);
        final int vlanPcp = section.get(VLAN_PCP);
        if (mode.followsKernel())
        {
            refuseStaticKeys(section);
            return new PortConfig(
                name, device, List.of(), 0, 0, exception(section, name, device), setsQueues(section, device),
                acl(section, ACL_IN), acl(section, ACL_OUT), List.of(), vlanPcp, line);
        }
        return new PortConfig(
            name, device, addresses(section, ADDRESS, name), mac(section, MAC), section.get(MTU, 0),
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

    private String acl(final TomlSection section, final ConfigKey<String> key)
    {
        final String name = section.get(key);
        if (name != null && !acls.contains(name))
        {
            section.wrong(key, "\"" + name + "\" is no access list of this file; " + (acls.isEmpty() ?
                "add an [[acl]] with this name" : "one of " + String.join(", ", acls)));
        }
        return name;
    }

    private static boolean setsQueues(final TomlSection section, final String device)
    {
        final boolean sets = section.get(QUEUES, false);
        if (sets && !FaultPortProvider.underlying(device).startsWith(SHARED_WITH_KERNEL))
        {
            section.refuse(QUEUES, "remove it");
        }
        return sets;
    }

    private static boolean setsQueues(final String value)
    {
        if (!AUTO.equals(value))
        {
            throw new IllegalArgumentException("\"" + value + "\" is not known; give \"auto\", or remove it");
        }
        return true;
    }

    private String exception(final TomlSection section, final String name, final String configured)
    {
        final String device = FaultPortProvider.underlying(configured);
        final String value = section.get(EXCEPTION, device.startsWith(HIDDEN_FROM_KERNEL) ? TAP : NO_EXCEPTION);
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

    /** Reports a name that another port or VLAN interface has. */
    void refuseSecondName(final TomlSection section, final ConfigKey<?> key, final String name)
    {
        refuseSecond(section, key, name, lineByName);
    }

    List<InterfaceAddress> addresses(
        final TomlSection section, final ConfigKey<List<String>> key, final String name)
    {
        final List<InterfaceAddress> addresses = new ArrayList<>();
        for (final String text : section.get(key))
        {
            final InterfaceAddress address = section.parse(key, text, InterfaceAddress::parse, null);
            if (address != null && isAllowed(section, key, address))
            {
                addresses.add(address);
                // RFC 4007 section 6: a link-local address may be used on every link.
                final String other = Ipv6Address.isLinkLocal(address.address().high()) ?
                    null : portByAddress.put(address.address(), name);
                if (other != null)
                {
                    section.wrong(key, address.address() + " is an address of port " + other +
                        " already; an address belongs to one port");
                }
            }
        }
        return addresses;
    }

    private boolean isAllowed(
        final TomlSection section, final ConfigKey<?> key, final InterfaceAddress address)
    {
        if (!address.address().isIpv4() && !ipv6)
        {
            section.wrong(key, address + " is only for ipv6 = true; set it in [router] or remove the address");
            return false;
        }
        return true;
    }

    static long mac(final TomlSection section, final ConfigKey<Long> key)
    {
        final long mac = section.get(key, 0L);
        if (MacAddress.isGroup(mac))
        {
            section.wrong(key, MacAddress.format(mac) + " names a group; give an address with an even first byte");
        }
        return mac;
    }

    private static void refuseStaticKeys(final TomlSection section)
    {
        List.of(ADDRESS, MAC, MTU, VLANS).forEach(key -> section.refuse(key, "remove it, the kernel has it"));
    }

    private static void refuseSecond(
        final TomlSection section, final ConfigKey<?> key, final String value, final Map<String, Integer> lines)
    {
        final Integer first = value.isEmpty() ? null : lines.putIfAbsent(value, section.lineOf(key));
        if (first != null)
        {
            section.wrong(key, "\"" + value + "\" is taken by the port of line " + first + "; give another");
        }
    }
}
