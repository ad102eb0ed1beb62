package org.fibnuma.fibnic.config;

import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigName;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.PortSettingsReader;
import org.fibnuma.core.service.config.TomlSection;
import org.fibnuma.core.service.http.HttpConfig;
import org.fibnuma.core.service.log.LogLevel;
import org.fibnuma.fibnic.datapath.ForwarderContext;
import org.fibnuma.fibnic.ports.KernelPaths;
import org.fibnuma.pfc.config.PfcTableReader;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The tables of a router's file and the keys of {@code [router]}; keys of other tables are beside their readers. */
final class RouterKeys
{
    /** Condition of keys that follow the kernel in other modes. */
    static final String STATIC_ONLY = "control = \"static\"";
    private static final String FPM_ONLY = "control = \"fpm\"";
    /** A value of {@link #MARTIANS}. */
    static final String OF_KERNEL = "kernel";
    /** The other value of {@link #MARTIANS}. */
    static final String OF_RFC = "rfc1812";

    private static final ConfigTable KEYS = new ConfigTable();

    static final ConfigKey<String> NAME = KEYS.parsed(
        "name", ConfigName.FORM, "edge", ConfigName::parse, RouterConfig.DEFAULT_NAME)
        .restart("Name by which commands find the router.");
    static final ConfigKey<ControlMode> CONTROL = KEYS.oneOf(
        "control", List.of(ControlMode.values()), ControlMode.NETLINK)
        .restart("Source of addresses, routes and neighbours: `netlink` is the kernel. `fpm` is the kernel too, but " +
            "FRR's zebra hands over the routes. `static` is this file.");
    static final ConfigKey<InetSocketAddress> FPM_LISTEN = KEYS.parsed(
        "fpm-listen", "an IP address and a port", "127.0.0.1:2621", FpmConfig::parseListen, FpmConfig.DEFAULT_LISTEN)
        .onlyFor(FPM_ONLY).restart("Address to which zebra connects.");
    static final ConfigKey<Integer> FPM_STALE_SECONDS = KEYS.integer(
        "fpm-stale-seconds", 1, 3600, FpmConfig.DEFAULT_STALE_SECONDS)
        .onlyFor(FPM_ONLY)
        .reload("A new connection of zebra hands the routes over again. If it makes no progress for this time, " +
            "routes that only an earlier connection handed over are removed.");
    static final ConfigKey<LogLevel> LOG_LEVEL = LogLevel.declare(KEYS, LogLevel.DEBUG);
    static final ConfigKey<Integer> WORKERS = KEYS.integer("workers", 1, WorkerConfig.MAX_COUNT, 1)
        .restart("Number of threads of the data path. Each has one queue of every port.");
    static final ConfigKey<List<Integer>> CORES = KEYS.integers("cores", 0, 1023, null)
        .byDefault("the last cores of the machine")
        .restart("Cores to which the workers are pinned, one for each. `[]` pins no worker.");
    static final ConfigKey<String> IDLE = KEYS.word("idle", IdleStrategies.NAMES, WorkerConfig.DEFAULT_IDLE)
        .restart("What a worker does while no frame arrives: `busy` uses a whole core, `yield` leaves it to other " +
            "threads that want it, `backoff` sleeps for short times.");
    static final ConfigKey<String> ROUTES_FILE = KEYS.string(
        "routes-file", "path, relative to the folder of this file", "table.txt", null)
        .byDefault("none")
        .restart("File with lines `PREFIX NEXT-HOP`. Its routes are loaded in addition to the others.");
    static final ConfigKey<Integer> NEIGHBOR_REFRESH_SECONDS = KEYS.integer(
        "neighbor-refresh-seconds", 1, 3600, ControlConfig.DEFAULT_NEIGHBOR_REFRESH_SECONDS)
        .reload("Interval of requests for a neighbour in use, so that the kernel keeps it reachable.");
    static final ConfigKey<Firewall> FIREWALL = KEYS.oneOf(
        "firewall", List.of(Firewall.values()), ControlConfig.DEFAULT_FIREWALL)
        .reload("What the router does on a host that filters or translates forwarded packets. With `follow` the " +
            "kernel judges connections, and the router forwards the packets of established ones. With `refuse` the " +
            "router does not start. With `bypass` its frames bypass the filters.");
    static final ConfigKey<Integer> MAX_FLOWS = KEYS.integer("max-flows", 1, FlowTable.MAX_CAPACITY,
        LimitConfig.DEFAULT_MAX_FLOWS)
        .restart("Most connections whose packets the router forwards on a host with packet filters. Each takes 144 " +
            "bytes there; on other hosts none. The kernel forwards the packets of further connections.");
    static final ConfigKey<Boolean> IGNORE_RULES = KEYS.bool("ignore-rules", false)
        .reload("Whether the main routing table is used although `ip rule` or VRFs select other tables.");
    static final ConfigKey<Integer> FRAME_SIZE = KEYS.powerOfTwo("frame-size", 2048, 4096, null)
        .byDefault("the least with which every port receives its MTU")
        .restart("Bytes of memory for each frame.");
    static final ConfigKey<Integer> FRAMES_PER_WORKER = KEYS.integer("frames-per-worker", 1024, 1 << 22, null)
        .byDefault("as many as rings, FIFOs and held frames can hold")
        .restart("Frames in the pool of each worker.");
    static final ConfigKey<Integer> SPARE_PORTS = KEYS.integer("spare-ports", 0, RouterConfig.MAX_PORTS, null)
        .byDefault(String.valueOf(RouterConfig.USUAL_SPARE_PORTS))
        .onlyFor("a router with an xdp: port, control = \"netlink\" or \"fpm\" and without [pfc]")
        .restart("Places for `xdp:` ports that are added while the router runs, up to " + RouterConfig.MAX_PORTS +
            " ports in all. With default rings each takes 12 MiB of locked memory of each worker, in use or not.");
    static final ConfigKey<Integer> EGRESS_FIFO_DEPTH = KEYS.powerOfTwo(
        "egress-fifo-depth", 1, 1 << 16, ForwarderContext.DEFAULT_EGRESS_FIFO_DEPTH)
        .restart("Frames of each FIFO between an ingress and an egress port.");
    static final ConfigKey<Integer> HOLD_FRAMES_PER_NEIGHBOR = KEYS.integer(
        "hold-frames-per-neighbor", 1, FrameBatch.CAPACITY, ForwarderContext.DEFAULT_HOLD_FRAMES_PER_NEIGHBOR)
        .restart("Frames that wait while the MAC address of one neighbour is resolved.");
    static final ConfigKey<Integer> HOLD_FRAMES = KEYS.integer(
        "hold-frames", 1, 1 << 16, ForwarderContext.DEFAULT_HOLD_FRAMES)
        .restart("Frames that wait for all neighbours in each worker.");
    static final ConfigKey<Integer> HOLD_MS = KEYS.integer("hold-ms", 1, 60_000,
        (int)TimeUnit.NANOSECONDS.toMillis(ForwarderContext.DEFAULT_HOLD_TIMEOUT_NS))
        .restart("Milliseconds after which a frame that waits for a neighbour is dropped.");
    static final ConfigKey<Integer> ICMP_ERRORS_PER_SECOND = KEYS.integer(
        "icmp-errors-per-second", 1, 1_000_000, ForwarderContext.DEFAULT_ICMP_ERRORS_PER_SECOND)
        .reload("ICMP errors that each worker sends in a second on average.");
    static final ConfigKey<Integer> ICMP_ERROR_BURST = KEYS.integer(
        "icmp-error-burst", 1, 10_000, ForwarderContext.DEFAULT_ICMP_ERROR_BURST)
        .reload("ICMP errors that each worker may send at once.");
    static final ConfigKey<Boolean> LOOSE_SOURCE_ROUTES = KEYS.bool("forward-loose-source-routes", false)
        .restart("Whether frames with a loose source route are forwarded. Those with a strict one are dropped always.");
    static final ConfigKey<String> MARTIANS = KEYS.word("martians", List.of(OF_KERNEL, OF_RFC), null)
        .byDefault("`\"kernel\"`; with `control = \"static\"` `\"rfc1812\"`")
        .restart("With `kernel` IPv4 addresses of 0/8 and 240/4 are like any others. `rfc1812` drops packets to and " +
            "from them.");
    static final ConfigKey<Boolean> OLD_BROADCASTS = KEYS.bool("forward-old-broadcasts", null)
        .byDefault("`true`; with `martians = \"rfc1812\"` `false`")
        .restart("Whether frames to the lowest address of a connected network are forwarded as to any host in it. " +
            "Otherwise they are dropped.");
    static final ConfigKey<Boolean> IPV6 = KEYS.bool("ipv6", true)
        .restart("Whether the router forwards IPv6 transit. Otherwise the kernel does.");
    static final ConfigKey<Boolean> SEND_REDIRECTS = KEYS.bool("send-redirects", ForwardingConfig.DEFAULT_REDIRECTS)
        .onlyFor(STATIC_ONLY)
        .restart("Whether ICMP and ICMPv6 redirects are sent to hosts with a better router.");
    static final ConfigKey<Integer> PUNTS_PER_SECOND = KEYS.integer(
        "punts-per-second", 1, 10_000_000, KernelPaths.DEFAULT_PUNTS_PER_SECOND)
        .reload("Frames that each worker may punt to the kernel from each port in a second.");
    static final ConfigKey<Integer> FLOW_REFRESHES_PER_SECOND = KEYS.integer(
        "flow-refreshes-per-second", 1, 10_000_000, LimitConfig.DEFAULT_FLOW_REFRESHES_PER_SECOND)
        .reload("Entries of connection tracking that are refreshed in a second, on a host with packet filters. Each " +
            "is an event to all who listen to connection tracking. The kernel forwards the packets of connections " +
            "for which no refresh is left.");

    /** The tables of a file. */
    static final ConfigTable TABLES = new ConfigTable();
    static final ConfigKey<TomlSection> ROUTER = TABLES.table("router", KEYS)
        .restart("The router as a whole. Every key has a default.");
    static final ConfigKey<List<TomlSection>> PORTS = TABLES.tables("port", PortReader.KEYS)
        .required("add a [[port]] with name and device")
        .reload("A port, 1 to " + RouterConfig.MAX_PORTS + " of them. A reload adds and removes `xdp:` ports.");
    static final ConfigKey<List<TomlSection>> ROUTES = TABLES.tables("route", StaticTableReader.ROUTE_KEYS)
        .onlyFor(STATIC_ONLY).restart("A route.");
    static final ConfigKey<List<TomlSection>> NEIGHBORS = TABLES.tables("neighbor", StaticTableReader.NEIGHBOR_KEYS)
        .onlyFor(STATIC_ONLY).restart("A neighbour. ARP is not answered: other hosts need static neighbours too.");
    static final ConfigKey<List<TomlSection>> ACLS = TABLES.tables("acl", AccessListReader.KEYS)
        .reload("An access list. The first rule that a packet matches decides.");

    static
    {
        KEYS.include(PortSettingsReader.KEYS);
        TABLES.include(HttpConfig.TABLES);
        TABLES.include(PfcTableReader.TABLES);
    }

    private RouterKeys()
    {
    }
}
