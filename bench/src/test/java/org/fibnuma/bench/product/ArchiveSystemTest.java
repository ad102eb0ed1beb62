package org.fibnuma.bench.product;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The release archive, unpacked, with a Java runtime that has no compiler and a path without Maven; and the archive of
 * the laboratory over it.
 */
class ArchiveSystemTest
{
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String MODULES = "java.se,jdk.unsupported,jdk.management,jdk.crypto.ec";
    /** What a demo proves here does not depend on its speed. With both compilers it takes minutes on a busy machine. */
    private static final String FIRST_TIER =
        "FIBNUMA_JAVA_OPTS=-XX:TieredStopAtLevel=1 -Dfibnuma.warm-up.batches=300";
    private static final Pattern COMMAND_IN_HELP = Pattern.compile("(?m)^  ([a-z]+) ");
    /** What must not be in the product: measurements, their harness, tests. */
    private static final Pattern LABORATORY =
        Pattern.compile("org[./]fibnuma[./]bench|jmh|junit|jqwik|org[./]fibnuma[./]core[./]Require");

    /** A line of THIRD-PARTY.txt: licences, each in parentheses, and the artifact. */
    private static final Pattern LIBRARY =
        Pattern.compile("(?m)^ +((?:\\((?:[^()]|\\([^()]*\\))*\\) )+).*\\([^:()]+:([^:]+):[^()]*\\)$");
    private static final String OWN_TEXT = "";
    /** File and a phrase of the text of each licence. */
    private static final Map<String, Map.Entry<String, String>> TEXTS = Map.of(
        ".*Apache.*", Map.entry("LICENSE", "Apache License Version 2.0,"),
        ".*Eclipse Public License - v 1\\.0.*", Map.entry("licenses/EPL-1.0.txt", "Eclipse Public License - v 1.0"),
        ".*(Lesser General Public License|LGPL, version 2\\.1)\\)",
        Map.entry("licenses/LGPL-2.1.txt", "GNU LESSER GENERAL PUBLIC LICENSE Version 2.1,"),
        // VectorGraphics2D names no version here; its sources name 3.
        ".*(Lesser General Public License version 3.*|\\(LGPL\\)\\))",
        Map.entry("licenses/LGPL-3.0.txt", "GNU LESSER GENERAL PUBLIC LICENSE Version 3,"),
        ".*GNU General Public License.*Classpath exception\\)", Map.entry(OWN_TEXT, "\"CLASSPATH\" EXCEPTION"),
        ".*(MIT|BSD|CC0).*", Map.entry(OWN_TEXT, "Copyright"));

    @TempDir
    private static Path directory;
    private static Path home;
    /** With the laboratory. */
    private static Path measuringHome;
    private static Path runtime;

    @BeforeAll
    static void unpack() throws IOException
    {
        final Path archive = archive("packaging", "fibnuma-*.tar.gz");
        final Path laboratory = archive("bench", "fibnuma-bench-*.tar.gz");
        final Path jlink = Path.of(System.getProperty("java.home"), "bin", "jlink");
        Require.that(Files.exists(jlink), "needs jlink: apt-get install openjdk-17-jdk-headless");
        // Another user reads it too.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        runtime = directory.resolve("runtime");
        ChildProcess.run(PATIENCE, jlink.toString(), "--add-modules", MODULES, "--output", runtime.toString());
        // As the runtimes of distributions have it, with which a command starts faster.
        ChildProcess.run(PATIENCE, runtime.resolve("bin/java").toString(), "-Xshare:dump");
        home = unpack(directory, archive);
        final Path other = Files.createDirectory(directory.resolve("other"));
        unpack(other, archive);
        measuringHome = unpack(other, laboratory);
    }

    private static Path archive(final String module, final String pattern) throws IOException
    {
        final Path target = Require.projectDirectory().resolve(module).resolve("target");
        final List<Path> archives = list(target, pattern);
        Require.that(archives.size() == 1, "needs the archive: mvn package, in " + target + " is " + archives);
        return archives.get(0);
    }

    private static Path unpack(final Path into, final Path archive) throws IOException
    {
        ChildProcess.run(PATIENCE, "tar", "-xzf", archive.toString(), "-C", into.toString());
        return list(into, "fibnuma-*").get(0);
    }

    @Test
    void shouldRunEveryCommand()
    {
        final String help = run("--help");
        assertFalse(help.contains("bench"), help);
        for (final String command : commands(help))
        {
            assertTrue(run(command, "--help").contains("Usage: fibnuma " + command), command);
        }
        assertTrue(run("ipnuma", "demo", "--help").contains("Usage: fibnuma ipnuma demo"));
        assertTrue(run("fabric", "plan", "--help").contains("Usage: fibnuma fabric plan"));
        assertTrue(run("pfc", "headroom", "--speed", "10G").contains("xoff"));
    }

    @Test
    void shouldSayWhatIsNotInstalled()
    {
        for (final List<String> command : List.of(
            List.of("bench", "fib"), List.of("fabric", "evaluate"), List.of("fabric", "deadlock", "--routers")))
        {
            try (ChildProcess child = ChildProcess.start(command(command)))
            {
                assertEquals(2, child.awaitExit(PATIENCE));
                assertEquals(1, child.errors().size());
                assertTrue(child.errors().get(0).endsWith(
                    "is not part of the installed product: unpack fibnuma-bench-VERSION.tar.gz over the unpacked " +
                    "archive, or run it in a clone of the source repository"),
                    child.errors()::toString);
            }
        }
    }

    @Test
    void shouldMeasureWithTheArchiveOfTheLaboratory() throws IOException
    {
        final String help = ChildProcess.run(PATIENCE, command(measuringHome, List.of("--help")));
        assertTrue(help.contains("\n  bench "), help);
        final Path report = directory.resolve("report");
        ChildProcess.run(PATIENCE, command(measuringHome,
            List.of("bench", "report", "--quick", "--figures", "thesis-5.7", "-o", report.toString())));
        final JsonNode figures = new ObjectMapper().readTree(report.resolve("report.json").toFile()).path("figures");
        assertEquals(66.7, figures.at("/0/ours/0/values/0").asDouble(), 0.1, figures::toString);
        assertTrue(Files.readString(report.resolve("index.html")).contains("thesis-5.7"));
        assertTrue(ChildProcess.run(PATIENCE, command(measuringHome, List.of("fabric", "evaluate", "--help")))
            .contains("Usage: fibnuma fabric evaluate"));
    }

    @Test
    void shouldHoldNothingOfTheLaboratory() throws IOException
    {
        final List<Path> jars = list(home.resolve("lib"), "*");
        assertTrue(jars.size() > 20, jars::toString);
        for (final Path jar : jars)
        {
            assertFalse(LABORATORY.matcher(jar.getFileName().toString()).find(), jar::toString);
            try (JarFile file = new JarFile(jar.toFile()))
            {
                assertEquals(List.of(), file.stream().map(Object::toString)
                    .filter(entry -> LABORATORY.matcher(entry).find()).collect(Collectors.toList()), jar::toString);
            }
        }
    }

    /** In memory, as a user without rights: what is loaded comes from the jars of the router alone. */
    @Test
    void shouldRunTheDemoFromTheJarsOfTheRouter() throws IOException
    {
        Require.root();
        Require.program("setpriv", "util-linux");
        final Path log = Path.of("/tmp", "fibnuma-archive-" + ProcessHandle.current().pid() + ".classes");
        final List<String> command = new ArrayList<>(List.of("setpriv", "--reuid", "65534", "--clear-groups"));
        command.addAll(List.of("env", FIRST_TIER + " -Xlog:class+load:file=" + log));
        command.addAll(List.of(command(List.of("demo", "--seconds", "1", "--routes", "20000", "--json"))));
        try
        {
            final JsonNode result =
                new ObjectMapper().readTree(ChildProcess.run(PATIENCE, command.toArray(String[]::new)));
            assertEquals("memory", result.get("mode").asText());
            assertTrue(result.get("fateBalanced").asBoolean(), result::toString);
            final List<String> loaded = Files.readAllLines(log).stream()
                .map(line -> line.replace(home.toString(), "")).collect(Collectors.toList());
            assertTrue(loaded.stream().anyMatch(line -> line.contains("org.fibnuma.fibnic.datapath")));
            assertEquals(List.of(), loaded.stream()
                .filter(line -> LABORATORY.matcher(line).find() || line.contains("org.fibnuma.ipnuma"))
                .collect(Collectors.toList()));
        }
        finally
        {
            Files.deleteIfExists(log);
        }
    }

    @Test
    void shouldForwardOverAfXdp() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        final List<String> command = new ArrayList<>(List.of("env", FIRST_TIER));
        command.addAll(List.of(command(List.of("demo", "--seconds", "2", "--routes", "20000", "--json"))));
        final JsonNode result =
            new ObjectMapper().readTree(ChildProcess.run(PATIENCE, command.toArray(String[]::new)));
        assertEquals("af_xdp", result.get("mode").asText());
        assertTrue(result.get("fateBalanced").asBoolean(), result::toString);
    }

    @Test
    void shouldHaveAManualPageForEveryCommand() throws IOException
    {
        final Path pages = home.resolve("man/man1");
        for (final String command : commands(run("--help")))
        {
            final String page = Files.readString(pages.resolve("fibnuma-" + command + ".1"));
            assertTrue(page.startsWith(".TH "), page);
            assertTrue(page.contains("\n.SH SYNOPSIS\nfibnuma " + command), page);
        }
        assertTrue(Files.readString(pages.resolve("fibnuma-router.1")).contains("\\fB\\-c\\fR, \\fB\\-\\-config\\fR"));
        assertTrue(Files.exists(pages.resolve("fibnuma-show-drops.1")));
        assertTrue(Files.exists(home.resolve("man/man5/fibnuma.toml.5")));
        assertTrue(Files.exists(home.resolve("fibnuma.toml.md")));
    }

    @Test
    void shouldHaveExamplesThatCanBeRead() throws Exception
    {
        final List<Path> routers = list(home.resolve("examples"), "router*.toml");
        assertFalse(routers.isEmpty());
        for (final Path example : routers)
        {
            // This host does not have the interfaces of the examples.
            final Path copy = Files.writeString(directory.resolve(example.getFileName()),
                Files.readString(example).replace("\"xdp:", "\"mem:"));
            assertTrue(run("router", "--check", "-c", copy.toString()).endsWith(": ok"));
        }
        for (final Path example : list(home.resolve("examples"), "endpoint*.toml"))
        {
            assertFalse(EndpointConfigReader.read(example).peers().isEmpty());
        }
    }

    private static List<Path> withLibraries()
    {
        return List.of(home, measuringHome.resolve("bench"));
    }

    @ParameterizedTest
    @MethodSource("withLibraries")
    void shouldNameTheLicenceOfEveryLibrary(final Path folder) throws IOException
    {
        final String licences = Files.readString(folder.resolve("THIRD-PARTY.txt"));
        for (final Path jar : list(folder.resolve("lib"), "*"))
        {
            final String name = jar.getFileName().toString().replace(".jar", "").replace("jffi-native", "jffi")
                .replace("-linux-x86_64", "");
            assertTrue(
                Files.exists(Require.projectDirectory().resolve(name)) || licences.contains(":" + name + ":"), name);
        }
        assertTrue(Files.exists(home.resolve("LICENSE")));
        assertTrue(Files.exists(folder.resolve("licenses/jackson-core/META-INF/LICENSE")));
    }

    /** Each licence has its text. The licences that begin with a copyright notice have that of the library. */
    @ParameterizedTest
    @MethodSource("withLibraries")
    void shouldContainTheTextOfEveryLicence(final Path folder) throws IOException
    {
        final List<MatchResult> libraries =
            LIBRARY.matcher(Files.readString(folder.resolve("THIRD-PARTY.txt"))).results().collect(Collectors.toList());
        assertTrue(libraries.size() > 20, libraries::toString);
        for (final MatchResult library : libraries)
        {
            for (final String licence : library.group(1).trim().split("(?<=\\)) "))
            {
                final Map.Entry<String, String> text = TEXTS.entrySet().stream()
                    .filter(each -> licence.matches(each.getKey())).map(Map.Entry::getValue).findFirst().orElseThrow();
                final Path file = text.getKey().equals(OWN_TEXT) ?
                    ownText(folder, library.group(2).replaceFirst("^asm-.*", "asm")) :
                    (text.getKey().equals("LICENSE") ? home : folder).resolve(text.getKey());
                assertTrue(Files.readString(file).replaceAll("\\s+", " ").contains(text.getValue()),
                    library.group() + ": " + file);
            }
        }
    }

    private static Path ownText(final Path folder, final String artifact) throws IOException
    {
        try (Stream<Path> files = Files.walk(folder.resolve("licenses").resolve(artifact)))
        {
            return files.filter(file -> file.getFileName().toString().startsWith("LICENSE")).findFirst().orElseThrow();
        }
    }

    private static TreeSet<String> commands(final String help)
    {
        return COMMAND_IN_HELP.matcher(help).results().map(match -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String run(final String... arguments)
    {
        return ChildProcess.run(PATIENCE, command(List.of(arguments)));
    }

    private static String[] command(final List<String> arguments)
    {
        return command(home, arguments);
    }

    private static String[] command(final Path unpacked, final List<String> arguments)
    {
        final List<String> command = new ArrayList<>(List.of("env", "JAVA_HOME=" + runtime,
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin", unpacked.resolve("fibnuma").toString()));
        command.addAll(arguments);
        return command.toArray(String[]::new);
    }

    private static List<Path> list(final Path directory, final String pattern) throws IOException
    {
        try (var files = Files.newDirectoryStream(directory, pattern))
        {
            final List<Path> list = new ArrayList<>();
            files.forEach(list::add);
            return list;
        }
    }
}
