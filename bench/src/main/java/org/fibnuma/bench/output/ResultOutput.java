package org.fibnuma.bench.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.fibnuma.fabric.command.ResultPrinter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.Map;
import java.util.function.Consumer;

/** A command's result, for people or as JSON; a picocli mixin. */
public final class ResultOutput
{
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--json", description = "print the result as JSON, and all else on standard error")
    private boolean json;

    /** For picocli. */
    public ResultOutput()
    {
    }

    /**
     * Prints and flushes.
     *
     * @param result    for JSON: names and values in the order of the output.
     * @param forPeople prints it otherwise.
     * @throws JsonProcessingException where a value has no form in JSON.
     */
    public void print(final Map<String, Object> result, final Consumer<PrintWriter> forPeople)
        throws JsonProcessingException
    {
        final PrintWriter out = command.commandLine().getOut();
        if (json)
        {
            ResultPrinter.print(result, true, out);
        }
        else
        {
            forPeople.accept(out);
            out.flush();
        }
    }

    /**
     * Where to tell people of the course of events.
     *
     * @return standard output, or standard error where JSON stands on that.
     */
    public PrintWriter progress()
    {
        return json ? command.commandLine().getErr() : command.commandLine().getOut();
    }

    /**
     * Tells people something at once.
     *
     * @param line on {@link #progress()}.
     */
    public void say(final String line)
    {
        progress().println(line);
        progress().flush();
    }
}
