package org.fibnuma.core.house;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** With reports as Surefire 3.6.0 writes them. */
class TestReportsTest
{
    private static final String NEEDED = "program\\(\"[^\"]+\", \"([^\"]+)\"\\)|apt-get install ([a-z0-9. -]+)";

    @TempDir
    private Path project;

    @Test
    void shouldListWhatFailedTwiceOnceOrWasLeftOut() throws IOException
    {
        report("surefire-reports", "A", "9.87", "<testcase name='passes' classname='A'/>" +
            "<testcase name='skipped' classname='A'><skipped message='needs luck'/></testcase>" +
            "<testcase name='aborted' classname='A'><skipped type='org.opentest4j.TestAbortedException'>" +
            "<![CDATA[org.opentest4j.TestAbortedException: Assumption failed: needs luck\n\tat B.c(D.java:1)]]>" +
            "</skipped></testcase>");
        report("failsafe-reports", "B", "1,010.1", "<testcase name='twice' classname='B'>" +
            "<failure message='of the first run'/><rerunFailure message='of the second run'/></testcase>" +
            "<testcase name='once' classname='B'><flakyFailure message='too early&#10;at all'/></testcase>" +
            "<testcase name='error' classname='B'><flakyError message='too late'/></testcase>" +
            "<testcase name='initializationError' classname='B'><error message='no lab'/></testcase>");
        final TestReports reports = new TestReports(project, Instant.EPOCH);
        final String printed = printed(out -> assertFalse(reports.printAll(0, out)));
        assertTrue(printed.startsWith("\nThe slowest classes\n    1010.1 s  B\n       9.9 s  A\n"), printed);
        assertTrue(printed.contains("\nLeft out: 2 of 7 tests\n     2  needs luck\n"), printed);
        assertTrue(printed.endsWith("\nFailed\n  B.initializationError: no lab\n  B.twice: of the first run\n" +
            "\nUnsteady: failed once and passed when run again\n  B.error: too late\n  B.once: too early\n" +
            "\n3 passed, 2 failed, 2 skipped\n"), printed);
    }

    @Test
    void shouldFailIfTheBuildDid() throws IOException
    {
        report("surefire-reports", "A", "9.87", "<testcase name='passes' classname='A'/>");
        final TestReports reports = new TestReports(project, Instant.EPOCH);
        assertTrue(printed(out -> assertTrue(reports.printAll(0, out))).endsWith("\n1 passed, 0 failed, 0 skipped\n"));
        assertTrue(printed(out -> assertFalse(reports.printAll(1, out))).endsWith("\n1 passed, 1 failed, 0 skipped\n"));
    }

    @Test
    void shouldFailWithoutAWholeReport() throws IOException
    {
        report("surefire-reports", "A", "9.87", "<testcase name='cut off");
        final TestReports reports = new TestReports(project, Instant.EPOCH);
        assertTrue(printed(out -> assertFalse(reports.printAll(0, out))).endsWith("\n0 passed, 1 failed, 0 skipped\n"));
    }

    @Test
    void shouldPrintNothingOfOlderRunsAndNothingIfNothingIsLeftOut() throws IOException
    {
        report("a", "surefire-reports", "A",
            "<testcase name='skipped' classname='A'><skipped message='needs luck'/></testcase>");
        final Instant later = Instant.now().plusSeconds(60);
        assertEquals("", printed(out -> new TestReports(project, later).printLeftOut(out)));
        report("surefire-reports", "A", "9.87", "<testcase name='passes' classname='A'/>");
        assertEquals("", printed(out -> new TestReports(project, Instant.EPOCH).printLeftOut(out)));
    }

    /** Whoever installs the packages that the list of left out tests names has every program. */
    @Test
    void shouldHaveEveryPackageThatATestNeeds() throws IOException
    {
        final Set<String> packages = TestReports.packages(Require.projectDirectory());
        final List<String> missing = new ArrayList<>();
        final Pattern needed = Pattern.compile(NEEDED);
        for (final SourceFile source : SourceFile.all(Require.projectDirectory(), "test"))
        {
            final Matcher matcher = needed.matcher(source.text());
            while (matcher.find())
            {
                final String names = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
                for (final String name : names.strip().split(" +"))
                {
                    if (!packages.contains(name))
                    {
                        missing.add(name + " of " + source.typeName());
                    }
                }
            }
        }
        assertEquals("", missing.stream().distinct().collect(Collectors.joining("\n")));
    }

    /** The annotation NamespaceTest names programs, and has a map of those whose packages have other names. */
    @Test
    void shouldHaveEveryPackageThatAnAnnotationNeeds() throws IOException
    {
        final List<SourceFile> tests = SourceFile.all(Require.projectDirectory(), "test");
        final Map<String, String> packageOf = new HashMap<>();
        final SourceFile annotation =
            tests.stream().filter(source -> source.path().endsWith("NamespaceTest.java")).findAny().orElseThrow();
        final Matcher entry = Pattern.compile("Map\\.entry\\(\"([^\"]+)\", \"([^\"]+)\"\\)").matcher(annotation.text());
        while (entry.find())
        {
            packageOf.put(entry.group(1), entry.group(2));
        }
        packageOf.put("scapy", "python3-scapy");
        final Set<String> packages = TestReports.packages(Require.projectDirectory());
        final Set<String> missing = new TreeSet<>();
        for (final SourceFile test : tests)
        {
            final Matcher programs = Pattern.compile("@NamespaceTest\\(([^)]+)\\)").matcher(test.text());
            while (programs.find())
            {
                Stream.of(programs.group(1).replaceAll("[{}\"\\s]", "").split(",")).distinct()
                    .filter(name -> !packages.contains(packageOf.getOrDefault(name, name)))
                    .forEach(name -> missing.add(name + " of " + test.typeName()));
            }
        }
        assertEquals("", String.join("\n", missing));
    }

    private void report(final String folder, final String name, final String seconds, final String tests)
        throws IOException
    {
        final Path directory = Files.createDirectories(project.resolve("a/target").resolve(folder));
        Files.createDirectories(project.resolve(".ci"));
        Files.writeString(project.resolve(".ci/packages"), "# none\n");
        Files.writeString(directory.resolve("TEST-" + name + ".xml"),
            "<testsuite name='" + name + "' time='" + seconds + "'>" + tests + "</testsuite>");
    }

    private static String printed(final Consumer<PrintStream> action)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        action.accept(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
