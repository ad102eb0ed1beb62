package org.fibnuma.fabric.command;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.command.Commands;
import org.fibnuma.fabric.topology.Fabric;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code fibnuma fabric} commands. Main class. */
@Command(
    name = "fibnuma fabric",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
        "Plans, proves and writes deadlock-free routing of lossless fabrics.",
        "fabric evaluate repeats the figures of the paper; it has its own --help."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma fabric plan --topology fat-tree:k=4 --out plan",
        "  fibnuma fabric deadlock"
    },
    subcommands = { PlanCommand.class, CheckCommand.class, DeadlockCommand.class })
public final class FabricCommand implements Runnable
{
    /** Exit status: success, and the proof holds. */
    static final int OK = 0;
    /** Exit status: failure, or the proof does not hold. */
    static final int FAILED = 1;
    /** Exit status: wrong usage or an unusable file. */
    static final int USAGE = 2;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** Runs a command with its options and parameters, and ends the process with its exit status. */
    public static void main(final String[] args)
    {
        System.exit(commandLine().execute(args));
    }

    /** Returns the commands. An exception becomes one line on standard error. */
    static CommandLine commandLine()
    {
        final CommandLine command = Commands.prepare(new CommandLine(new FabricCommand()));
        return command.setExecutionExceptionHandler((exception, commandLine, parsed) ->
        {
            final String message = exception.getMessage();
            commandLine.getErr().println("fibnuma fabric: " + (message == null ? exception.toString() : message));
            commandLine.getErr().flush();
            return exception instanceof UserException ? ((UserException)exception).exitStatus() : FAILED;
        });
    }

    /** Prints a line on standard error for everything that the topology has and the fabric does not. */
    static void printLeftOut(final Fabric fabric, final CommandLine.Model.CommandSpec spec)
    {
        fabric.leftOut().forEach(line -> spec.commandLine().getErr().println("fibnuma fabric: " + line));
        spec.commandLine().getErr().flush();
    }

    @Override
    public void run()
    {
        throw new CommandLine.ParameterException(
            spec.commandLine(), "missing command; use plan, check, deadlock or evaluate");
    }
}
