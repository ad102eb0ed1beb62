package org.fibnuma.core.service.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;

/** Prints the result of a command as text or as JSON; a picocli mixin. */
public class ResultOutput
{
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--json", description = "print the result as JSON, and all else on standard error")
    private boolean json;

    /**
     * Prints the result and flushes.
     *
     * @param result    names and values for JSON, in the order of the output.
     * @param forPeople prints the result as text.
     * @throws JsonProcessingException if a value cannot be written as JSON.
     */
    public void print(final Map<String, Object> result, final Consumer<PrintWriter> forPeople)
        throws JsonProcessingException
    {
        final PrintWriter out = command.commandLine().getOut();
        if (json)
        {
            out.println(new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(result));
        }
        else
        {
            forPeople.accept(out);
        }
        out.flush();
    }

    /**
     * Prints the result, in the order of its names, as JSON or as lines {@code name value}, and flushes. In text, a
     * collection has one line for each item below its name.
     *
     * @throws JsonProcessingException if a value cannot be written as JSON.
     */
    public void print(final Map<String, Object> result) throws JsonProcessingException
    {
        final int width = result.keySet().stream().mapToInt(String::length).max().orElse(0);
        print(result, out ->
            result.forEach((name, value) -> printLine(name + " ".repeat(width - name.length()), value, out)));
    }

    private static void printLine(final String name, final Object value, final PrintWriter out)
    {
        if (value instanceof Collection<?> items)
        {
            out.println(name + "  " + (items.isEmpty() ? "-" : ""));
            items.forEach(item -> out.println("    " + item));
        }
        else
        {
            out.println(name + "  " + value);
        }
    }

    /** Returns the command that has this mixin. */
    protected final CommandSpec command()
    {
        return command;
    }

    /** Returns the stream for progress messages: standard error if the result is JSON, otherwise standard output. */
    public PrintWriter progress()
    {
        return json ? command.commandLine().getErr() : command.commandLine().getOut();
    }

    /** Prints a progress message, given without line end, and flushes. */
    public void say(final String line)
    {
        progress().println(line);
        progress().flush();
    }
}
