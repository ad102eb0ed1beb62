package org.fibnuma.bench.lab;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.fibnic.command.FibnumaCommand;
import picocli.CommandLine;

import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** Runs a command of the router in this process, for what it prints. */
public final class CommandLineOutput
{
    private CommandLineOutput()
    {
    }

    /** Returns what a command that fails prints as its error. */
    public static String failing(final String... arguments)
    {
        final CommandRun run = CommandRun.of(new CommandLine(new FibnumaCommand())
            .setExecutionExceptionHandler((ex, command, result) ->
            {
                command.getErr().println(ex.getMessage());
                return 1;
            }), arguments);
        assertNotEquals(0, run.status(), String.join(" ", arguments));
        return run.errors();
    }

    /** Returns what a command that succeeds prints. */
    public static String of(final String... arguments)
    {
        final CommandRun run = CommandRun.of(new CommandLine(new FibnumaCommand()), arguments);
        assertEquals(0, run.status(), () -> String.join(" ", arguments) + ": " + run.errors());
        return run.output();
    }

    /** Returns what a command that succeeds prints with {@code --json}. */
    public static JsonNode json(final String... arguments)
    {
        final String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = "--json";
        return CommandRun.of(new CommandLine(new FibnumaCommand()), all).json();
    }
}
