package org.fibnuma.core.service.command;

import org.fibnuma.core.service.config.SimilarWords;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The version and the handling of wrong usage of all commands. */
public final class Commands
{
    public static final String VERSION = "0.1.0";

    private Commands()
    {
    }

    /**
     * Returns a command for some arguments. If they begin with the name of a subcommand, the command has this
     * subcommand only: picocli inspects each class of a subcommand by reflection, which makes a start longer.
     *
     * @param command class with the annotation {@link Command}, which has the classes of its subcommands.
     */
    public static CommandLine forArguments(final Class<?> command, final String... arguments)
    {
        final Command annotation = command.getAnnotation(Command.class);
        for (final Class<?> subcommand : annotation.subcommands())
        {
            if (arguments.length > 0 && arguments[0].equals(subcommand.getAnnotation(Command.class).name()))
            {
                return new CommandLine(CommandSpec.create().name(annotation.name()))
                    .addSubcommand(new CommandLine(subcommand));
            }
        }
        return new CommandLine(command);
    }

    /**
     * Makes a command and its subcommands print the version for {@code --version}, and one line for wrong usage.
     * Returns the same command.
     */
    public static CommandLine prepare(final CommandLine command)
    {
        setVersion(command);
        return command.setParameterExceptionHandler((exception, arguments) -> refuse(exception));
    }

    private static void setVersion(final CommandLine command)
    {
        command.getCommandSpec().version("fibnuma " + VERSION);
        command.getSubcommands().values().forEach(Commands::setVersion);
    }

    private static int refuse(final ParameterException exception)
    {
        final CommandLine command = exception.getCommandLine();
        final PrintWriter err = command.getErr();
        err.println(exception.getMessage() + advice(exception));
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** Adds what to do to a message of picocli. Messages of the commands themselves have it. */
    private static String advice(final ParameterException exception)
    {
        final CommandSpec command = exception.getCommandLine().getCommandSpec();
        if (exception instanceof UnmatchedArgumentException unmatched)
        {
            final List<String> similar = similar(unmatched.getUnmatched().get(0), command);
            return similar.isEmpty() ? "; see " + command.qualifiedName() + " --help" :
                "; did you mean " + String.join(" or ", similar) + "?";
        }
        return exception instanceof MissingParameterException ? "; see " + command.qualifiedName() + " --help" : "";
    }

    private static List<String> similar(final String argument, final CommandSpec command)
    {
        final Set<String> known = new TreeSet<>(command.subcommands().keySet());
        known.addAll(command.optionsMap().keySet());
        return SimilarWords.of(argument.substring(0, (argument + '=').indexOf('=')), known);
    }
}
