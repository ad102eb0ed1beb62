package org.fibnuma.packaging;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The reference of the configuration, as man prints it and in docs, has the keys that the readers declare. */
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
            directory.resolve("man5").toString(), directory.resolve("doc").toString(), "1.2.3"});
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
        assertTrue(words.contains(" workers Number of threads of the data path. Each has one queue of every port. " +
            "Values: whole number, 1 to 16. Default: 1. Since 0.1. Change: restart. "), words);
        assertTrue(words.contains(" Only for control = \"fpm\". Values: whole number, 1 to 3600. Default: 60. "),
            words);
        assertTrue(words.contains(" [[port.vlan]] A VLAN of the port above it. Only for control = \"static\". "),
            words);
        assertTrue(words.contains(" As in [router]: rx-ring-size, "), words);
        assertTrue(words.contains(" [http] is as in the file of a router. "), words);
        assertTrue(words.contains(" ENDPOINT OF REMOTE MEMORY "), words);
        assertTrue(printed.lines().allMatch(line -> line.length() <= 80), printed);
        assertTrue(!words.contains("warning") && !words.contains("`"), words);
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
        missing.removeIf(key -> page.matches("(?s).*\n.TP\n\\\\fB" + key.replace("-", "\\\\-") + "\\\\fR\n.*"));
        assertEquals(Set.of(), missing);
    }

    /** The archive and the Debian package have what is in docs. */
    @Test
    void shouldBeTheDocumentOfTheProject() throws Exception
    {
        final String markdown = Files.readString(directory.resolve("doc/fibnuma.toml.md"));
        assertFalse(markdown.contains("null") || markdown.contains("||"), markdown);
        assertEquals(markdown, Files.readString(Path.of("../docs/configuration.md")),
            "the declared keys have changed; write the reference again: mvn -q -pl packaging -am -DskipTests package " +
            "&& cp packaging/target/configuration/fibnuma.toml.md docs/configuration.md");
    }
}
