package org.fibnuma.ipnuma.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import org.fibnuma.core.service.command.Commands;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.log.JournalErrors;
import org.fibnuma.ipnuma.demo.IpnumaDemoCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of remote memory. Main class. */
@Command(
    name = "fibnuma ipnuma",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
        "Remote memory over IP: a write here takes effect in the memory of a peer.",
        "\"fibnuma ipnuma demo\" shows it on this machine."
    },
    subcommands = {
        EndpointCommand.class, ReloadCommand.class, ShowCommand.class, CountersCommand.class, WriteCommand.class,
        ReadCommand.class, DirectoryCommand.class, IpnumaDemoCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma ipnuma endpoint -c endpoint.toml",
        "  fibnuma ipnuma demo --iterations 10000"
    })
public final class IpnumaCommand implements Runnable
{
    static final int OK = 0;
    static final int FAILED = 1;
    /** Exit status: wrong usage or configuration. */
    static final int USAGE = 2;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** Creates the command, for picocli. */
    public IpnumaCommand()
    {
    }

    /** Runs the command of the arguments and ends the process with its exit status. */
    public static void main(final String[] args)
    {
        final CommandLine command = commandLine(args);
        JournalErrors.standardError().ifPresent(command::setErr);
        System.exit(command.execute(args));
    }

    /**
     * Returns the commands for these arguments, or all commands without arguments. An exception becomes one line on
     * standard error.
     */
    static CommandLine commandLine(final String... arguments)
    {
        final CommandLine command = Commands.prepare(Commands.forArguments(IpnumaCommand.class, arguments));
        return command.setExecutionExceptionHandler((exception, commandLine, parsed) ->
        {
            final boolean isConfig = exception instanceof ConfigException;
            final String message = exception.getMessage() == null ? exception.toString() : exception.getMessage();
            commandLine.getErr().println(isConfig ? message : "fibnuma: " + message);
            commandLine.getErr().flush();
            return isConfig ? USAGE : FAILED;
        });
    }

    static void printJson(final CommandLine.Model.CommandSpec spec, final Object answer)
    {
        printJson(spec, answer, false);
    }

    /** Prints a document, on one line for commands that print several. */
    static void printJson(final CommandLine.Model.CommandSpec spec, final Object answer, final boolean isLine)
    {
        try
        {
            spec.commandLine().getOut().println(
                new ObjectMapper().configure(SerializationFeature.INDENT_OUTPUT, !isLine).writeValueAsString(answer));
            spec.commandLine().getOut().flush();
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalStateException("cannot be written as JSON: " + answer, ex);
        }
    }

    @Override
    public void run()
    {
        throw new CommandLine.ParameterException(
            spec.commandLine(), "missing command; use endpoint, reload, show, counters, write, read or demo");
    }
}
