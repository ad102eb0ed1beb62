package org.fibnuma.fibnic.config;

import org.fibnuma.core.config.ConfigException;
import org.fibnuma.core.config.ConfigName;
import org.fibnuma.core.config.ConfigProblems;
import org.fibnuma.core.config.PortSettingsReader;
import org.fibnuma.core.config.TomlFile;
import org.fibnuma.core.config.TomlSection;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.http.HttpConfig;
import org.fibnuma.core.log.LogLevel;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.datapath.ForwarderContext;
import org.fibnuma.fibnic.ports.KernelPaths;
import org.fibnuma.pfc.config.PfcCheck;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcTableReader;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Reads a router's TOML file: tables {@code [router]}, {@code [http]} and {@code [pfc]}, and lists
 * {@code [[port]]}, {@code [[acl]]}, {@code [[route]]}, {@code [[neighbor]]}.
 */
public final class ConfigReader
{
    static final String ROUTER = "router";
    private static final String WORKERS = "workers";
    private static final String CORES = "cores";
    private static final String BYPASS_NETFILTER = "bypass-netfilter";
    private static final String IGNORE_RULES = "ignore-rules";
    private static final String ROUTES_FILE = "routes-file";
    private static final String FRAME_SIZE = "frame-size";
    private static final String MARTIANS = "martians";
    /** A value of {@code martians}. */
    static final String OF_KERNEL = "kernel";
    /** The other value of {@code martians}. */
    static final String OF_RFC = "rfc1812";
    private static final String SEND_REDIRECTS = "send-redirects";
    private static final String SPARE_PORTS = "spare-ports";
    private static final String FPM_LISTEN = "fpm-listen";
    private static final String FPM_STALE_SECONDS = "fpm-stale-seconds";

    private final Path file;
    private final ConfigProblems problems;
    private final TomlSection root;
    private final TomlSection router;

    private ConfigReader(final Path file, final ConfigProblems problems, final TomlSection root)
    {
        this.file = file;
        this.problems = problems;
        this.root = root;
        this.router = root.tableOrEmpty(ROUTER);
    }

    /**
     * Reads and checks a file.
     *
     * @param file to read.
     * @return the configuration, with defaults for missing keys.
     * @throws ConfigException with a line for each problem.
     */
    public static RouterConfig read(final Path file) throws ConfigException
    {
        return readWithLines(file).config();
    }

    /**
     * Reads and checks a file, and keeps the lines of its keys.
     *
     * @param file to read.
     * @return the configuration, with defaults for missing keys.
     * @throws ConfigException with a line for each problem.
     */
    public static ConfigFile readWithLines(final Path file) throws ConfigException
    {
        final ConfigProblems problems = new ConfigProblems(file);
        final TomlSection root = TomlFile.read(file, problems);
        return new ConfigFile(new ConfigReader(file, problems, root).read(), root);
    }

    /**
     * Returns the configuration of a router without a file: a port {@code xdp:} for each interface, named like it,
     * control by netlink, and defaults for everything else.
     *
     * @param name       of the router.
     * @param interfaces names of different interfaces, 1 to {@link RouterConfig#MAX_PORTS}.
     * @return the configuration, whose file is null.
     * @throws ConfigException if one of them cannot be the name of a port.
     */
    public static RouterConfig ofInterfaces(final String name, final List<String> interfaces) throws ConfigException
    {
        final StringBuilder text = new StringBuilder("[router]\nname = \"" + name + "\"\n");
        interfaces.forEach(each ->
            text.append("[[port]]\nname = \"" + each + "\"\ndevice = \"xdp:" + each + "\"\n"));
        final ConfigProblems problems = new ConfigProblems(Path.of("interfaces"));
        return new ConfigReader(null, problems, TomlFile.parse(text.toString(), problems)).read();
    }

    /**
     * Reads only the access lists of a file.
     *
     * @param file to read; its other tables are not checked.
     * @return the lists in the order of the file.
     * @throws ConfigException with a line for each problem.
     */
    public static List<AccessList> readAccessLists(final Path file) throws ConfigException
    {
        final ConfigProblems problems = new ConfigProblems(file);
        final List<AccessList> acls = AccessListReader.read(TomlFile.read(file, problems));
        problems.throwIfAny();
        return acls;
    }

    private RouterConfig read() throws ConfigException
    {
        final String name = router.parsed("name", ConfigName::parse, RouterConfig.DEFAULT_NAME);
        final ControlMode mode = ControlMode.valueOf(router.oneOf(
            "control", Arrays.stream(ControlMode.values()).map(ControlMode::key).toList(), ControlMode.NETLINK.key())
            .toUpperCase(Locale.ROOT));
        final boolean ipv6 = router.bool("ipv6", true);
        final List<AccessList> acls = AccessListReader.read(root);
        final List<PortConfig> ports = new PortReader(root, mode, ipv6, acls).read();
        final PfcConfig pfc = pfc(ports);
        final StaticTableReader tables = new StaticTableReader(root, mode, ports, ipv6);
        final RouterConfig config = new RouterConfig(
            file,
            name,
            LogLevel.read(router, LogLevel.DEBUG),
            new ControlConfig(
                mode,
                fpm(mode),
                routesFile(),
                router.integer(
                    "neighbor-refresh-seconds", 1, 3600, ControlConfig.DEFAULT_NEIGHBOR_REFRESH_SECONDS),
                router.bool(BYPASS_NETFILTER, false),
                router.bool(IGNORE_RULES, false),
                tables.routes(),
                tables.neighbors()),
            workers(),
            limits(),
            forwarding(mode, ipv6),
            PortSettingsReader.read(router),
            pfc,
            HttpConfig.read(root, HttpConfig.DEFAULT_LISTEN),
            acls,
            ports,
            sparePorts(mode, pfc, ports));
        router.refuseUnknownKeys();
        root.refuseUnknownKeys();
        problems.throwIfAny();
        return config;
    }

    private int sparePorts(final ControlMode mode, final PfcConfig pfc, final List<PortConfig> ports)
    {
        if (!RouterConfig.takesNewPorts(mode, pfc, ports))
        {
            if (router.has(SPARE_PORTS))
            {
                router.wrong(SPARE_PORTS, "is only for a router with an xdp: port, control = \"netlink\" or \"fpm\" " +
                    "and without [pfc]; remove it");
            }
            return RouterConfig.DEFAULT_SPARE_PORTS;
        }
        return router.integer(SPARE_PORTS, 0, RouterConfig.MAX_PORTS, RouterConfig.DEFAULT_SPARE_PORTS);
    }

    private PfcConfig pfc(final List<PortConfig> ports)
    {
        final PfcConfig pfc = PfcTableReader.read(root, ports.stream().map(PortConfig::name).toList());
        if (pfc == null || !pfc.isLossless())
        {
            return null;
        }
        PfcCheck.findings(pfc).stream().filter(PfcCheck.Finding::isError)
            .forEach(finding -> problems.add(finding.line(), finding.text()));
        return pfc;
    }

    private FpmConfig fpm(final ControlMode mode)
    {
        if (mode != ControlMode.FPM)
        {
            for (final String key : List.of(FPM_LISTEN, FPM_STALE_SECONDS))
            {
                if (router.has(key))
                {
                    router.wrong(key, "is only for control = \"fpm\"; remove it");
                }
            }
            return null;
        }
        return new FpmConfig(
            router.parsed(FPM_LISTEN, FpmConfig::parseListen, FpmConfig.parseListen(FpmConfig.DEFAULT_LISTEN)),
            router.integer(FPM_STALE_SECONDS, 1, 3600, FpmConfig.DEFAULT_STALE_SECONDS));
    }

    private Path routesFile()
    {
        final String text = router.string(ROUTES_FILE, null);
        if (text == null)
        {
            return null;
        }
        final Path routesFile = file.toAbsolutePath().resolveSibling(text);
        if (!Files.isRegularFile(routesFile) || !Files.isReadable(routesFile))
        {
            router.wrong(ROUTES_FILE, "cannot read " + routesFile +
                "; the path is relative to the folder of the configuration");
        }
        return routesFile;
    }

    private WorkerConfig workers()
    {
        final int count = router.integer(WORKERS, 1, WorkerConfig.MAX_COUNT, 1);
        final List<Integer> cores = router.has(CORES) ?
            router.integers(CORES, 0, 1023) : WorkerConfig.lastCores(count);
        if (!cores.isEmpty() && cores.size() != count)
        {
            router.wrong(CORES, "has " + cores.size() + " cores for " + count +
                " workers; give one for each, or [] to pin none");
        }
        final int frameSize = router.has(FRAME_SIZE) ?
            router.powerOfTwo(FRAME_SIZE, 2048, 4096, 2048) : WorkerConfig.FRAME_SIZE_OF_PORTS;
        return new WorkerConfig(
            count,
            cores,
            router.oneOf("idle", IdleStrategies.NAMES, WorkerConfig.DEFAULT_IDLE),
            router.integer("frames-per-worker", 1024, 1 << 22, 0),
            frameSize,
            router.lineOf(CORES));
    }

    private LimitConfig limits()
    {
        return new LimitConfig(
            router.powerOfTwo("egress-fifo-depth", 16, 1 << 16, ForwarderContext.DEFAULT_EGRESS_FIFO_DEPTH),
            router.integer(
                "hold-frames-per-neighbor", 1, FrameBatch.CAPACITY,
                ForwarderContext.DEFAULT_HOLD_FRAMES_PER_NEIGHBOR),
            router.integer("hold-frames", 1, 1 << 16, ForwarderContext.DEFAULT_HOLD_FRAMES),
            router.integer(
                "hold-ms", 1, 60_000, (int)TimeUnit.NANOSECONDS.toMillis(ForwarderContext.DEFAULT_HOLD_TIMEOUT_NS)),
            router.integer(
                "icmp-errors-per-second", 1, 1_000_000, ForwarderContext.DEFAULT_ICMP_ERRORS_PER_SECOND),
            router.integer("icmp-error-burst", 1, 10_000, ForwarderContext.DEFAULT_ICMP_ERROR_BURST),
            router.integer("punts-per-second", 1, 10_000_000, KernelPaths.DEFAULT_PUNTS_PER_SECOND));
    }

    private ForwardingConfig forwarding(final ControlMode mode, final boolean ipv6)
    {
        if (mode.followsKernel() && router.has(SEND_REDIRECTS))
        {
            router.wrong(SEND_REDIRECTS,
                "is only for control = \"static\"; remove it, net.ipv4.conf.INTERFACE.send_redirects is used");
        }
        final boolean kernelMartians = router.oneOf(
            MARTIANS, List.of(OF_KERNEL, OF_RFC), mode.followsKernel() ? OF_KERNEL : OF_RFC).equals(OF_KERNEL);
        return new ForwardingConfig(
            router.bool("forward-loose-source-routes", false),
            router.bool("forward-old-broadcasts", kernelMartians),
            router.bool(SEND_REDIRECTS, ForwardingConfig.DEFAULT_REDIRECTS),
            ipv6,
            kernelMartians);
    }
}
