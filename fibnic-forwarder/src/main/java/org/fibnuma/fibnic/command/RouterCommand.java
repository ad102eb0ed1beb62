package org.fibnuma.fibnic.command;

import org.fibnuma.core.agent.Termination;
import org.fibnuma.core.config.ConfigException;
import org.fibnuma.fibnic.config.ConfigReader;
import org.fibnuma.fibnic.config.RouterConfig;
import org.fibnuma.fibnic.control.Router;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Runs a router until a signal ends it or every port is exhausted. */
@Command(
    name = "router",
    mixinStandardHelpOptions = true,
    description = {
        "Runs a router until SIGTERM or SIGINT, or until the end of the files where all ports are pcap:.",
        "Prints one line \"ready\" on standard output when every port forwards.",
        "Exit status: 0 ended by a signal or with its files, 1 could not run, 2 wrong usage or configuration."
    })
final class RouterCommand implements Callable<Integer>
{
    private static final Logger LOG = LoggerFactory.getLogger(RouterCommand.class);

    /** Interval of the checks for exhausted ports: far longer than a frame stays in the router. */
    private static final long CHECK_MS = 200;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(names = { "-c", "--config" }, required = true, paramLabel = "FILE", description = "Configuration (TOML).")
    private Path file;

    @Option(names = "--check", description = "Only read and check the configuration.")
    private boolean checkOnly;

    @Override
    public Integer call() throws Exception
    {
        final RouterConfig config;
        try
        {
            config = ConfigReader.read(file);
        }
        catch (final ConfigException ex)
        {
            ex.problems().forEach(spec.commandLine().getErr()::println);
            spec.commandLine().getErr().flush();
            return FibnumaCommand.USAGE;
        }
        if (checkOnly)
        {
            spec.commandLine().getOut().println(file + ": ok");
            spec.commandLine().getOut().flush();
            return FibnumaCommand.OK;
        }
        try (Termination termination = new Termination())
        {
            run(config, termination);
            if (termination.isRequested())
            {
                LOG.info("router {} has released its ports, milliseconds-since-signal={}", config.name(),
                    TimeUnit.NANOSECONDS.toMillis(termination.nanosSinceRequest()));
            }
        }
        return FibnumaCommand.OK;
    }

    private void run(final RouterConfig config, final Termination termination) throws InterruptedException
    {
        try (Router router = Router.open(config))
        {
            router.start();
            spec.commandLine().getOut().println("ready");
            spec.commandLine().getOut().flush();
            // Exhausted in two checks in a row: the workers have forwarded all frames received before the first.
            boolean wasExhausted = false;
            while (!termination.await(CHECK_MS) && !(wasExhausted && router.exhausted()))
            {
                wasExhausted = router.exhausted();
            }
            LOG.info("router {} ends: {}",
                config.name(), termination.isRequested() ? termination.signal() : "all capture files are replayed");
        }
    }
}
