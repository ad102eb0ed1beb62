package org.fibnuma.core.house;

import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

/**
 * Prints what the reports of Surefire and Failsafe say of all modules. Needs nothing but the JDK, so that
 * {@code java TestReports.java} runs it too.
 * <p>
 * {@code mvn verify} ends with {@link #printLeftOut}, {@code .ci/run} with {@link #printAll}.
 */
public final class TestReports
{
    private static final int LONGEST_MESSAGE = 200;
    private static final int SLOWEST_CLASSES = 25;
    private static final String ABORTED = "org.opentest4j.TestAbortedException: ";
    private static final String ASSUMPTION = "Assumption failed: ";

    private final Path project;
    private final List<String> slowest = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private final List<String> unsteady = new ArrayList<>();
    private final Map<String, Integer> leftOut = new TreeMap<>();
    private int run;

    /**
     * Reads the reports.
     *
     * @param project root of the checkout.
     * @param since   reports that are older are not read.
     */
    TestReports(final Path project, final Instant since)
    {
        this.project = project;
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(project, Files::isDirectory))
        {
            for (final Path module : modules)
            {
                readModule(module.resolve("target"), since);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        slowest.sort(Comparator.reverseOrder());
        Collections.sort(failed);
        Collections.sort(unsteady);
    }

    /**
     * Prints the tests that were left out, or everything.
     *
     * @param args {@code left-out PROJECT SINCE}, with the time of the oldest report to be read, or
     *             {@code all PROJECT STATUS}, with the exit status of the build; then this program's is 1 if that is
     *             not 0 or a test failed.
     */
    public static void main(final String... args)
    {
        final Path project = Path.of(args[1]);
        if ("left-out".equals(args[0]))
        {
            new TestReports(project, Instant.parse(args[2])).printLeftOut(System.out);
        }
        else if (!new TestReports(project, Instant.EPOCH).printAll(Integer.parseInt(args[2]), System.out))
        {
            System.exit(1);
        }
    }

    private void readModule(final Path target, final Instant since) throws IOException
    {
        if (!Files.isDirectory(target))
        {
            return;
        }
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(target, "*-reports"))
        {
            for (final Path folder : folders)
            {
                try (DirectoryStream<Path> reports = Files.newDirectoryStream(folder, "TEST-*.xml"))
                {
                    for (final Path report : reports)
                    {
                        if (!Files.getLastModifiedTime(report).toInstant().isBefore(since))
                        {
                            read(report);
                        }
                    }
                }
            }
        }
    }

    private void read(final Path report) throws IOException
    {
        try
        {
            final DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
            builder.setErrorHandler(new DefaultHandler());
            final Element suite = builder.parse(report.toFile()).getDocumentElement();
            slowest.add(String.format("%8.1f s  %s",
                Double.parseDouble(suite.getAttribute("time").replace(",", "")), suite.getAttribute("name")));
            final NodeList tests = suite.getElementsByTagName("testcase");
            for (int i = 0; i < tests.getLength(); i++)
            {
                count((Element)tests.item(i));
            }
        }
        catch (final SAXException ex)
        {
            run++;
            failed.add(report + " is no whole report: " + ex.getMessage());
        }
        catch (final ParserConfigurationException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** A test that failed and then passed has a flaky failure or error, one that failed twice a failure or error. */
    private void count(final Element test)
    {
        run++;
        final String name = test.getAttribute("classname") + "." + test.getAttribute("name") + ": ";
        final Element failure = first(test, "failure", "error");
        final Element flake = first(test, "flakyFailure", "flakyError");
        final Element skipped = first(test, "skipped");
        if (failure != null)
        {
            failed.add(name + message(failure));
        }
        else if (flake != null)
        {
            unsteady.add(name + message(flake));
        }
        else if (skipped != null)
        {
            leftOut.merge(message(skipped), 1, Integer::sum);
        }
    }

    private static Element first(final Element test, final String... tags)
    {
        for (final String tag : tags)
        {
            final NodeList found = test.getElementsByTagName(tag);
            if (found.getLength() > 0)
            {
                return (Element)found.item(0);
            }
        }
        return null;
    }

    /** The first line of the message, which of a failed assumption is in the stack trace alone. */
    private static String message(final Element outcome)
    {
        final String attribute = outcome.getAttribute("message");
        final String line = (attribute.isEmpty() ? outcome.getTextContent() : attribute).strip().lines()
            .findFirst().orElse("no reason given").replaceFirst("^" + ABORTED, "").replaceFirst("^" + ASSUMPTION, "");
        return line.substring(0, Math.min(line.length(), LONGEST_MESSAGE));
    }

    /**
     * Prints how many tests were skipped for which reason, and the command that installs every program that is missing.
     *
     * @param out where to print.
     */
    void printLeftOut(final PrintStream out)
    {
        if (leftOut.isEmpty())
        {
            return;
        }
        out.printf("%nLeft out: %d of %d tests%n", skipped(), run);
        leftOut.entrySet().stream()
            .sorted(Map.Entry.<String, Integer>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
            .forEach(reason -> out.printf("%6d  %s%n", reason.getValue(), reason.getKey()));
        final String missing = String.join(" ", missingPackages());
        if (!missing.isEmpty())
        {
            out.printf("Every program that tests need is installed by%n    apt-get install " +
                "--no-install-recommends %s%n", missing);
        }
        out.println();
    }

    /**
     * Prints the slowest classes, the tests left out, those that failed, those that failed once and then passed, and
     * the numbers on the last line.
     *
     * @param status exit status of the build; if it is not 0 and no test failed, it counts as a failure.
     * @param out    where to print.
     * @return whether the build and all tests passed.
     */
    boolean printAll(final int status, final PrintStream out)
    {
        if (status != 0 && failed.isEmpty())
        {
            run++;
            failed.add("the build: its error is above");
        }
        printList(out, "The slowest classes", slowest.subList(0, Math.min(slowest.size(), SLOWEST_CLASSES)));
        printLeftOut(out);
        printList(out, "Failed", failed);
        printList(out, "Unsteady: failed once and passed when run again", unsteady);
        out.printf(
            "%n%d passed, %d failed, %d skipped%n", run - failed.size() - skipped(), failed.size(), skipped());
        return failed.isEmpty();
    }

    private int skipped()
    {
        return leftOut.values().stream().mapToInt(Integer::intValue).sum();
    }

    private static void printList(final PrintStream out, final String title, final List<String> lines)
    {
        if (!lines.isEmpty())
        {
            out.printf("%n%s%n", title);
            lines.forEach(line -> out.println("  " + line));
        }
    }

    /** The packages of {@code .ci/packages} that dpkg does not have, or none on a machine without dpkg. */
    private Set<String> missingPackages()
    {
        try
        {
            final Process query = new ProcessBuilder("dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\n")
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            final Set<String> installed = new String(query.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines().filter(line -> line.startsWith("installed "))
                .map(line -> line.substring(line.indexOf(' ') + 1)).collect(Collectors.toSet());
            final Set<String> missing = packages(project);
            missing.removeAll(installed);
            return missing;
        }
        catch (final IOException ignore)
        {
            return Set.of();
        }
    }

    /**
     * Reads {@code .ci/packages}.
     *
     * @param project root of the checkout.
     * @return the names of packages, sorted.
     */
    static Set<String> packages(final Path project) throws IOException
    {
        return Files.readAllLines(project.resolve(".ci/packages")).stream()
            .filter(line -> !line.startsWith("#") && !line.isBlank())
            .flatMap(line -> Arrays.stream(line.split(" +")))
            .collect(Collectors.toCollection(TreeSet::new));
    }
}
