package org.fibnuma.packaging;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

import java.util.ArrayList;
import java.util.List;

/** The picocli models of the commands that the launcher starts. */
final class LauncherCommands
{
    /** Name of the launcher, and of the main command whose subcommands are commands of the launcher. */
    static final String LAUNCHER = "fibnuma";

    private LauncherCommands()
    {
    }

    /**
     * Returns the commands that follow the name of the launcher. The name of each, such as {@code fibnuma ipnuma},
     * includes the launcher or has it as parent. The main classes are picocli commands with a public constructor
     * without parameters.
     *
     * @throws ClassNotFoundException if a main class does not exist.
     */
    static List<CommandSpec> of(final List<String> mainClasses) throws ClassNotFoundException
    {
        final List<CommandSpec> commands = new ArrayList<>();
        for (final String mainClass : mainClasses)
        {
            final CommandSpec root = new CommandLine(Class.forName(mainClass)).getCommandSpec();
            commands.addAll(root.name().equals(LAUNCHER) ? below(root) : List.of(root));
        }
        return commands;
    }

    /**
     * Returns the main command, whose class is the first, with all commands of the launcher below it by their last
     * name.
     *
     * @throws ClassNotFoundException if a main class does not exist.
     */
    static CommandLine launcher(final List<String> mainClasses) throws ClassNotFoundException
    {
        final CommandLine launcher = new CommandLine(Class.forName(mainClasses.get(0)));
        for (final String mainClass : mainClasses.subList(1, mainClasses.size()))
        {
            final CommandLine command = new CommandLine(Class.forName(mainClass));
            final String name = command.getCommandName().substring(LAUNCHER.length() + 1);
            launcher.addSubcommand(name, command.setCommandName(name));
        }
        return launcher;
    }

    /** Returns the subcommands of a command, each once. */
    static List<CommandSpec> below(final CommandSpec command)
    {
        return command.subcommands().values().stream().map(CommandLine::getCommandSpec).distinct().toList();
    }
}
