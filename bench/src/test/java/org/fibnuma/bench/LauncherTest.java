package org.fibnuma.bench;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The launcher as far as it gets without a build, which the running one must not be disturbed by. */
class LauncherTest
{
    private static final Path LAUNCHER = Require.projectDirectory().resolve("fibnuma").toAbsolutePath();
    private static final Pattern COMMAND_IN_HELP = Pattern.compile("(?m)^  ([a-z]+) ");
    private static final Pattern COMMAND_IN_REFERENCE = Pattern.compile("(?m)^\\| `([a-z]+)[ `]");

    @TempDir
    private Path directory;

    @Test
    void shouldListItsCommands() throws IOException, InterruptedException
    {
        final Result help = run(Map.of(), LAUNCHER, "--help");
        assertEquals(0, help.status);
        assertEquals("", help.error);
        final Result alone = run(Map.of(), LAUNCHER);
        assertEquals(2, alone.status);
        assertEquals("", alone.output);
        assertEquals(help.output, alone.error);
        assertEquals(
            commands(COMMAND_IN_REFERENCE, Files.readString(LAUNCHER.resolveSibling("docs/commands.md"))),
            commands(COMMAND_IN_HELP, help.output));
    }

    @Test
    void shouldRefuseAnUnknownCommandWithOneLine() throws IOException, InterruptedException
    {
        final Result unknown = run(Map.of(), LAUNCHER, "foward", "--help");
        assertEquals(2, unknown.status);
        assertEquals("fibnuma: unknown command \"foward\"; \"fibnuma --help\" lists them\n", unknown.error);
    }

    @Test
    void shouldSayWhereItMissesJava() throws IOException, InterruptedException
    {
        final Result none = run(Map.of("JAVA_HOME", "/nowhere"), LAUNCHER, "show", "drops");
        assertEquals(1, none.status);
        assertTrue(none.error.startsWith("fibnuma: no Java at \"/nowhere/bin/java\": install 17 or later (apt-get"),
            none.error);
    }

    @Test
    void shouldRefuseAnOldJava() throws IOException, InterruptedException
    {
        final Path java = Files.createDirectory(directory.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nexit 9\n");
        assertTrue(java.toFile().setExecutable(true));
        Files.writeString(directory.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"11.0.2\"\n");
        final Result old = run(Map.of("JAVA_HOME", directory.toString()), LAUNCHER, "show", "drops");
        assertEquals(1, old.status);
        assertTrue(old.error.contains("is Java 11; install 17 or later"), old.error);
    }

    @Test
    void shouldSayInOneLineThatTooFewFilesMayBeOpen() throws IOException, InterruptedException
    {
        final Result few = run(Map.of(), Path.of("/bin/sh"), "-c", "ulimit -n 32; exec '" + LAUNCHER + "' show drops");
        assertEquals(1, few.status);
        assertEquals("fibnuma: only 32 files may be open and 1024 are needed: raise the limit (ulimit -n, " +
            "LimitNOFILE=)\n", few.error);
    }

    @Test
    void shouldWorkThroughALinkFromAnywhere() throws IOException, InterruptedException
    {
        final Path link = Files.createSymbolicLink(directory.resolve("fib"), LAUNCHER);
        assertEquals(0, run(Map.of(), link, "help").status);
        Files.delete(link);
    }

    @Test
    void shouldChooseACollectorThatWorksBesideTheWorkers() throws IOException, InterruptedException
    {
        assertEquals(List.of("-XX:+UseZGC", "-XX:GuaranteedSafepointInterval=0"), pauseFlags("17.0.9", "", "router"));
        assertEquals(
            List.of("-XX:+UseZGC", "-XX:GuaranteedSafepointInterval=0", "-XX:+ZGenerational"),
            pauseFlags("21.0.4", "", "router"));
        assertEquals(List.of("-XX:+UseZGC"), pauseFlags("25", "", "router"));
        assertEquals(
            List.of("-XX:+UseZGC", "-XX:-UseZGC", "-XX:+UseParallelGC"),
            pauseFlags("25", "-XX:+UseParallelGC", "router"));
        assertEquals(List.of("-XX:+UseSerialGC"), pauseFlags("25", "", "show"));
    }

    @Test
    void shouldMakeNoHeapForTrafficWhereNothingIsServed() throws IOException, InterruptedException
    {
        for (final String[] command : new String[][] {
            {"router", "--help"}, {"demo", "-h"}, {"router", "--check", "-c", "router.toml"},
            {"router", "-c", "router.toml", "--check"}})
        {
            assertEquals(List.of("-XX:+UseSerialGC"), pauseFlags("17.0.9", "", command));
        }
    }

    /** What the launcher tells a Java of some version about collections and other stops. */
    private List<String> pauseFlags(final String version, final String options, final String... command)
        throws IOException, InterruptedException
    {
        final Path project = Files.createTempDirectory(directory, "project");
        final Path launcher = Files.copy(LAUNCHER, project.resolve("fibnuma"));
        assertTrue(launcher.toFile().setExecutable(true));
        for (final String part : List.of("m/src/main", ".mvn", "packaging/target/lib", "java/bin"))
        {
            Files.createDirectories(project.resolve(part));
        }
        for (final String file : List.of("pom.xml", "m/pom.xml", "packaging/target/lib/fibnic-forwarder.jar"))
        {
            Files.writeString(project.resolve(file), "");
        }
        for (final String file : List.of(
            "java.args", "java24.args", "serving.args", "serving-to23.args", "serving-21to23.args"))
        {
            Files.copy(LAUNCHER.resolveSibling(".mvn").resolve(file), project.resolve(".mvn").resolve(file));
        }
        Files.writeString(project.resolve("packaging/target/launcher.stamp"), "");
        final Path java = project.resolve("java/bin/java");
        Files.writeString(java, "#!/bin/sh\nfor a; do case $a in @*) cat \"${a#@}\";; *) echo \"$a\";; esac; done\n");
        assertTrue(java.toFile().setExecutable(true));
        Files.writeString(project.resolve("java/release"), "JAVA_VERSION=\"" + version + "\"\n");
        final Result result = run(
            Map.of("JAVA_HOME", project.resolve("java").toString(), "FIBNUMA_JAVA_OPTS", options), launcher, command);
        assertEquals("", result.error);
        return result.output.lines()
            .filter(flag -> flag.startsWith("-XX:") &&
                (flag.endsWith("GC") || flag.contains("ZGen") || flag.contains("Safepoint")))
            .collect(Collectors.toList());
    }

    private static TreeSet<String> commands(final Pattern pattern, final String text)
    {
        return pattern.matcher(text).results().map((MatchResult result) -> result.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private Result run(final Map<String, String> environment, final Path program, final String... arguments)
        throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        final Path error = directory.resolve("error");
        final ProcessBuilder builder =
            new ProcessBuilder(command).directory(directory.toFile()).redirectError(error.toFile());
        builder.environment().putAll(environment);
        final Process process = builder.start();
        process.getOutputStream().close();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output, Files.readString(error));
    }

    private record Result(int status, String output, String error)
    {
    }
}
