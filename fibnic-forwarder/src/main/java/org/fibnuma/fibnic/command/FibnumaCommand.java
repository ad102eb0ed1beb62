package org.fibnuma.fibnic.command;

import org.fibnuma.core.service.command.Commands;
import org.fibnuma.core.service.log.JournalErrors;
import org.fibnuma.fibnic.demo.DemoCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

import java.io.PrintWriter;

/** The commands of the router. Main class. */
@Command(
    name = "fibnuma",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "A software router over AF_XDP.",
    subcommands = {
        RouterCommand.class, ShowCommand.class, TopCommand.class, LookupCommand.class, VerifyCommand.class,
        AclCommand.class, PortCommand.class, ReloadCommand.class, CaptureCommand.class, TraceCommand.class,
        DemoCommand.class
    })
public final class FibnumaCommand
{
    /** Exit status: it worked. */
    static final int OK = 0;
    /** Exit status: it failed. */
    static final int FAILED = 1;
    /** Exit status: wrong usage or configuration. */
    static final int USAGE = 2;

    /** Runs the command in the arguments and exits with its status. */
    public static void main(final String[] args)
    {
        final CommandLine command = commandLine(args);
        JournalErrors.standardError().ifPresent(command::setErr);
        System.exit(command.execute(args));
    }

    /**
     * Returns the commands that some arguments need, all without arguments. An exception becomes one line on standard
     * error and exit status 1.
     */
    static CommandLine commandLine(final String... arguments)
    {
        return Commands.prepare(Commands.forArguments(FibnumaCommand.class, arguments))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(FibnumaCommand::report);
    }

    private static int report(
        final Exception exception, final CommandLine commandLine, final CommandLine.ParseResult parseResult)
    {
        final PrintWriter error = commandLine.getErr();
        final String message = exception.getMessage();
        error.println("fibnuma: " + (message == null ? exception.toString() : message));
        error.flush();
        return FAILED;
    }
}
