package org.fibnuma.ipnuma.config;

import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigName;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.PortSettingsReader;
import org.fibnuma.core.service.config.SocketAddressText;
import org.fibnuma.core.service.config.TomlSection;
import org.fibnuma.core.service.http.HttpConfig;
import org.fibnuma.core.service.log.LogLevel;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.ipnuma.seal.SealKey;
import org.fibnuma.ipnuma.table.PageMap;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The tables of an endpoint's file and their keys. Those of {@code [directory]} are in {@link DirectoryConfig}. */
final class EndpointKeys
{
    private static final int MAX_WINDOW_MIB = 1024;
    private static final int MAX_CORE = 1023;
    private static final int MAX_CLIENTS = 256;
    private static final int DEFAULT_CLIENTS = 8;
    private static final int MIN_TIMEOUT_MS = 10;
    private static final int MAX_TIMEOUT_MS = 3_600_000;
    /** Far above the duration of a client's garbage collection or of a delay on a loaded machine. */
    private static final int DEFAULT_TIMEOUT_MS = 5000;
    static final int PAGE_KIB = 4;
    private static final int MAX_SIZE_KIB = 1 << 20;
    private static final int DEFAULT_SIZE_KIB = 64;
    private static final String NONE = "none";

    private static final ConfigTable KEYS = new ConfigTable();

    static final ConfigKey<String> NAME = KEYS.parsed(
        "name", ConfigName.FORM, "a", ConfigName::parse, EndpointConfig.DEFAULT_NAME)
        .restart("Name by which other processes find the endpoint.");
    static final ConfigKey<String> DEVICE = KEYS.string("device", "`KIND:NAME`", "xdp:eth1", null)
        .required("give the port, such as device = \"xdp:eth1\" or \"shm:link0\"")
        .restart("Port of the endpoint, of the same kinds as that of a `[[port]]`, or `shm:NAME@far`.");
    static final ConfigKey<String> ADDRESS = KEYS.string(
        "address", "an IPv4 address with prefix length", "10.9.0.1/24", null)
        .required("give the endpoint's own, such as address = \"10.9.0.1/24\"")
        .restart("Address of the endpoint. It must not be an address of the kernel.");
    static final ConfigKey<Integer> GATEWAY = KEYS.parsed(
        "gateway", "an IPv4 address", "10.9.0.254", Ipv4Address::parse, null).byDefault(NONE)
        .restart("Next hop to peers of other networks.");
    static final ConfigKey<Long> MAC = KEYS.parsed(
        "mac", "a MAC address", "02:00:00:00:00:07", EndpointConfigReader::unicastMac, null)
        .byDefault("that of the port, else 02:00 and the IPv4 address").restart("MAC address of the endpoint.");
    static final ConfigKey<LogLevel> LOG_LEVEL = LogLevel.declare(KEYS, LogLevel.INFO);
    static final ConfigKey<Integer> WINDOW_MIB = KEYS.integer(
        "window-mib", 1, MAX_WINDOW_MIB, EndpointConfig.DEFAULT_WINDOW_MIB)
        .restart("Size of the page window of a program in its process, in MiB.");
    static final ConfigKey<String> IDLE = KEYS.word("idle", IdleStrategies.NAMES, ThreadConfig.DEFAULT_IDLE)
        .restart("What the thread does while nothing arrives: `busy` uses a whole core and answers at once, `yield` " +
            "does too but leaves the core to other threads, `backoff` sleeps up to 0.1 ms at a time.");
    static final ConfigKey<Integer> CORE = KEYS.integer(
        "core", ThreadPinning.ANY_CORE, MAX_CORE, ThreadPinning.ANY_CORE)
        .restart("Core of the endpoint's thread, " + ThreadPinning.ANY_CORE + " for any.");
    static final ConfigKey<Integer> CLIENTS = KEYS.integer("clients", 0, MAX_CLIENTS, DEFAULT_CLIENTS)
        .restart("Client processes at once.");
    static final ConfigKey<Integer> CLIENT_TIMEOUT_MS = KEYS.integer(
        "client-timeout-ms", MIN_TIMEOUT_MS, MAX_TIMEOUT_MS, DEFAULT_TIMEOUT_MS)
        .restart("Milliseconds without a heartbeat after which a client is disconnected.");
    static final ConfigKey<InetSocketAddress> NAMES = names(KEYS)
        .restart("Address of the endpoint's name server.");
    static final ConfigKey<String> NAMES_CERTIFICATE = KEYS.string(
        "names-certificate", "path of a PEM file, with the certificates up to the CA", "names.pem", null)
        .byDefault("no TLS").restart("With `names-key`: the name server accepts TLS, over which it may send keys.");
    static final ConfigKey<String> NAMES_KEY = KEYS.string(
        "names-key", "path of a PEM file, PKCS #8 without a password", "names.key", null)
        .byDefault("no TLS").restart("Private key of `names-certificate`, readable only for the endpoint.");
    static final ConfigKey<List<String>> NAMES_ALLOW = KEYS.strings("names-allow", "IPv4 prefixes", "10.8.0.0/24")
        .reload("Addresses that may look up every region. Others may look up only regions that allow them.");

    private static final ConfigTable PEER_KEYS = new ConfigTable();

    static final ConfigKey<Integer> PEER_ID = PEER_KEYS.integer("id", 1, PageMap.MAX_PC_ID, null)
        .required("give its PC ID, 1 to " + PageMap.MAX_PC_ID).reload("PC ID of the peer.");
    static final ConfigKey<Integer> PEER_ADDRESS = PEER_KEYS.parsed(
        "address", "an IPv4 address", "10.9.0.2", EndpointConfigReader::unicast, null)
        .byDefault("required without `endpoint`").reload("Address of the peer.");
    static final ConfigKey<String> PEER_ENDPOINT = PEER_KEYS.parsed(
        "endpoint", ConfigName.FORM, "b", ConfigName::parse, null).byDefault(NONE)
        .reload("Name of the peer in the directory, in place of `address`.");
    static final ConfigKey<WireFormat> PEER_FORMAT = PEER_KEYS.parsed("format",
        Arrays.stream(WireFormat.values()).map(format -> "`" + format.label() + "`").collect(Collectors.joining(", ")),
        WireFormat.IPNUMA_10G.label(), WireFormat::of, WireFormat.FIBNUMA.label())
        .reload("Wire format of the datagrams.");
    static final ConfigKey<Long> PEER_MAC = PEER_KEYS.parsed(
        "mac", "a MAC address", "02:00:00:00:00:08", EndpointConfigReader::unicastMac, null)
        .byDefault("resolved by ARP").reload("MAC address of the next hop to the peer.");
    static final ConfigKey<InetSocketAddress> PEER_NAMES = names(PEER_KEYS)
        .reload("Address of the peer's name server.");
    static final ConfigKey<SealKey> SEAL_KEY = PEER_KEYS.parsed(
        "seal-key", "32 or 64 hexadecimal digits", "000102030405060708090a0b0c0d0e0f", SealKey::parse, null)
        .byDefault(NONE).onlyFor("format = \"fibnuma\"")
        .reload("Key of AES-128 or AES-256 with which the datagrams in both directions are sealed.");
    static final ConfigKey<SealKey> SEAL_KEY_FILE = PEER_KEYS.parsed(
        "seal-key-file", "path", "/etc/fibnuma/b.key", EndpointConfigReader::keyFile, null)
        .byDefault(NONE).onlyFor("format = \"fibnuma\"").reload("File with the key, in place of `seal-key`.");

    private static final ConfigTable REGION_KEYS = new ConfigTable();

    static final ConfigKey<String> REGION_NAME = REGION_KEYS.parsed(
        "name", ConfigName.FORM, "box", ConfigName::parse, null)
        .required("give the region a name").restart("Name of the region.");
    static final ConfigKey<Integer> REGION_ID = REGION_KEYS.integer("id", 1, RemoteAddress.MAX_REGION_ID, null)
        .byDefault("its position in the file").restart("Identifier of the region.");
    static final ConfigKey<Integer> SIZE_KIB = REGION_KEYS.integer("size-kib", PAGE_KIB, MAX_SIZE_KIB, DEFAULT_SIZE_KIB)
        .restart("Size of the region in KiB, a multiple of " + PAGE_KIB + ".");
    static final ConfigKey<List<String>> ALLOW = REGION_KEYS.strings("allow", "IPv4 prefixes", "10.9.0.0/24")
        .byDefault("the addresses of the peers").reload("Addresses of peers that may access the region.");
    static final ConfigKey<Integer> ACCESS = REGION_KEYS.parsed(
        "access", "`write`, `read` and `atomic`, combined with `+`", "write+read", RegionAccess::parse,
        RegionAccess.format(RegionAccess.WRITE))
        .reload("Kinds of access that are allowed.");
    static final ConfigKey<String> KEY = REGION_KEYS.string(
        "key", "`random`, `none` or 64 bits in hexadecimal", "0x0123456789abcdef", EndpointConfigReader.RANDOM_KEY)
        .reload("Key that every access must contain.");
    static final ConfigKey<Boolean> ZERO = REGION_KEYS.bool("zero", false)
        .restart("Whether addresses without a region identifier belong to the region.");

    static final ConfigTable TABLES = new ConfigTable();
    static final ConfigKey<TomlSection> ENDPOINT = TABLES.table("endpoint", KEYS).restart("The endpoint as a whole.");
    static final ConfigKey<List<TomlSection>> PEERS = TABLES.tables("peer", PEER_KEYS)
        .required("give the other endpoints, each as a table [[peer]] with id and address")
        .reload("Another endpoint. A reload adds and removes peers, up to " + EndpointChanges.MORE_PEERS +
            " more than at the start. It removes and adds a peer with changed keys.");
    static final ConfigKey<List<TomlSection>> REGIONS = TABLES.tables("region", REGION_KEYS)
        .restart("A region: memory of this machine that peers may access.");

    static
    {
        KEYS.include(PortSettingsReader.KEYS);
        TABLES.include(DirectoryConfig.TABLES);
        TABLES.include(HttpConfig.TABLES);
    }

    private EndpointKeys()
    {
    }

    private static ConfigKey<InetSocketAddress> names(final ConfigTable table)
    {
        return table.parsed("names", "an address and a port", "10.8.0.1:3423", SocketAddressText::parseUnresolved, null)
            .byDefault(NONE);
    }
}
