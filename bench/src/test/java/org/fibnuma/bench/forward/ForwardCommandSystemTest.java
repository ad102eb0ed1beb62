package org.fibnuma.bench.forward;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.BenchCommand;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.JavaProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
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
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldMeasureTheRouterAndItsPeerOnTheSameDevices() throws IOException
    {
        Require.root();
        Require.program("dpdk-testpmd", "dpdk-dev");
        final Set<String> before = runtimeDirectories();

        assertEquals(0, run("--table", "generated:1000", "--frames", "4096", "--rounds", "1", "--seconds", "1",
            "--core", "0", "--family", "4", "--json"), err::toString);

        final JsonNode json = new ObjectMapper().readTree(out.toString());
        assertTrue(json.path("mpps").asDouble() > 0.1, out::toString);
        assertTrue(json.path("peerMpps").asDouble() > json.path("mpps").asDouble() / 10, out::toString);
        assertEquals(json.path("mpps").asDouble() / json.path("peerMpps").asDouble(), json.path("ratio").asDouble(),
            0.01);
        for (final String stage : new String[]{"receive", "router", "transmit"})
        {
            assertTrue(json.path("cyclesPerPacket").path(stage).asDouble() > 0, out::toString);
        }
        final JsonNode memif = json.path("memif");
        for (final String rate : new String[]{"mpps", "peerMpps", "generatorMpps", "ownGeneratorMpps"})
        {
            assertTrue(memif.path(rate).asDouble() > 0.01, out::toString);
        }
        assertTrue(memif.path("idlePollPercent").isNumber() && memif.path("lostAt90Percent").isNumber(),
            out::toString);
        assertTrue(memif.path("latencyNs").path("p999").asLong() > 0, out::toString);
        assertEquals(before, runtimeDirectories(), "telemetry sockets left behind");
    }

    @Test
    void shouldRefuseStartsWithoutSlices()
    {
        assertEquals(2, run("--starts", "2"));
        assertTrue(err.toString().contains("--starts needs --slices"), err.toString());
    }

    @Test
    void shouldForwardEveryFrameOfBothFamiliesAsItsPeersDo() throws IOException
    {
        Require.root();
        Require.program("dpdk-testpmd", "dpdk-dev");

        // The command fails if a contestant does not send each received frame to the sink.
        assertEquals(0, run("--table", "generated:1000", "--table6", "generated:1000", "--frames", "4096",
            "--rounds", "1", "--seconds", "1", "--core", "0", "--no-memif", "--json"), err::toString);

        final JsonNode json = new ObjectMapper().readTree(out.toString());
        assertEquals(66, json.path("frameSize").asInt());
        for (final JsonNode family : List.of(json, json.path("ipv6"), json.path("mixed")))
        {
            assertTrue(family.path("fibnumaMpps").asDouble() > 0, out::toString);
            assertTrue(family.path("testpmdMacMpps").asDouble() > 0, out::toString);
            assertTrue(family.path("ratioToTestpmdMac").asDouble() > 0, out::toString);
            assertTrue(family.path("cyclesPerPacket").path("router").asDouble() > 0, out::toString);
        }
        assertTrue(json.path("mixed").path("ratioToMean").asDouble() > 0, out::toString);
    }

    @Test
    void shouldMeasureInSlicesOfProgramsThatRunAtOnceForEachStart(@TempDir final Path clone) throws IOException
    {
        Require.root();
        Require.program("dpdk-testpmd", "dpdk-dev");
        final Set<String> before = runtimeDirectories();

        assertEquals(0, run("--table", "generated:1000", "--frames", "4096", "--slices", "3", "--starts", "2",
            "--core", "0", "--family", "4", "--no-stages", "--no-memif", "--against", launcherIn(clone).toString(),
            "--json"), err::toString);

        assertTrue(err.toString().contains("start 2 of 2"), err::toString);
        assertTrue(Files.exists(clone.resolve("started")), "the other router was not started by its launcher");
        final JsonNode json = new ObjectMapper().readTree(out.toString());
        assertTrue(json.path("ratioToOtherFibnuma").asDouble() > 0, out::toString);
        for (final String name : List.of("fibnuma", "other fibnuma", "testpmd mac", "testpmd io"))
        {
            final JsonNode rates = json.path("rounds").path(name);
            assertEquals(2, rates.size(), out::toString);
            rates.forEach(rate -> assertTrue(rate.asDouble() > 0.01, out::toString));
        }
        assertEquals(before, runtimeDirectories(), "telemetry sockets left behind");
    }

    @Test
    void shouldRefuseAFamilyThatThereIsNot()
    {
        assertEquals(2, run("--family", "5"));
        assertTrue(err.toString().contains("--family: 5 is none of 4, 6, mixed and all"), err.toString());
    }

    @Test
    void shouldRefuseFramesTooShortForUdpOverIpv6()
    {
        assertEquals(2, run("--frame-size", "64"));
        assertTrue(err.toString().contains("--frame-size 66 to 1518 (from 64 with --family 4)"), err.toString());
    }

    @Test
    void shouldRefuseTooFewDestinations()
    {
        assertEquals(2, run("--frames", "64"));
        assertTrue(err.toString().contains("--frames 4096 to 65536"), err.toString());
    }

    @Test
    void shouldRefuseL3fwdWithoutTheCapture()
    {
        assertEquals(2, run("--l3fwd", "--no-capture"));
        assertTrue(err.toString().contains("--l3fwd forwards what is captured"), err.toString());
    }

    @Test
    void shouldRefuseAnotherCloneWithoutTheCapture(@TempDir final Path clone) throws IOException
    {
        assertEquals(2, run("--against", launcherIn(clone).toString(), "--no-capture"));
        assertTrue(err.toString().contains("--against forwards what is captured"), err.toString());
    }

    @Test
    void shouldRefuseAnotherCloneWithoutALauncher(@TempDir final Path clone)
    {
        assertEquals(2, run("--against", clone.toString()));
        assertTrue(err.toString().contains("has no program \"fibnuma\""), err.toString());
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

    private int run(final String... options)
    {
        final String[] arguments = new String[options.length + 1];
        arguments[0] = "forward";
        System.arraycopy(options, 0, arguments, 1, options.length);
        return BenchCommand.commandLine()
            .setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(arguments);
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
