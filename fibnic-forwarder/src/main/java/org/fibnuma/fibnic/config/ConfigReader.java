package org.fibnuma.fibnic.config;

import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.config.ConfigProblems;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.PortSettingsReader;
import org.fibnuma.core.service.config.TomlFile;
import org.fibnuma.core.service.config.TomlSection;
import org.fibnuma.core.service.http.HttpConfig;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.pfc.config.PfcCheck;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcTableReader;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads a router's TOML file: tables {@code [router]}, {@code [http]} and {@code [pfc]}, and lists
 * {@code [[port]]}, {@code [[acl]]}, {@code [[route]]}, {@code [[neighbor]]}.
 */
public final class ConfigReader
{
    /** The tables of a file and their keys, for the reference of the configuration. */
    public static final ConfigTable TABLES = RouterKeys.TABLES;

    private final Path file;
    private final ConfigProblems problems;
    private final TomlSection root;
    private final TomlSection router;

    private ConfigReader(final Path file, final ConfigProblems problems, final TomlSection root)
    {
        this.file = file;
        this.problems = problems;
        this.root = root;
        this.router = root.tableOrEmpty(RouterKeys.ROUTER);
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
        final TomlSection root = TomlFile.read(file, problems, TABLES);
        return new ConfigFile(new ConfigReader(file, problems, root).read(), root);
    }

    /**
     * Returns the configuration of a router without a file: an {@code xdp:} port of the same name for each interface,
     * control by netlink, and defaults for all other settings.
     *
     * @param name       of the router.
     * @param interfaces names of different interfaces, 1 to {@link RouterConfig#MAX_PORTS}.
     * @return the configuration, whose file is null.
     * @throws ConfigException if an interface cannot be the name of a port.
     */
    public static RouterConfig ofInterfaces(final String name, final List<String> interfaces) throws ConfigException
    {
        final StringBuilder text = new StringBuilder("[router]\nname = \"" + name + "\"\n");
        interfaces.forEach(each ->
            text.append("[[port]]\nname = \"" + each + "\"\ndevice = \"xdp:" + each + "\"\n"));
        final ConfigProblems problems = new ConfigProblems(Path.of("interfaces"));
        return new ConfigReader(null, problems, TomlFile.parse(text.toString(), problems, TABLES)).read();
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
        final List<AccessList> acls = AccessListReader.read(TomlFile.read(file, problems, TABLES));
        problems.throwIfAny();
        return acls;
    }

    private RouterConfig read() throws ConfigException
    {
        final String name = router.get(RouterKeys.NAME);
        final ControlMode mode = router.get(RouterKeys.CONTROL);
        final boolean ipv6 = router.get(RouterKeys.IPV6);
        final List<AccessList> acls = AccessListReader.read(root);
        final List<PortConfig> ports = new PortReader(root, mode, ipv6, acls).read();
        final PfcConfig pfc = pfc(ports);
        final StaticTableReader tables = new StaticTableReader(root, mode, ports, ipv6);
        final RouterConfig config = new RouterConfig(
            file,
            name,
            router.get(RouterKeys.LOG_LEVEL),
            new ControlConfig(
                mode,
                fpm(mode),
                routesFile(),
                router.get(RouterKeys.NEIGHBOR_REFRESH_SECONDS),
                router.get(RouterKeys.FIREWALL),
                router.get(RouterKeys.IGNORE_RULES),
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
            router.refuse(RouterKeys.SPARE_PORTS, "remove it");
            return RouterConfig.DEFAULT_SPARE_PORTS;
        }
        return router.get(RouterKeys.SPARE_PORTS, RouterConfig.DEFAULT_SPARE_PORTS);
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
            router.refuse(RouterKeys.FPM_LISTEN, "remove it");
            router.refuse(RouterKeys.FPM_STALE_SECONDS, "remove it");
            return null;
        }
        return new FpmConfig(router.get(RouterKeys.FPM_LISTEN), router.get(RouterKeys.FPM_STALE_SECONDS));
    }

    private Path routesFile()
    {
        final String text = router.get(RouterKeys.ROUTES_FILE);
        if (text == null)
        {
            return null;
        }
        final Path routesFile = file.toAbsolutePath().resolveSibling(text);
        if (!Files.isRegularFile(routesFile) || !Files.isReadable(routesFile))
        {
            router.wrong(RouterKeys.ROUTES_FILE, "cannot read " + routesFile +
                "; the path is relative to the folder of the configuration");
        }
        return routesFile;
    }

    private WorkerConfig workers()
    {
        final int count = router.get(RouterKeys.WORKERS);
        final List<Integer> cores = router.has(RouterKeys.CORES) ?
            router.get(RouterKeys.CORES, List.of()) : WorkerConfig.lastCores(count);
        if (!cores.isEmpty() && cores.size() != count)
        {
            router.wrong(RouterKeys.CORES, "has " + cores.size() + " cores for " + count +
                " workers; give one for each, or [] to pin none");
        }
        return new WorkerConfig(
            count,
            cores,
            router.get(RouterKeys.IDLE),
            router.get(RouterKeys.FRAMES_PER_WORKER, 0),
            router.get(RouterKeys.FRAME_SIZE, WorkerConfig.FRAME_SIZE_OF_PORTS),
            router.lineOf(RouterKeys.CORES));
    }

    private LimitConfig limits()
    {
        return new LimitConfig(
            router.get(RouterKeys.EGRESS_FIFO_DEPTH),
            router.get(RouterKeys.HOLD_FRAMES_PER_NEIGHBOR),
            router.get(RouterKeys.HOLD_FRAMES),
            router.get(RouterKeys.HOLD_MS),
            router.get(RouterKeys.ICMP_ERRORS_PER_SECOND),
            router.get(RouterKeys.ICMP_ERROR_BURST),
            router.get(RouterKeys.PUNTS_PER_SECOND),
            router.get(RouterKeys.MAX_FLOWS),
            router.get(RouterKeys.FLOW_REFRESHES_PER_SECOND));
    }

    private ForwardingConfig forwarding(final ControlMode mode, final boolean ipv6)
    {
        if (mode.followsKernel())
        {
            router.refuse(RouterKeys.SEND_REDIRECTS, "remove it, net.ipv4.conf.INTERFACE.send_redirects is used");
        }
        final boolean kernelMartians = RouterKeys.OF_KERNEL.equals(router.get(
            RouterKeys.MARTIANS, mode.followsKernel() ? RouterKeys.OF_KERNEL : RouterKeys.OF_RFC));
        return new ForwardingConfig(
            router.get(RouterKeys.LOOSE_SOURCE_ROUTES),
            router.get(RouterKeys.OLD_BROADCASTS, kernelMartians),
            router.get(RouterKeys.SEND_REDIRECTS),
            ipv6,
            kernelMartians);
    }
}
