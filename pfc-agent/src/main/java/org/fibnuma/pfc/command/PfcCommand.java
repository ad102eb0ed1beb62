package org.fibnuma.pfc.command;

import org.fibnuma.core.service.command.Commands;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code fibnuma pfc} commands. Main class. */
@Command(
    name = "fibnuma pfc",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Lossless Ethernet: headroom, configuration check, pause-time simulator.",
    subcommands = { HeadroomCommand.class, CheckCommand.class, SimulateCommand.class },
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma pfc headroom --speed 100G --cable 100")
public final class PfcCommand implements Runnable
{
    /** Exit status: success. */
    static final int OK = 0;
    /** Exit status: failure. */
    static final int FAILED = 1;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** Runs a command with its options and parameters, and ends the process with its exit status. */
    public static void main(final String[] args)
    {
        System.exit(commandLine().execute(args));
    }

    /** Returns the commands. An exception becomes one line on standard error and exit status 1. */
    static CommandLine commandLine()
    {
        final CommandLine command = Commands.prepare(new CommandLine(new PfcCommand()));
        return command.setExecutionExceptionHandler((exception, commandLine, parsed) ->
        {
            final String message = exception.getMessage();
            commandLine.getErr().println("fibnuma: " + (message == null ? exception.toString() : message));
            commandLine.getErr().flush();
            return FAILED;
        });
    }

    @Override
    public void run()
    {
        throw new CommandLine.ParameterException(
            spec.commandLine(), "missing command; use headroom, check or simulate");
    }
}
