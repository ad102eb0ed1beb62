package org.fibnuma.bench.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.command.ResultOutput;
import org.fibnuma.core.service.host.Machine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Prints the result of a measurement as text or as JSON, with the facts of the machine. With {@code --save} it also
 * writes a dated file. A picocli mixin.
 */
public final class MeasurementOutput extends ResultOutput
{
    @Option(names = "--save", arity = "0..1", fallbackValue = "docs/results", paramLabel = "DIR",
        description = "also write the result as JSON to a new file DIR/DATE-NAME.json (${FALLBACK-VALUE}), with the " +
            "command and the machine")
    private Path directory;

    /** Creates the mixin; called by picocli. */
    public MeasurementOutput()
    {
    }

    @Override
    public void print(final Map<String, Object> result, final Consumer<PrintWriter> forPeople)
        throws JsonProcessingException
    {
        final Map<String, Object> machine = Machine.facts();
        final Map<String, Object> all = new LinkedHashMap<>(result);
        all.put("machine", machine);
        super.print(all, out ->
        {
            forPeople.accept(out);
            out.println();
            machine.forEach((name, value) -> out.printf("%-26s %s%n", name, value));
        });
        if (directory != null)
        {
            say("saved: " + save(all));
        }
    }

    /** Returns the command with its options, as the user has entered it, without the path of the launcher. */
    public String invocation()
    {
        final CommandSpec program = command().root();
        return program.name() + " " + String.join(" ", program.commandLine().getParseResult().originalArgs());
    }

    private Path save(final Map<String, Object> result)
    {
        final Map<String, Object> saved = new LinkedHashMap<>();
        saved.put("command", invocation());
        saved.putAll(result);
        try
        {
            final Path file = newFile(Files.createDirectories(directory));
            new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), saved);
            return file;
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot save the result in " + directory + ": " + ex.getMessage(), ex);
        }
    }

    /** Creates a file that no other result has. */
    private Path newFile(final Path folder) throws IOException
    {
        final String name = LocalDate.now() + "-" + command().name();
        Path file = folder.resolve(name + ".json");
        for (int number = 2; Files.exists(file); number++)
        {
            file = folder.resolve(name + "-" + number + ".json");
        }
        return Files.createFile(file);
    }
}
