package org.fibnuma.ipnuma.config;

import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigProblems;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.PortSettingsReader;
import org.fibnuma.core.service.config.TomlFile;
import org.fibnuma.core.service.config.TomlSection;
import org.fibnuma.core.service.http.HttpConfig;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.ipnuma.naming.CertificateFiles;
import org.fibnuma.ipnuma.naming.etcd.DirectoryEntry;
import org.fibnuma.ipnuma.naming.etcd.DirectorySettings;
import org.fibnuma.ipnuma.naming.etcd.DirectoryWatch;
import org.fibnuma.ipnuma.seal.SealKey;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.wire.WireFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads an endpoint's TOML file: tables {@code [endpoint]}, {@code [http]} and {@code [directory]}, and lists
 * {@code [[peer]]} and {@code [[region]]}.
 */
public final class EndpointConfigReader
{
    private static final Logger LOGGER = LoggerFactory.getLogger(EndpointConfigReader.class);

    /** The tables of a file and their keys, for the reference of the configuration. */
    public static final ConfigTable TABLES = EndpointKeys.TABLES;

    static final String RANDOM_KEY = "random";
    private static final String NO_KEY = "none";
    private static final String GIVEN_KEY = "0x[0-9a-fA-F]{1,16}";
    private static final int HEX_DIGITS_FROM = 2;
    private static final int HEX = 16;

    private static final int MIB = 1 << 20;
    private static final int KIB = 1 << 10;
    private static final int MAX_PREFIX_LENGTH = 32;
    private static final int MULTICAST_FIRST_OCTET = 224;

    private final Path file;
    private final ConfigProblems problems;
    private final TomlSection root;
    private final TomlSection endpoint;
    private final List<PeerConfig> peers = new ArrayList<>();
    private final Set<Integer> peerIds = new HashSet<>();
    private final Set<Integer> peerAddresses = new HashSet<>();
    private List<Ipv4Prefix> peerPrefixes;
    private final List<RegionConfig> regions = new ArrayList<>();
    /** Random keys in use, by name of the region. */
    private final Map<String, Long> randomKeys;
    private final Function<DirectorySettings, Map<String, Integer>> addresses;
    /** Names of the peers whose addresses are in the directory. */
    private final Set<String> namedPeers = new HashSet<>();
    private NetworkConfig network;
    private DirectorySettings directory;
    /** Addresses in the directory by name; null until a peer needs them. */
    private Map<String, Integer> known;

    private EndpointConfigReader(
        final Path file,
        final ConfigProblems problems,
        final TomlSection root,
        final Map<String, Long> randomKeys,
        final Function<DirectorySettings, Map<String, Integer>> addresses)
    {
        this.randomKeys = randomKeys;
        this.addresses = addresses;
        this.file = file;
        this.problems = problems;
        this.root = root;
        this.endpoint = root.tableOrEmpty(EndpointKeys.ENDPOINT);
    }

    /**
     * Reads and checks a file. If it has peers whose addresses are in the directory, reads the directory too. A peer is
     * left out if the directory does not answer or does not contain it.
     *
     * @param file to read.
     * @return the configuration, with defaults for missing keys and random region keys generated.
     * @throws ConfigException with a line for each problem.
     */
    public static EndpointConfig read(final Path file) throws ConfigException
    {
        return read(file, Map.of(), EndpointConfigReader::addresses);
    }

    /**
     * Reads and checks the changed file of a running endpoint. A random key of a region stays.
     *
     * @param running   configuration of the endpoint, as it was read.
     * @param addresses IPv4 addresses of the endpoints in the directory, by name.
     * @return the configuration, with defaults for missing keys.
     * @throws ConfigException with a line for each problem.
     */
    public static EndpointConfig readAgain(final EndpointConfig running, final Map<String, Integer> addresses)
        throws ConfigException
    {
        return read(
            running.file(),
            running.regions().stream().collect(Collectors.toMap(RegionConfig::name, RegionConfig::key)),
            settings -> addresses);
    }

    private static EndpointConfig read(
        final Path file,
        final Map<String, Long> randomKeys,
        final Function<DirectorySettings, Map<String, Integer>> addresses) throws ConfigException
    {
        final ConfigProblems problems = new ConfigProblems(file);
        return new EndpointConfigReader(
            file, problems, TomlFile.read(file, problems, TABLES), randomKeys, addresses).read();
    }

    private static Map<String, Integer> addresses(final DirectorySettings settings)
    {
        try
        {
            return DirectoryWatch.list(settings).stream()
                .collect(Collectors.toMap(DirectoryEntry::name, DirectoryEntry::ipv4));
        }
        catch (final UserException ex)
        {
            LOGGER.warn("directory: {}; peers that are found by it are added when it answers", ex.getMessage());
            return Map.of();
        }
    }

    private EndpointConfig read() throws ConfigException
    {
        network = network();
        directory = DirectoryConfig.read(root);
        readPeers();
        final EndpointConfig config = new EndpointConfig(
            file,
            endpoint.get(EndpointKeys.NAME),
            endpoint.get(EndpointKeys.LOG_LEVEL),
            device(),
            network,
            MIB * endpoint.get(EndpointKeys.WINDOW_MIB),
            thread(),
            PortSettingsReader.read(endpoint),
            peers,
            readRegions(),
            services(),
            HttpConfig.read(root, HttpConfig.DEFAULT_ENDPOINT_LISTEN),
            directory == null ? null : new DirectoryConfig(directory, Set.copyOf(namedPeers)));
        endpoint.refuseUnknownKeys();
        root.refuseUnknownKeys();
        problems.throwIfAny();
        return config;
    }

    private String device()
    {
        final String device = endpoint.get(EndpointKeys.DEVICE);
        if (device == null)
        {
            return "";
        }
        if (device.indexOf(':') < 1)
        {
            endpoint.wrong(EndpointKeys.DEVICE, "\"" + device + "\" has no kind before a colon; write it as xdp:eth1");
        }
        return device;
    }

    private NetworkConfig network()
    {
        final String text = endpoint.get(EndpointKeys.ADDRESS);
        final int prefixLength =
            text == null ? 0 : endpoint.parse(EndpointKeys.ADDRESS, text, EndpointConfigReader::prefixLength, 0);
        final int ipv4 = prefixLength == 0 ? 0 :
            endpoint.parse(
            EndpointKeys.ADDRESS, text.substring(0, text.indexOf('/')), EndpointConfigReader::unicast, 0);
        final long mac = endpoint.get(EndpointKeys.MAC, 0L);
        final int gateway = endpoint.get(EndpointKeys.GATEWAY, 0);
        final NetworkConfig own = new NetworkConfig(ipv4, ipv4 == 0 ? 0 : prefixLength, gateway, mac);
        if (ipv4 != 0 && gateway != 0 && (!own.isOnSegment(gateway) || gateway == ipv4))
        {
            endpoint.wrong(EndpointKeys.GATEWAY, Ipv4Address.format(gateway) + " is not another host of " + text +
                "; give an address of that network");
        }
        return own;
    }

    private ThreadConfig thread()
    {
        final int core = endpoint.get(EndpointKeys.CORE);
        final int last = Runtime.getRuntime().availableProcessors() - 1;
        if (core > last)
        {
            endpoint.wrong(EndpointKeys.CORE,
                core + " is out of range; give " + ThreadPinning.ANY_CORE + " to " + last);
        }
        return new ThreadConfig(core, endpoint.get(EndpointKeys.IDLE));
    }

    private ServiceConfig services()
    {
        return new ServiceConfig(
            endpoint.get(EndpointKeys.CLIENTS),
            TimeUnit.MILLISECONDS.toNanos(endpoint.get(EndpointKeys.CLIENT_TIMEOUT_MS)),
            endpoint.get(EndpointKeys.NAMES),
            certificate(),
            prefixes(endpoint, EndpointKeys.NAMES_ALLOW));
    }

    private CertificateFiles certificate()
    {
        final String certificate = endpoint.get(EndpointKeys.NAMES_CERTIFICATE);
        final String key = endpoint.get(EndpointKeys.NAMES_KEY);
        if ((certificate == null) != (key == null))
        {
            endpoint.missing(certificate == null ? EndpointKeys.NAMES_CERTIFICATE : EndpointKeys.NAMES_KEY,
                "TLS needs both: give PEM files as " + EndpointKeys.NAMES_CERTIFICATE + " and " +
                EndpointKeys.NAMES_KEY);
            return null;
        }
        return certificate == null ? null : new CertificateFiles(Path.of(certificate), Path.of(key));
    }

    private void readPeers()
    {
        for (final TomlSection section : root.get(EndpointKeys.PEERS))
        {
            readPeer(section);
            section.refuseUnknownKeys();
        }
    }

    private void readPeer(final TomlSection section)
    {
        final int id = section.get(EndpointKeys.PEER_ID, 0);
        if (!section.has(EndpointKeys.PEER_ADDRESS) && !section.has(EndpointKeys.PEER_ENDPOINT))
        {
            section.missing(EndpointKeys.PEER_ADDRESS,
                "give the peer's IPv4 address, or its name in the directory as " + EndpointKeys.PEER_ENDPOINT);
        }
        final int ipv4 = section.has(EndpointKeys.PEER_ENDPOINT) ?
            addressOf(section) : section.get(EndpointKeys.PEER_ADDRESS, 0);
        final WireFormat format = section.get(EndpointKeys.PEER_FORMAT);
        final long mac = section.get(EndpointKeys.PEER_MAC, 0L);
        checkPeer(section, id, ipv4);
        final PeerConfig peer = new PeerConfig(id, ipv4, format, mac,
            section.get(EndpointKeys.PEER_NAMES), seal(section, format));
        if (ipv4 != 0 || !section.has(EndpointKeys.PEER_ENDPOINT))
        {
            peers.add(peer);
        }
    }

    /** Returns the address of a peer by its name in the directory, or 0 if the name is not there. */
    private int addressOf(final TomlSection section)
    {
        final String name = section.get(EndpointKeys.PEER_ENDPOINT, "");
        if (section.has(EndpointKeys.PEER_ADDRESS))
        {
            section.wrong(EndpointKeys.PEER_ADDRESS, "is that of " + EndpointKeys.PEER_ENDPOINT + " = \"" + name +
                "\" in the directory; give one of them");
        }
        if (directory == null)
        {
            section.wrong(EndpointKeys.PEER_ENDPOINT,
                "needs a table [directory], such as etcd = [\"http://127.0.0.1:2379\"] in it");
            return 0;
        }
        if (!namedPeers.add(name))
        {
            section.wrong(EndpointKeys.PEER_ENDPOINT, "\"" + name + "\" is another peer's");
        }
        if (known == null)
        {
            known = directory.members().isEmpty() ? Map.of() : addresses.apply(directory);
        }
        return known.getOrDefault(name, 0);
    }

    private void checkPeer(final TomlSection section, final int id, final int ipv4)
    {
        if (id != 0 && !peerIds.add(id))
        {
            section.wrong(EndpointKeys.PEER_ID, id + " is another peer's; give each its own");
        }
        if (ipv4 == 0)
        {
            return;
        }
        if (!peerAddresses.add(ipv4))
        {
            section.wrong(EndpointKeys.PEER_ADDRESS, Ipv4Address.format(ipv4) + " is another peer's");
        }
        if (ipv4 == network.ipv4())
        {
            section.wrong(EndpointKeys.PEER_ADDRESS, Ipv4Address.format(ipv4) + " is the endpoint's own");
        }
        else if (network.ipv4() != 0 && network.nextHop(ipv4) == 0)
        {
            section.wrong(EndpointKeys.PEER_ADDRESS, Ipv4Address.format(ipv4) + " is on another segment than " +
                Ipv4Address.format(network.ipv4()) + "/" + network.prefixLength() +
                "; give gateway in [endpoint], or another address");
        }
    }

    private static SealKey seal(final TomlSection section, final WireFormat format)
    {
        if (section.has(EndpointKeys.SEAL_KEY) && section.has(EndpointKeys.SEAL_KEY_FILE))
        {
            section.wrong(EndpointKeys.SEAL_KEY, "is in " + EndpointKeys.SEAL_KEY_FILE + " too; give one of them");
        }
        final SealKey key = section.get(EndpointKeys.SEAL_KEY, section.get(EndpointKeys.SEAL_KEY_FILE));
        if (key != null && format != WireFormat.FIBNUMA)
        {
            section.wrong(section.has(EndpointKeys.SEAL_KEY) ? EndpointKeys.SEAL_KEY : EndpointKeys.SEAL_KEY_FILE,
                "only datagrams of format = \"fibnuma\" can be sealed");
        }
        return key;
    }

    static SealKey keyFile(final String file)
    {
        try
        {
            return SealKey.parse(Files.readString(Path.of(file), StandardCharsets.US_ASCII));
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException("cannot read " + file + ": " + IoFailure.reason(ex), ex);
        }
    }

    private List<RegionConfig> readRegions()
    {
        for (final TomlSection section : root.get(EndpointKeys.REGIONS))
        {
            readRegion(section);
            section.refuseUnknownKeys();
        }
        return regions;
    }

    private void readRegion(final TomlSection section)
    {
        final String name = section.get(EndpointKeys.REGION_NAME, "");
        final int id = section.get(EndpointKeys.REGION_ID, regions.size() + 1);
        final int sizeKib = section.get(EndpointKeys.SIZE_KIB);
        if (sizeKib % EndpointKeys.PAGE_KIB != 0)
        {
            section.wrong(EndpointKeys.SIZE_KIB,
                sizeKib + " is not a whole number of pages; give a multiple of " + EndpointKeys.PAGE_KIB);
        }
        final int access = section.get(EndpointKeys.ACCESS);
        final List<Ipv4Prefix> allow = section.has(EndpointKeys.ALLOW) ?
            prefixes(section, EndpointKeys.ALLOW) : peerPrefixes();
        final long randomKey = randomKeys.getOrDefault(name, Region.NO_KEY) == Region.NO_KEY ?
            Region.randomKey() : randomKeys.get(name);
        final long key = section.parse(EndpointKeys.KEY, section.get(EndpointKeys.KEY),
            text -> regionKey(text, randomKey), randomKey);
        final boolean zero = section.get(EndpointKeys.ZERO);
        if (!name.isEmpty() && regions.stream().anyMatch(region -> region.name().equals(name)))
        {
            section.wrong(EndpointKeys.REGION_NAME, "\"" + name + "\" is another region's; give each its own");
        }
        if (regions.stream().anyMatch(region -> region.id() == id))
        {
            section.wrong(EndpointKeys.REGION_ID, id + " is another region's; give each its own");
        }
        if (zero && regions.stream().anyMatch(RegionConfig::isZero))
        {
            section.wrong(EndpointKeys.ZERO, "is another region's; addresses without a region reach one only");
        }
        regions.add(new RegionConfig(id, name, sizeKib * KIB, allow, access, key, zero));
    }

    /** Returns the addresses of all peers, one list for all regions. */
    private List<Ipv4Prefix> peerPrefixes()
    {
        if (peerPrefixes == null)
        {
            peerPrefixes = peers.stream().map(peer -> Ipv4Prefix.of(peer.ipv4(), Integer.SIZE)).toList();
        }
        return peerPrefixes;
    }

    private static long regionKey(final String text, final long randomKey)
    {
        if (text.equals(NO_KEY))
        {
            return Region.NO_KEY;
        }
        if (text.equals(RANDOM_KEY))
        {
            return randomKey;
        }
        final long key = text.matches(GIVEN_KEY) ? Long.parseUnsignedLong(text.substring(HEX_DIGITS_FROM), HEX) : 0;
        if (key == Region.NO_KEY)
        {
            throw new IllegalArgumentException("\"" + text + "\" is not a key; give \"" + RANDOM_KEY + "\", \"" +
                NO_KEY + "\" or 64 bits of your own as \"0x0123456789abcdef\"");
        }
        return key;
    }

    private static List<Ipv4Prefix> prefixes(final TomlSection section, final ConfigKey<List<String>> key)
    {
        final List<Ipv4Prefix> prefixes = new ArrayList<>();
        for (final String text : section.get(key))
        {
            final Ipv4Prefix prefix = section.parse(key, text, Ipv4Prefix::parse, null);
            if (prefix != null)
            {
                prefixes.add(prefix);
            }
        }
        return prefixes;
    }

    private static int prefixLength(final String text)
    {
        final int slash = text.indexOf('/');
        final String length = text.substring(slash + 1);
        if (slash < 0 || !length.matches("[0-9]{1,2}") || Integer.parseInt(length) < 1 ||
            Integer.parseInt(length) > MAX_PREFIX_LENGTH)
        {
            throw new IllegalArgumentException(
                "\"" + text + "\" is not an address with a prefix length; write it as 10.9.0.1/24");
        }
        return Integer.parseInt(length);
    }

    static int unicast(final String text)
    {
        final int ipv4 = Ipv4Address.parse(text);
        final int first = ipv4 >>> 24;
        if (first == 0 || first >= MULTICAST_FIRST_OCTET)
        {
            throw new IllegalArgumentException(Ipv4Address.format(ipv4) + " is not a unicast address");
        }
        return ipv4;
    }

    static long unicastMac(final String text)
    {
        final long mac = MacAddress.parse(text);
        if (mac == 0 || MacAddress.isGroup(mac))
        {
            throw new IllegalArgumentException(
                text + " is not a unicast address; its first byte must be even, and not all be 0");
        }
        return mac;
    }
}
