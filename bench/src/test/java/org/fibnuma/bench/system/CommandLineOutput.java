package org.fibnuma.bench.system;

import org.fibnuma.fibnic.command.FibnumaCommand;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Runs a command of the router in this process, for what it prints. */
final class CommandLineOutput
{
    private CommandLineOutput()
    {
    }

    static String of(final String... arguments)
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
