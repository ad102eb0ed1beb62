package org.fibnuma.ipnuma.command;

import org.agrona.concurrent.IdleStrategy;
import org.fibnuma.core.agent.HangupSignal;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.agent.Termination;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.notify.ServiceNotifications;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.fibnuma.ipnuma.endpoint.Endpoint;
import org.fibnuma.ipnuma.endpoint.EndpointAgent;
import org.fibnuma.ipnuma.endpoint.EndpointReload;
import org.fibnuma.ipnuma.http.HttpService;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.concurrent.Callable;

/** Runs an endpoint until a signal stops it. */
@Command(
    name = "endpoint",
    mixinStandardHelpOptions = true,
    description = {
        "Runs an endpoint until SIGTERM or SIGINT.",
        "SIGHUP reads the file again, as fibnuma ipnuma reload.",
        "Prints one line \"ready\" on standard output when it receives frames.",
        "Exit status: 0 ended by a signal, 1 could not run, 2 wrong usage or configuration."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma ipnuma endpoint --check -c endpoint.toml",
        "  fibnuma ipnuma endpoint -c endpoint.toml"
    })
final class EndpointCommand implements Callable<Integer>
{
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = { "-c", "--config" }, required = true, paramLabel = "FILE",
        description = "Configuration (TOML), see man fibnuma.toml.")
    private Path file;

    @Option(names = "--check", description = "Only read and check the configuration.")
    private boolean checkOnly;

    @Override
    public Integer call() throws ConfigException
    {
        final EndpointConfig config = EndpointConfigReader.read(file);
        if (checkOnly)
        {
            spec.commandLine().getOut().println(file + ": ok");
            spec.commandLine().getOut().flush();
            return IpnumaCommand.OK;
        }
        config.logLevel().apply();
        final ServiceNotifications notifications = ServiceNotifications.ofThisProcess();
        try (Termination termination = new Termination();
            Endpoint endpoint = Endpoint.open(config, ChannelListener.NONE);
            HttpService http = config.http() == null ? null : HttpService.open(config);
            EndpointReload reload = EndpointReload.open(endpoint, notifications);
            ProgressWatch progress = ProgressWatch.start(notifications))
        {
            if (config.thread().core() != ThreadPinning.ANY_CORE)
            {
                ThreadPinning.load().pinCurrentThread(config.thread().core());
            }
            endpoint.start();
            if (http != null)
            {
                http.start(endpoint);
            }
            HangupSignal.handle(reload::request);
            spec.commandLine().getOut().println("ready");
            spec.commandLine().getOut().flush();
            notifications.ready("endpoint " + config.name() + " serves, peers: " + config.peers().size());
            final IdleStrategy idle = IdleStrategies.of(config.thread().idle());
            while (!termination.isRequested())
            {
                runUntilFault(endpoint.agent(), idle, () ->
                {
                    reload.poll();
                    progress.onCycle();
                }, termination);
            }
            notifications.stopping();
        }
        return IpnumaCommand.OK;
    }

    /** Runs the whole loop, since the JVM may report a fault at its end too, after a duty cycle has returned. */
    private static void runUntilFault(
        final EndpointAgent agent, final IdleStrategy idle, final Runnable onCycle, final Termination termination)
    {
        try
        {
            while (!termination.isRequested())
            {
                idle.idle(agent.doWork());
                onCycle.run();
            }
        }
        catch (final InternalError fault)
        {
            agent.onFault(fault);
        }
    }
}
