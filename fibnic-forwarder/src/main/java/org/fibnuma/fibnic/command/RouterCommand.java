package org.fibnuma.fibnic.command;

import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.HangupSignal;
import org.fibnuma.core.agent.Termination;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.config.ConfigName;
import org.fibnuma.core.service.notify.ServiceNotifications;
import org.fibnuma.fibnic.acl.AccessCheck;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.config.ConfigReader;
import org.fibnuma.fibnic.config.PortConfig;
import org.fibnuma.fibnic.config.RouterConfig;
import org.fibnuma.fibnic.control.Router;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Runs a router until a signal ends it or every port is exhausted. */
@Command(
    name = "router",
    mixinStandardHelpOptions = true,
    description = {
        "Runs a router until SIGTERM or SIGINT, or until the end of the files where all ports are pcap:.",
        "Prints one line \"ready\" on standard output when every port forwards.",
        "SIGHUP reads the file again, as fibnuma reload; without a file it ends the router.",
        "Exit status: 0 ended by a signal or with its files, 1 could not run, 2 wrong usage or configuration."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma router eth1 eth2",
        "  fibnuma router --check -c router.toml",
        "  fibnuma router -c router.toml"
    })
final class RouterCommand implements Callable<Integer>
{
    private static final Logger LOGGER = LoggerFactory.getLogger(RouterCommand.class);

    /** Interval of the checks for exhausted ports, far above the time that a frame stays in the router. */
    private static final long CHECK_MS = 200;

    /** Names of interfaces that are valid names of ports. */
    private static final String INTERFACE = "[A-Za-z0-9][A-Za-z0-9._-]*";

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = { "-c", "--config" }, paramLabel = "FILE",
        description = "Configuration (TOML), see man fibnuma.toml.")
    private Path file;

    @Parameters(
        arity = "0..*", paramLabel = "INTERFACE",
        description = "Instead of a file: interfaces of this host to forward between, each an xdp: port of its name. " +
            "Addresses, routes and neighbours are those of the kernel; all settings have their defaults.")
    private List<String> interfaces = List.of();

    @Option(
        names = "--name", paramLabel = "NAME",
        description = "Without a file: name of the router (default: " + RouterConfig.DEFAULT_NAME + ").")
    private String name;

    @Option(
        names = "--check",
        description = "Only check the configuration and print what a router would do with it; opens no device and " +
            "needs no root. A missing interface is an error (exit status 1). A rule that no packet reaches is a " +
            "warning.")
    private boolean checkOnly;

    @Override
    public Integer call() throws Exception
    {
        final RouterConfig config;
        try
        {
            config = config();
        }
        catch (final ConfigException ex)
        {
            ex.problems().forEach(spec.commandLine().getErr()::println);
            spec.commandLine().getErr().flush();
            return FibnumaCommand.USAGE;
        }
        if (checkOnly)
        {
            return check(config);
        }
        try (Termination termination = new Termination())
        {
            run(config, termination);
            if (termination.isRequested())
            {
                LOGGER.info("router {} has released its ports, milliseconds-since-signal={}", config.name(),
                    TimeUnit.NANOSECONDS.toMillis(termination.nanosSinceRequest()));
            }
        }
        return FibnumaCommand.OK;
    }

    /** Prints what a router would do, or a line for each port whose device this host does not have. */
    private int check(final RouterConfig config)
    {
        final List<String> missing = missingDevices(config);
        final PrintWriter err = spec.commandLine().getErr();
        unreachableRules(config).forEach(err::println);
        missing.forEach(line -> err.println("fibnuma: " + line));
        err.flush();
        if (!missing.isEmpty())
        {
            return FibnumaCommand.FAILED;
        }
        final PrintWriter out = spec.commandLine().getOut();
        ConfigSummary.of(config).forEach(out::println);
        out.println((file == null ? String.join(" ", interfaces) : file) + ": ok");
        out.flush();
        return FibnumaCommand.OK;
    }

    private static List<String> missingDevices(final RouterConfig config)
    {
        final List<String> lines = new ArrayList<>();
        for (final PortConfig port : config.ports())
        {
            try
            {
                Ports.requirePresent(port.name(), port.device());
            }
            catch (final UserException ex)
            {
                lines.add(config.at(port.line(), "port.device") + ex.getMessage());
            }
        }
        return lines;
    }

    private static List<String> unreachableRules(final RouterConfig config)
    {
        final List<String> lines = new ArrayList<>();
        for (final AccessList list : config.acls())
        {
            new AccessCheck(list).findings().stream().filter(AccessCheck.Finding::unreachable).forEach(finding ->
                lines.add(config.at(list.rules().get(finding.rule()).line(), "acl.rule") + "warning: list " +
                    list.name() + ": " + finding.text()));
        }
        return lines;
    }

    private RouterConfig config() throws ConfigException
    {
        if (file != null)
        {
            refuse(!interfaces.isEmpty(), "-c FILE and interfaces exclude each other; add the interfaces as [[port]]");
            refuse(name != null, "--name is for a router without a file; set name in [router] of the file");
            return ConfigReader.read(file);
        }
        refuse(interfaces.isEmpty(), "give -c FILE, or the interfaces to forward between");
        refuse(interfaces.size() > RouterConfig.MAX_PORTS,
            interfaces.size() + " interfaces; one router has at most " + RouterConfig.MAX_PORTS);
        refuse(Set.copyOf(interfaces).size() < interfaces.size(), "an interface is given twice");
        interfaces.forEach(each -> refuse(
            !each.matches(INTERFACE) || each.length() > PortConfig.MAX_INTERFACE_NAME,
            "\"" + each + "\" cannot be the name of a port; use -c FILE for this interface"));
        return ConfigReader.ofInterfaces(routerName(), interfaces);
    }

    private String routerName()
    {
        try
        {
            return name == null ? RouterConfig.DEFAULT_NAME : ConfigName.parse(name);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new CommandLine.ParameterException(spec.commandLine(), "--name: " + ex.getMessage(), ex);
        }
    }

    private void refuse(final boolean isWrong, final String why)
    {
        if (isWrong)
        {
            throw new CommandLine.ParameterException(spec.commandLine(), why);
        }
    }

    private void run(final RouterConfig config, final Termination termination) throws InterruptedException
    {
        config.logLevel().apply();
        final ServiceNotifications notifications = ServiceNotifications.ofThisProcess();
        try (Router router = Router.open(config))
        {
            router.start(notifications);
            if (file != null)
            {
                HangupSignal.handle(router::reload);
            }
            spec.commandLine().getOut().println("ready");
            spec.commandLine().getOut().flush();
            notifications.ready("router " + config.name() + " forwards, ports: " + config.ports().size());
            // Exhausted in two checks in a row: the workers have forwarded all frames received before the first.
            boolean wasExhausted = false;
            while (!termination.await(CHECK_MS) && !(wasExhausted && router.exhausted()))
            {
                wasExhausted = router.exhausted();
            }
            notifications.stopping();
            LOGGER.info("router {} ends: {}",
                config.name(), termination.isRequested() ? termination.signal() : "all capture files are replayed");
        }
    }
}
