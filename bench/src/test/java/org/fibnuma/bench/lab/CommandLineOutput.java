package org.fibnuma.bench.lab;

import org.fibnuma.fibnic.command.FibnumaCommand;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** Runs a command of the router in this process, for what it prints. */
public final class CommandLineOutput
{
    private CommandLineOutput()
    {
    }

    /** What a command that fails prints as its error. */
    public static String failing(final String... arguments)
    {
        final StringWriter errors = new StringWriter();
        final int status = new CommandLine(new FibnumaCommand())
            .setOut(new PrintWriter(new StringWriter()))
            .setErr(new PrintWriter(errors))
            .setExecutionExceptionHandler((ex, command, result) ->
            {
                command.getErr().println(ex.getMessage());
                return 1;
            })
            .execute(arguments);
        assertNotEquals(0, status, String.join(" ", arguments));
        return errors.toString();
    }

    /** What a command that succeeds prints. */
    public static String of(final String... arguments)
    {
        final StringWriter output = new StringWriter();
        final StringWriter errors = new StringWriter();
        final int status = new CommandLine(new FibnumaCommand())
            .setOut(new PrintWriter(output))
            .setErr(new PrintWriter(errors))
            .execute(arguments);
        assertEquals(0, status, () -> String.join(" ", arguments) + ": " + errors);
        return output.toString();
    }
}
