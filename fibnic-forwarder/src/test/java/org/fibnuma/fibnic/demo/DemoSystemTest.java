package org.fibnuma.fibnic.demo;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.Require;
import org.fibnuma.core.Signal;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The demo as root: real namespaces, a real router process, AF_XDP; and what is left of it. */
class DemoSystemTest
{
    private static final String MAIN_CLASS = "org.fibnuma.fibnic.command.FibnumaCommand";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @BeforeEach
    void needsRoot()
    {
        Require.root();
        Require.program("ip", "iproute2");
    }

    @Test
    void shouldForwardOverAfXdp() throws IOException
    {
        final DemoRun run = DemoRun.of("--seconds", "2", "--routes", "50000", "--ipv6-routes", "10000", "--json");
        assertEquals(0, run.status(), run.errors());
        final JsonNode result = run.json();
        assertEquals("af_xdp", result.get("mode").asText(), run.errors());
        DemoRun.assertFamily(result, 50_000, "10.0.0.1");
        DemoRun.assertFamily(result.get("ipv6"), 10_000, "2001:db8::1");
        assertTrue(result.get("mixed").get("mpps").asDouble() > 0);
        assertTrue(result.get("forwardedPackets").asLong() >
            result.get("pingsSent").asLong() + result.get("ipv6").get("pingsSent").asLong());
        assertEquals(5, result.get("drops").get("ipv4-ttl-expired").asInt());
        assertEquals(5, result.get("drops").get("ipv6-hop-limit").asInt());
        assertTrue(result.get("fateBalanced").asBoolean());
        assertEquals(List.of(), descendantsOf(ProcessHandle.current()));
    }

    /** However it ends: no process, and so no namespace, no interface and no program, is left. */
    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "KILL"})
    void shouldLeaveNothingBehind(final String signal)
    {
        // A shell's background job ignores SIGINT, and so would every process that is started from it.
        final ChildProcess demo = ChildProcess.start(Stream.concat(
            Stream.of("env", "--default-signal=INT,QUIT"),
            Stream.of(JavaProgram.command(
                MAIN_CLASS, "demo", "--seconds", "60", "--routes", "5000", "--ipv6-routes", "1000")))
            .toArray(String[]::new));
        final List<ProcessHandle> descendants;
        try
        {
            demo.awaitLine(line -> line.contains("udp"), PATIENCE);
            descendants = ProcessHandle.of(demo.pid()).orElseThrow().descendants().collect(Collectors.toList());
            assertTrue(descendants.size() >= 4, () -> "three hosts and a router: " + descendants);
            Signal.send(signal, demo.pid());
            demo.awaitExit(PATIENCE);
        }
        finally
        {
            demo.close();
        }
        descendants.forEach(process -> process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join());
    }

    @Test
    void shouldLeaveNoFileBehindWhenTerminated(@TempDir final Path directory) throws IOException
    {
        final ChildProcess demo = ChildProcess.start(withTemporaryDirectory(directory, JavaProgram.command(
            MAIN_CLASS, "demo", "--seconds", "60", "--routes", "5000", "--ipv6-routes", "1000")));
        demo.awaitLine(line -> line.contains("ping"), PATIENCE);
        demo.close();
        try (Stream<Path> files = Files.list(directory))
        {
            assertEquals(List.of(), files.filter(file -> file.getFileName().toString().startsWith("fibnuma-"))
                .collect(Collectors.toList()));
        }
    }

    private static String[] withTemporaryDirectory(final Path directory, final String[] command)
    {
        return Stream.concat(
            Stream.of("env", "JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=" + directory), Stream.of(command))
            .toArray(String[]::new);
    }

    private static List<ProcessHandle> descendantsOf(final ProcessHandle process)
    {
        return process.descendants().filter(ProcessHandle::isAlive).collect(Collectors.toList());
    }
}
