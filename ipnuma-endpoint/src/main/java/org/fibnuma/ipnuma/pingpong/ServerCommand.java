package org.fibnuma.ipnuma.pingpong;

import org.fibnuma.core.config.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

/** The end that answers. */
@Command(
    name = "server",
    mixinStandardHelpOptions = true,
    description = {
        "Sends every counter back, for one client after the other, until SIGTERM or SIGINT.",
        "Prints one line \"ready\" on standard output when it answers."
    })
final class ServerCommand implements Callable<Integer>
{
    private static final int FROM_LAST_CORE = 1;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private LinkOptions options;

    @Override
    public Integer call() throws ConfigException
    {
        options.size();
        final CounterLink link = options.open(true);
        // Closed in this order: the link before the process may end.
        try (SignalWatch watch = new SignalWatch(link::wake); link)
        {
            options.pin(FROM_LAST_CORE);
            spec.commandLine().getOut().println("ready");
            spec.commandLine().getOut().flush();
            new PingPongServer(link).serve(watch::isRequested);
        }
        return PingPongCommand.OK;
    }
}
