package org.fibnuma.bench.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MeasurementOutputTest
{
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    @Command(name = "fibnuma bench", subcommands = Measurement.class)
    private static final class Program
    {
    }

    @Command(name = "speed")
    private static final class Measurement implements Callable<Integer>
    {
        @Mixin
        private MeasurementOutput output;

        @Override
        public Integer call() throws IOException
        {
            output.print(Map.of("mpps", 1.5), out -> out.println("1.5 Mpps"));
            return 0;
        }
    }

    private static String run(final String... arguments)
    {
        final StringWriter text = new StringWriter();
        final CommandLine program = new CommandLine(new Program());
        program.setOut(new PrintWriter(text)).setErr(new PrintWriter(new StringWriter()));
        assertEquals(0, program.execute(arguments));
        return text.toString();
    }

    @Test
    void shouldPrintTheMachineBelowTheResult() throws IOException
    {
        final String text = run("speed");
        assertTrue(text.startsWith("1.5 Mpps"), text);
        assertTrue(text.contains("processor "), text);
        final JsonNode result = JSON.readTree(run("speed", "--json"));
        assertEquals(1.5, result.get("mpps").asDouble());
        assertTrue(result.get("machine").has("kernel"), result.toString());
        assertFalse(result.has("command"), result.toString());
    }

    /** The command is one that a user can run again, and no result replaces another one of the same day. */
    @Test
    void shouldSaveEachResultInANewFileWithItsCommand() throws IOException
    {
        final String folder = directory.resolve("results").toString();
        run("speed", "--save=" + folder);
        final String text = run("speed", "--save", folder);
        final String name = LocalDate.now() + "-speed";
        assertTrue(text.contains("saved: " + Path.of(folder, name + "-2.json")), text);
        try (Stream<Path> files = Files.list(Path.of(folder)))
        {
            assertEquals(List.of(name + "-2.json", name + ".json"),
                files.map(file -> file.getFileName().toString()).sorted().toList());
        }
        final JsonNode first = JSON.readTree(Path.of(folder, name + ".json").toFile());
        assertEquals("fibnuma bench speed --save=" + folder, first.get("command").asText());
        assertEquals(1.5, first.get("mpps").asDouble());
        assertTrue(first.get("machine").has("kernel"), first.toString());
    }
}
