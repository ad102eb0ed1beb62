package org.fibnuma.core.service.command;

import org.fibnuma.core.agent.Termination;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Prints a result again and again if the user gives {@code --watch}; a picocli mixin. */
public final class Watch
{
    private static final int LONGEST_SECONDS = 3600;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
        names = "--watch", arity = "0..1", fallbackValue = "1", paramLabel = "SECONDS",
        description = "Print again every SECONDS, 1 to " + LONGEST_SECONDS + " (1 if not given), until Ctrl-C: text " +
            "below a line with the local time, JSON as a line.")
    private Integer seconds;

    /**
     * Obtains a result of the running process.
     *
     * @param <T> type of the result.
     */
    @FunctionalInterface
    public interface Source<T>
    {
        /** Returns the result; throws {@link IOException} with one line for the user if there is none. */
        T get() throws IOException;
    }

    /**
     * Flushes the output of a command and returns whether it has ever failed, because the reader of a pipe has closed
     * it. The output is standard output, or a writer of a test.
     */
    public static boolean isClosed(final PrintWriter out)
    {
        // The writer of picocli does not report failures of System.out.
        return out.checkError() || System.out.checkError();
    }

    /** Returns whether the user has given the option. */
    public boolean isGiven()
    {
        return seconds != null;
    }

    /**
     * Prints the result once or, with {@code --watch}, until a signal arrives, the thread is interrupted or standard
     * output is closed. Flushes after each result.
     *
     * @param isJson  whether JSON is printed, which has no lines between results.
     * @param source  obtains each result.
     * @param printer prints each result.
     * @param <T>     type of the result.
     * @throws IOException from the source.
     * @throws ParameterException if SECONDS is out of range.
     */
    public <T> void print(final boolean isJson, final Source<T> source, final Consumer<T> printer)
        throws IOException
    {
        if (!isGiven())
        {
            printer.accept(source.get());
            command.commandLine().getOut().flush();
            return;
        }
        if (seconds < 1 || seconds > LONGEST_SECONDS)
        {
            throw new ParameterException(
                command.commandLine(), "--watch: " + seconds + " is not in 1 to " + LONGEST_SECONDS);
        }
        try (Termination termination = new Termination())
        {
            repeat(termination, isJson, source, printer);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private <T> void repeat(
        final Termination termination, final boolean isJson, final Source<T> source, final Consumer<T> printer)
        throws IOException, InterruptedException
    {
        final PrintWriter out = command.commandLine().getOut();
        boolean isFirst = true;
        do
        {
            final T answer = source.get();
            if (!isJson)
            {
                out.print(isFirst ? "" : System.lineSeparator());
                out.println(TIME.format(LocalDateTime.now()));
            }
            printer.accept(answer);
            isFirst = false;
        }
        while (!isClosed(out) && !termination.await(TimeUnit.SECONDS.toMillis(seconds)));
    }
}
