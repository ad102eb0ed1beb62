package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import picocli.CommandLine;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;

/** A command that sends a request to a running router. */
abstract class RouterQuery implements Callable<Integer>
{
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = "--name", paramLabel = "NAME", description = "Name of the router (default: the only one that runs).")
    private String name;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public final Integer call() throws IOException
    {
        final String given = routerName();
        try (ControlClient client = given == null ? ControlClient.connectToOnly() : ControlClient.connect(given))
        {
            return ask(client);
        }
        finally
        {
            out().flush();
        }
    }

    /** Sends the request, prints the answer and returns the exit status. */
    abstract int ask(ControlClient client) throws IOException;

    /** Prints an answer as text, or as JSON with {@code --json}. */
    final void print(final JsonNode answer)
    {
        if (json)
        {
            out().println(answer.toPrettyString());
        }
        else
        {
            printText(answer);
        }
    }

    /** Prints an answer as text. */
    void printText(final JsonNode answer)
    {
        AnswerPrinter.print(answer, out(), AnswerPrinter.COLUMNS);
    }

    final boolean isJson()
    {
        return json;
    }

    /** Returns the name of the option, or null. */
    String routerName()
    {
        return name;
    }

    final String commandName()
    {
        return spec.name();
    }

    /** Ends the command with a line about wrong usage if a condition holds. */
    final void refuse(final boolean isWrong, final String why)
    {
        if (isWrong)
        {
            throw new CommandLine.ParameterException(commandLine(), why);
        }
    }

    final CommandLine commandLine()
    {
        return spec.commandLine();
    }

    final PrintWriter out()
    {
        return spec.commandLine().getOut();
    }
}
