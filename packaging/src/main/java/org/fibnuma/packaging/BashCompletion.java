package org.fibnuma.packaging;

import picocli.AutoComplete;
import picocli.CommandLine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the completion of the launcher's commands and their options for bash. Main class. */
public final class BashCompletion
{
    /** First line of a script; a shell reads completions and does not run them. */
    private static final String INTERPRETER = "#!.*\\R";

    private BashCompletion()
    {
    }

    /**
     * Writes the completion. The arguments are the file to write and the main classes whose commands are completed.
     *
     * @throws IOException if the file cannot be written.
     * @throws ClassNotFoundException if a main class does not exist.
     */
    public static void main(final String[] arguments) throws IOException, ClassNotFoundException
    {
        final Path file = Path.of(arguments[0]);
        final CommandLine launcher = LauncherCommands.launcher(List.of(arguments).subList(1, arguments.length));
        Files.createDirectories(file.getParent());
        Files.writeString(file, AutoComplete.bash(LauncherCommands.LAUNCHER, launcher).replaceFirst(INTERPRETER, ""));
    }
}
