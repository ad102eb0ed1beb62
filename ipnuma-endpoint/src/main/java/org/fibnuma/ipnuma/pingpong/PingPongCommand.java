package org.fibnuma.ipnuma.pingpong;

import org.fibnuma.core.config.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The two ends of a ping-pong. Main class. */
@Command(
    name = "fibnuma pingpong",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "server|client",
    description = {
        "Sends a counter to a server and back, and says how long that takes.",
        "The same program over IP-NUMA, UDP sockets that block, and UDP sockets that are polled."
    },
    subcommands = { ServerCommand.class, ClientCommand.class })
public final class PingPongCommand implements Runnable
{
    /** Exit status: it worked. */
    static final int OK = 0;
    /** Exit status: it failed. */
    static final int FAILED = 1;
    /** Exit status: wrong usage or configuration. */
    static final int USAGE = 2;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** For picocli. */
    public PingPongCommand()
    {
    }

    /**
     * Runs a command and ends the process with its exit status.
     *
     * @param args command and options.
     */
    public static void main(final String[] args)
    {
        System.exit(commandLine().execute(args));
    }

    /** The commands, ready to be executed; an exception becomes one line on standard error and exit status 1. */
    static CommandLine commandLine()
    {
        return new CommandLine(new PingPongCommand())
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
        throw new CommandLine.ParameterException(spec.commandLine(), "say which end this is: server or client");
    }
}
