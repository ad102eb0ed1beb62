package org.fibnuma.ipnuma.config;

import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.config.ConfigException;
import org.fibnuma.core.config.ConfigName;
import org.fibnuma.core.config.ConfigProblems;
import org.fibnuma.core.config.PortSettingsReader;
import org.fibnuma.core.config.TomlFile;
import org.fibnuma.core.config.TomlSection;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;

import java.nio.file.Path;
import java.util.List;

/** Reads an endpoint's TOML file: a table {@code [endpoint]} and lists {@code [[peer]]} and {@code [[region]]}. */
public final class EndpointConfigReader
{
    static final String ADDRESS = "address";

    private static final String ENDPOINT = "endpoint";
    private static final String NAME = "name";
    private static final String DEVICE = "device";
    private static final String GATEWAY = "gateway";
    private static final int MIB = 1 << 20;
    private static final int MAX_WINDOW_MIB = 1024;

    private final Path file;
    private final ConfigProblems problems;
    private final TomlSection root;
    private final TomlSection endpoint;

    private EndpointConfigReader(final Path file, final ConfigProblems problems, final TomlSection root)
    {
        this.file = file;
        this.problems = problems;
        this.root = root;
        this.endpoint = root.tableOrEmpty(ENDPOINT);
    }

    /**
     * Reads and checks a file.
     *
     * @param file to read.
     * @return what it says, with defaults for what it leaves out; keys that are to be random are made here.
     * @throws ConfigException with a line for each problem.
     */
    public static EndpointConfig read(final Path file) throws ConfigException
    {
        final ConfigProblems problems = new ConfigProblems(file);
        return new EndpointConfigReader(file, problems, TomlFile.read(file, problems)).read();
    }

    private EndpointConfig read() throws ConfigException
    {
        final NetworkConfig network = network();
        final List<PeerConfig> peers = new PeerReader(root, network).read();
        final EndpointConfig config = new EndpointConfig(
            file,
            endpoint.parsed(NAME, ConfigName::parse, EndpointConfig.DEFAULT_NAME),
            device(),
            network,
            MIB * endpoint.integer("window-mib", 1, MAX_WINDOW_MIB, EndpointConfig.DEFAULT_WINDOW_MIB),
            thread(),
            PortSettingsReader.read(endpoint),
            peers,
            new RegionReader(root, peers).read(),
            ServiceReader.read(endpoint));
        endpoint.refuseUnknownKeys();
        root.refuseUnknownKeys();
        problems.throwIfAny();
        return config;
    }

    private String device()
    {
        final String device = endpoint.string(DEVICE, null);
        if (device == null)
        {
            endpoint.missing(DEVICE, "give the port, such as device = \"xdp:eth1\" or \"shm:link0\"");
            return "";
        }
        if (device.indexOf(':') < 1)
        {
            endpoint.wrong(DEVICE, "\"" + device + "\" has no kind before a colon; write it as xdp:eth1");
        }
        return device;
    }

    private NetworkConfig network()
    {
        final String text = endpoint.string(ADDRESS, null);
        if (text == null)
        {
            endpoint.missing(ADDRESS, "give the endpoint's own, such as address = \"10.9.0.1/24\"");
        }
        final InterfaceText own =
            text == null ? null : endpoint.parse(ADDRESS, text, InterfaceText::parse, null);
        final long mac = endpoint.parsed("mac", EndpointConfigReader::station, 0L);
        final int gateway = endpoint.parsed(GATEWAY, Ipv4Address::parse, 0);
        final NetworkConfig network = own == null ? new NetworkConfig(0, 0, gateway, mac) :
            new NetworkConfig(own.ipv4(), own.prefixLength(), gateway, mac);
        if (own != null && gateway != 0 && (!network.isOnSegment(gateway) || gateway == own.ipv4()))
        {
            endpoint.wrong(GATEWAY, Ipv4Address.format(gateway) + " is no other station of " + text +
                "; give an address of that segment");
        }
        return network;
    }

    /** An address that a station may have. */
    static long station(final String text)
    {
        final long mac = MacAddress.parse(text);
        if (mac == 0 || MacAddress.isGroup(mac))
        {
            throw new IllegalArgumentException(
                text + " is not the address of one station; its first byte must be even, and not all be 0");
        }
        return mac;
    }

    private ThreadConfig thread()
    {
        return new ThreadConfig(
            endpoint.integer("core", ThreadPinning.ANY_CORE, Runtime.getRuntime().availableProcessors() - 1,
                ThreadPinning.ANY_CORE),
            endpoint.oneOf("idle", IdleStrategies.NAMES, ThreadConfig.DEFAULT_IDLE));
    }

    /**
     * An address with the length of its segment's prefix.
     *
     * @param ipv4         of a station, unicast.
     * @param prefixLength 1 to 32.
     */
    private record InterfaceText(int ipv4, int prefixLength)
    {
        private static final int MAX_PREFIX_LENGTH = 32;

        static InterfaceText parse(final String text)
        {
            final int slash = text.indexOf('/');
            final String length = text.substring(slash + 1);
            if (slash < 0 || !length.matches("[0-9]{1,2}") || Integer.parseInt(length) < 1 ||
                Integer.parseInt(length) > MAX_PREFIX_LENGTH)
            {
                throw new IllegalArgumentException(
                    "\"" + text + "\" is no address with a prefix length; write it as 10.9.0.1/24");
            }
            final int ipv4 = Ipv4Address.parse(text.substring(0, slash));
            PeerReader.requireUnicast(ipv4);
            return new InterfaceText(ipv4, Integer.parseInt(length));
        }
    }
}
