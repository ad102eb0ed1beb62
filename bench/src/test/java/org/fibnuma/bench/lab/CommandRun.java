package org.fibnuma.bench.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.BenchCommand;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A command that was executed in this process.
 *
 * @param status exit status.
 * @param output what it has printed.
 * @param errors what it has printed on standard error.
 */
public record CommandRun(int status, String output, String errors)
{
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Executes a command of the laboratory, such as {@code fib}, with its options. */
    public static CommandRun bench(final String... arguments)
    {
        return of(BenchCommand.commandLine(arguments), arguments);
    }

    /** Executes a command with its options. */
    public static CommandRun of(final CommandLine command, final String... arguments)
    {
        final StringWriter output = new StringWriter();
        final StringWriter errors = new StringWriter();
        final int status = command.setOut(new PrintWriter(output, true)).setErr(new PrintWriter(errors, true))
            .execute(arguments);
        return new CommandRun(status, output.toString(), errors.toString());
    }

    /** Returns the output of a command that has succeeded as JSON. */
    public JsonNode json()
    {
        assertEquals(0, status, errors + output);
        try
        {
            return JSON.readTree(output);
        }
        catch (final JsonProcessingException ex)
        {
            throw new AssertionError(output, ex);
        }
    }

    /** The command has failed with this status, and its errors contain a text. */
    public void assertRefused(final int expectedStatus, final String text)
    {
        assertEquals(expectedStatus, status, errors);
        assertTrue(errors.contains(text), errors);
    }
}
