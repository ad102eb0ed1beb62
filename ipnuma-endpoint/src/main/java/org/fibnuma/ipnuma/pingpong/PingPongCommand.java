package org.fibnuma.ipnuma.pingpong;

import org.fibnuma.core.service.command.Commands;
import org.fibnuma.core.service.config.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Main class of the ping-pong, with a command for each of the two ends. */
@Command(
    name = "fibnuma pingpong",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "server|client",
    description = {
        "Sends a counter to a server and back, and measures how long that takes.",
        "Runs over IP-NUMA, UDP sockets that block, and UDP sockets that are polled."
    },
    subcommands = { ServerCommand.class, ClientCommand.class },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma pingpong server -c b.toml",
        "  fibnuma pingpong client -c a.toml --iterations 10000"
    })
public final class PingPongCommand implements Runnable
{
    static final int OK = 0;
    static final int FAILED = 1;
    /** Exit status of wrong usage or configuration. */
    static final int USAGE = 2;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** Creates the command, for picocli. */
    public PingPongCommand()
    {
    }

    /** Runs the command of the arguments and ends the process with its exit status. */
    public static void main(final String[] args)
    {
        System.exit(commandLine().execute(args));
    }

    /**
     * Returns the commands, ready for execution. An exception becomes one line on standard error and exit status 1, or
     * 2 for a configuration.
     */
    static CommandLine commandLine()
    {
        return Commands.prepare(new CommandLine(new PingPongCommand()))
            .registerConverter(Transport.class, Transport::of)
            .setExecutionExceptionHandler((exception, commandLine, parsed) ->
            {
                final String message = exception.getMessage();
                commandLine.getErr().println(exception instanceof ConfigException ? message :
                    "fibnuma: " + (message == null ? exception.toString() : message));
                commandLine.getErr().flush();
                return exception instanceof ConfigException ? USAGE : FAILED;
            });
    }

    @Override
    public void run()
    {
        throw new CommandLine.ParameterException(spec.commandLine(), "choose an end: server or client");
    }
}
