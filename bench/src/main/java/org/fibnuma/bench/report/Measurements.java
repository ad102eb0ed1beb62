package org.fibnuma.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.core.UserException;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Results of commands that print JSON. A command runs when its result is first needed, and only once. */
final class Measurements
{
    private static final String LEFT_OUT = "left out: ";

    private final Function<List<String>, Output> program;
    private final Map<List<String>, Outcome> outcomes = new HashMap<>();

    /**
     * What a command has printed.
     *
     * @param text   on standard output.
     * @param errors lines on standard error.
     */
    record Output(String text, List<String> errors)
    {
    }

    private record Outcome(JsonNode result, List<String> leftOut, UserException failure, double seconds)
    {
    }

    /**
     * Creates measurements without results.
     *
     * @param program runs a command, given as words, and throws a {@link UserException} if it fails.
     */
    Measurements(final Function<List<String>, Output> program)
    {
        this.program = program;
    }

    /**
     * Returns the result of a command.
     *
     * @throws UserException if it has failed, then or earlier.
     */
    JsonNode result(final List<String> command)
    {
        final Outcome outcome = outcomes.computeIfAbsent(command, this::run);
        if (outcome.failure != null)
        {
            throw outcome.failure;
        }
        return outcome.result;
    }

    /** Returns the seconds that some commands took; those that have not run take none. */
    double seconds(final Collection<List<String>> commands)
    {
        return Rounds.rounded(commands.stream().filter(outcomes::containsKey)
            .mapToDouble(command -> outcomes.get(command).seconds).sum(), 1);
    }

    /** Returns what some commands said that they leave out, each line once. */
    List<String> leftOut(final Collection<List<String>> commands)
    {
        final Collection<String> lines = new LinkedHashSet<>();
        commands.stream().filter(outcomes::containsKey)
            .forEach(command -> lines.addAll(outcomes.get(command).leftOut));
        return List.copyOf(lines);
    }

    private Outcome run(final List<String> command)
    {
        final long startNs = System.nanoTime();
        try
        {
            final Output output = program.apply(command);
            return new Outcome(parse(output.text), output.errors.stream().filter(line -> line.startsWith(LEFT_OUT))
                .map(line -> line.substring(LEFT_OUT.length())).toList(), null, secondsSince(startNs));
        }
        catch (final UserException ex)
        {
            return new Outcome(null, List.of(), ex, secondsSince(startNs));
        }
    }

    private static double secondsSince(final long startNs)
    {
        return (System.nanoTime() - startNs) / (double)TimeUnit.SECONDS.toNanos(1);
    }

    private static JsonNode parse(final String text)
    {
        try
        {
            return new ObjectMapper().readTree(text);
        }
        catch (final JsonProcessingException ex)
        {
            throw new UserException("the result is no JSON: " + ex.getOriginalMessage(), ex);
        }
    }
}
