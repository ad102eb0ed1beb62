package org.fibnuma.ipnuma.pingpong;

import org.fibnuma.core.service.config.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

/** The end that sends counters back. */
@Command(
    name = "server",
    mixinStandardHelpOptions = true,
    description = {
        "Sends every counter back, for one client after the other, until SIGTERM or SIGINT.",
        "Prints one line \"ready\" on standard output when it is ready."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma pingpong server -c b.toml",
        "  fibnuma pingpong server --transport udp --address 127.0.0.1:7000"
    })
final class ServerCommand implements Callable<Integer>
{
    private static final int FROM_LAST_CORE = 1;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private LinkOptions options;

    private volatile CounterLink link;

    @Override
    public Integer call() throws ConfigException
    {
        options.size();
        // Installed before anything that a signal must close.
        try (SignalWatch watch = new SignalWatch(this::wake))
        {
            link = options.open(true);
            try (CounterLink opened = link)
            {
                options.pin(FROM_LAST_CORE);
                spec.commandLine().getOut().println("ready");
                spec.commandLine().getOut().flush();
                new PingPongServer(opened).serve(watch::isRequested);
            }
        }
        return PingPongCommand.OK;
    }

    private void wake()
    {
        final CounterLink waiting = link;
        if (waiting != null)
        {
            waiting.wake();
        }
    }
}
