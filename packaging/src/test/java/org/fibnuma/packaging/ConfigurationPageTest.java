package org.fibnuma.packaging;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The manual page of the configuration, as man prints it, has the keys and texts of the READMEs. */
class ConfigurationPageTest
{
    private static final Pattern EXAMPLE_KEY = Pattern.compile("(?m)^#? ?([a-z][a-z0-9-]*) = ");

    @TempDir
    private static Path directory;
    private static String page;

    @BeforeAll
    static void write() throws Exception
    {
        ConfigurationPage.main(new String[] {
            directory.resolve("man5").toString(), directory.resolve("doc").toString(), "1.2.3", ".."});
        page = Files.readString(directory.resolve("man5/fibnuma.toml.5"));
    }

    @Test
    void shouldPrintKeysWithTheirMeanings() throws Exception
    {
        Require.program("man", "man-db");
        final ProcessBuilder man = new ProcessBuilder(
            "man", "--warnings", "-l", directory.resolve("man5/fibnuma.toml.5").toString()).redirectErrorStream(true);
        man.environment().putAll(Map.of("MANWIDTH", "80", "LC_ALL", "C.UTF-8"));
        final Process process = man.start();
        final String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), printed);
        final String words = printed.replaceAll("\\s+", " ");
        assertTrue(words.contains(" workers = 1 threads of the data path, each with one queue of every port "), words);
        // Two lines of the README are one text here.
        assertTrue(words.contains("how long a new connection of zebra makes no progress before routes of an " +
            "earlier one that it has not handed over again are removed log-level = \"info\" or "), words);
        assertTrue(words.contains(" [[port.vlan]] a VLAN of the port above it; with control = \"static\" "), words);
        assertTrue(words.contains(" LOSSLESS PRIORITIES OF A ROUTER "), words);
        assertTrue(words.contains(" size-kib = 64 "), words);
        assertTrue(printed.lines().allMatch(line -> line.length() <= 80), printed);
        assertTrue(!words.contains("warning") && !words.contains("```") && !words.contains("`xdp:`"), words);
    }

    @Test
    void shouldDescribeEveryKeyOfTheExamples() throws Exception
    {
        final Set<String> missing = new TreeSet<>();
        int keys = 0;
        try (Stream<Path> examples = Files.list(Path.of("examples")))
        {
            for (final Path example : examples.toList())
            {
                for (final MatchResult key : EXAMPLE_KEY.matcher(Files.readString(example)).results().toList())
                {
                    keys++;
                    missing.add(key.group(1));
                }
            }
        }
        assertTrue(keys > 30, keys + " keys");
        missing.removeIf(key -> page.matches("(?s).*\n.TP\n\\\\fB#? ?" + key.replace("-", "\\\\-") + " = .*"));
        assertEquals(Set.of(), missing);
    }

    @Test
    void shouldWriteTheSameTextAsMarkdown() throws Exception
    {
        final String markdown = Files.readString(directory.resolve("doc/fibnuma.toml.md"));
        assertTrue(markdown.contains("\nworkers = 1                     # threads of the data path"), markdown);
        assertTrue(markdown.contains("\n## Endpoint of remote memory\n"), markdown);
        assertEquals(3, markdown.split("```toml\n", -1).length - 1);
        assertTrue(markdown.endsWith("\n") && !markdown.contains("\n### "), markdown);
    }

    @Test
    void shouldFailWithoutTheSection() throws Exception
    {
        Files.writeString(directory.resolve("README.md"), "# Other\n");
        final IOException failure = assertThrows(IOException.class, () -> ConfigurationPage.main(
            new String[] {directory.toString(), directory.toString(), "1", directory.toString()}));
        assertEquals(directory.resolve("README.md") + " has no section \"## Configuration\"", failure.getMessage());
    }
}
