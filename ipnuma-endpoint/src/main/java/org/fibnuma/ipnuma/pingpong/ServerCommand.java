package org.fibnuma.ipnuma.pingpong;

import org.fibnuma.core.agent.Termination;
import org.fibnuma.core.config.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

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
        try (Termination termination = new Termination();
            CounterLink link = options.open(true))
        {
            final Thread waker = new Thread(() -> wakeAtEnd(termination, link), "waker");
            waker.setDaemon(true);
            waker.start();
            options.pin(FROM_LAST_CORE);
            spec.commandLine().getOut().println("ready");
            spec.commandLine().getOut().flush();
            new PingPongServer(link).serve(termination::isRequested);
        }
        return PingPongCommand.OK;
    }

    private static void wakeAtEnd(final Termination termination, final CounterLink link)
    {
        try
        {
            if (termination.await(TimeUnit.DAYS.toMillis(Integer.MAX_VALUE)))
            {
                link.wake();
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
