package org.fibnuma.bench.forward;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.JavaProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("slow")
class ForwardCommandSystemTest
{
    @Test
    void shouldMeasureTheRouterAndItsPeerOnTheSameDevices() throws IOException
    {
        Require.root();
        Require.program("dpdk-testpmd", "dpdk-dev");
        final Set<String> before = runtimeDirectories();

        final JsonNode json = measure("--rounds", "1", "--seconds", "1", "--family", "4").json();

        assertTrue(json.path("mpps").asDouble() > 0.1, json::toString);
        assertTrue(json.path("peerMpps").asDouble() > json.path("mpps").asDouble() / 10, json::toString);
        assertEquals(json.path("mpps").asDouble() / json.path("peerMpps").asDouble(), json.path("ratio").asDouble(),
            0.01);
        for (final String stage : new String[]{"receive", "router", "transmit"})
        {
            assertTrue(json.path("cyclesPerPacket").path(stage).asDouble() > 0, json::toString);
        }
        final JsonNode memif = json.path("memif");
        for (final String rate : new String[]{"mpps", "peerMpps", "generatorMpps"})
        {
            assertTrue(memif.path(rate).asDouble() > 0.01, json::toString);
        }
        assertTrue(memif.path("idlePollPercent").isNumber(), json::toString);
        assertEquals(before, runtimeDirectories(), "telemetry sockets left behind");
    }

    @Test
    void shouldForwardEveryFrameOfBothFamiliesAsItsPeersDo() throws IOException
    {
        Require.root();
        Require.program("dpdk-testpmd", "dpdk-dev");

        // The command fails if a contestant does not send each received frame to the sink.
        final JsonNode json =
            measure("--table6", "generated:1000", "--rounds", "1", "--seconds", "1", "--no-memif").json();

        assertEquals(66, json.path("frameSize").asInt());
        for (final JsonNode family : List.of(json, json.path("ipv6"), json.path("mixed")))
        {
            assertTrue(family.path("fibnumaMpps").asDouble() > 0, json::toString);
            assertTrue(family.path("testpmdMacMpps").asDouble() > 0, json::toString);
            assertTrue(family.path("ratioToTestpmdMac").asDouble() > 0, json::toString);
            assertTrue(family.path("cyclesPerPacket").path("router").asDouble() > 0, json::toString);
        }
        assertTrue(json.path("mixed").path("ratioToMean").asDouble() > 0, json::toString);
    }

    @Test
    void shouldMeasureInSlicesOfProgramsThatRunAtOnceForEachStart(@TempDir final Path clone) throws IOException
    {
        Require.root();
        Require.program("dpdk-testpmd", "dpdk-dev");
        final Set<String> before = runtimeDirectories();

        final CommandRun run = measure("--slices", "3", "--starts", "2", "--family", "4", "--no-stages", "--no-memif",
            "--against", launcherIn(clone).toString());

        final JsonNode json = run.json();
        assertTrue(run.errors().contains("start 2 of 2"), run::errors);
        assertTrue(Files.exists(clone.resolve("started")), "the other router was not started by its launcher");
        assertTrue(json.path("ratioToOtherFibnuma").asDouble() > 0, json::toString);
        for (final String name : List.of("fibnuma", "other fibnuma", "testpmd mac", "testpmd io"))
        {
            final JsonNode rates = json.path("rounds").path(name);
            assertEquals(2, rates.size(), json::toString);
            rates.forEach(rate -> assertTrue(rate.asDouble() > 0.01, json::toString));
        }
        assertEquals(before, runtimeDirectories(), "telemetry sockets left behind");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --starts 2 | --starts needs --slices
        --family 5 | --family: 5 is none of 4, 6, mixed and all
        --frame-size 64 | --frame-size 66 to 1518 (from 64 with --family 4)
        --frames 64 | --frames 4096 to 65536
        --l3fwd --no-capture | --l3fwd forwards what is captured
        """)
    void shouldRefuse(final String options, final String error)
    {
        run(options.split(" ")).assertRefused(2, error);
    }

    @Test
    void shouldRefuseAnotherCloneWithoutTheCaptureOrALauncher(@TempDir final Path clone) throws IOException
    {
        run("--against", clone.toString()).assertRefused(2, "has no program \"fibnuma\"");
        run("--against", launcherIn(clone).toString(), "--no-capture")
            .assertRefused(2, "--against forwards what is captured");
    }

    /** Makes a launcher of this build in a folder, which records that it was started; returns the folder. */
    private static Path launcherIn(final Path folder) throws IOException
    {
        final String command = Stream.of(JavaProgram.command("org.fibnuma.fibnic.command.FibnumaCommand"))
            .map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        final Path launcher = Files.writeString(folder.resolve("fibnuma"), String.join("\n",
            "#!/bin/sh",
            "touch '" + folder.resolve("started") + "'",
            "export JDK_JAVA_OPTIONS=\"$FIBNUMA_JAVA_OPTS\"",
            "exec " + command + " \"$@\"",
            ""));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
        return folder;
    }

    private static CommandRun measure(final String... options)
    {
        return run(Stream.concat(
            Stream.of("--table", "generated:1000", "--frames", "4096", "--core", "0", "--json"), Stream.of(options))
            .toArray(String[]::new));
    }

    private static CommandRun run(final String... options)
    {
        return CommandRun.bench(Stream.concat(Stream.of("forward"), Stream.of(options)).toArray(String[]::new));
    }

    private static Set<String> runtimeDirectories() throws IOException
    {
        final Path directory = Path.of("/var/run/dpdk");
        if (!Files.exists(directory))
        {
            return Set.of();
        }
        try (Stream<Path> found = Files.list(directory))
        {
            return found.map(path -> path.getFileName().toString())
                .filter(name -> name.startsWith("fibnuma-")).collect(Collectors.toSet());
        }
    }
}
