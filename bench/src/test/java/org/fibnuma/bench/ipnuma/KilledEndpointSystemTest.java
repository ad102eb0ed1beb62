package org.fibnuma.bench.ipnuma;

import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.service.host.RunDirectory;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.ipnuma.memory.RegionStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What an endpoint has changed on its host and could not put back, because it was killed: the next start does. */
@Timeout(600)
@NamespaceTest
class KilledEndpointSystemTest
{
    private static final String IPNUMA = "org.fibnuma.ipnuma.command.IpnumaCommand";
    private static final String PINGPONG = "org.fibnuma.ipnuma.pingpong.PingPongCommand";
    private static final String DEFER_IRQS = "napi_defer_hard_irqs";
    private static final String FLUSH_TIMEOUT = "gro_flush_timeout";
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final String name = "killed-e-" + ProcessHandle.current().pid();
    private final String other = name + "-other";

    @TempDir
    private Path directory;
    private Host a;
    private Host b;
    private String deferBefore;
    private String flushBefore;

    @BeforeEach
    void open()
    {
        a = Host.open("a");
        b = Host.open("b");
        a.connect("va", b, "vb", 1500);
        deferBefore = value(DEFER_IRQS);
        flushBefore = value(FLUSH_TIMEOUT);
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(a, b);
    }

    @Test
    void shouldPutBackWhatAKilledEndpointChanged() throws IOException
    {
        kill(start(IPNUMA, config(name, 20)));
        assertTrue(Files.exists(box(name)), "a region of a killed endpoint is gone");

        try (ChildProcess next = start(IPNUMA, config(name, 0)))
        {
            assertPutBack(next);
            end(next);
        }
        assertFalse(Files.exists(CountersFile.directoryOf(name)), "something is left in shared memory");
        assertFalse(Files.exists(RunDirectory.recordsOf(name)), "a clean end leaves a record");
    }

    @Test
    void shouldPutBackWhatAKilledPingPongOfAnotherNameChanged() throws IOException
    {
        kill(start(PINGPONG, config(name, 20)));

        try (ChildProcess next = start(IPNUMA, config(other, 0)))
        {
            assertPutBack(next);
            assertFalse(Files.exists(RunDirectory.recordsOf(name)), "its record is there");
            assertFalse(Files.exists(CountersFile.directoryOf(name).resolve("counters")), "its counters are there");
            assertTrue(Files.exists(box(name)), "only an endpoint of the name takes its regions");
            end(next);
        }
        try (ChildProcess next = start(IPNUMA, config(name, 0)))
        {
            end(next);
        }
        assertFalse(Files.exists(CountersFile.directoryOf(name)), "something is left in shared memory");
    }

    @Test
    void shouldPutBackAtACleanEnd() throws IOException
    {
        try (ChildProcess endpoint = start(IPNUMA, config(name, 20)))
        {
            assertEquals("2", value(DEFER_IRQS), () -> String.join("\n", endpoint.errors()));
            end(endpoint);
        }
        assertEquals(deferBefore, value(DEFER_IRQS));
        assertEquals(flushBefore, value(FLUSH_TIMEOUT));
        assertFalse(Files.exists(RunDirectory.recordsOf(name)), "a clean end leaves a record");
    }

    private ChildProcess start(final String main, final String config)
    {
        final ChildProcess process =
            a.start(JavaProgram.command(main, main.equals(IPNUMA) ? "endpoint" : "server", "-c", config));
        process.awaitLine("ready"::equals, PATIENCE);
        return process;
    }

    private void kill(final ChildProcess process)
    {
        try (process)
        {
            assertEquals("2", value(DEFER_IRQS), () -> String.join("\n", process.errors()));
            assertEquals("200000", value(FLUSH_TIMEOUT));
            assertTrue(Files.exists(RunDirectory.recordsOf(name)), "nothing is written down");
            process.kill();
            process.awaitExit(PATIENCE);
        }
        assertEquals("2", value(DEFER_IRQS), "killed before it could put anything back");
    }

    private void assertPutBack(final ChildProcess next)
    {
        assertEquals(deferBefore, value(DEFER_IRQS), () -> String.join("\n", next.errors()));
        assertEquals(flushBefore, value(FLUSH_TIMEOUT));
        // Two settings of polling and two VLAN parsers.
        assertEquals(4, next.errors().stream().filter(line -> line.contains("\"" + name + "\" (pid ") &&
            line.contains("was killed before")).count(), () -> String.join("\n", next.errors()));
    }

    private static void end(final ChildProcess process)
    {
        process.terminate();
        assertEquals(0, process.awaitExit(PATIENCE), () -> String.join("\n", process.errors()));
    }

    private String config(final String endpoint, final int busyPollUs) throws IOException
    {
        return Files.writeString(directory.resolve(endpoint + "-" + busyPollUs + ".toml"), """
            [endpoint]
            name = "%s"
            device = "xdp:va"
            address = "10.9.0.1/24"
            busy-poll-us = %d
            [[peer]]
            id = 2
            address = "10.9.0.2"
            [[region]]
            name = "box"
            key = "none"
            """.formatted(endpoint, busyPollUs)).toString();
    }

    private static Path box(final String endpoint)
    {
        return RegionStore.directoryOf(CountersFile.directoryOf(endpoint)).resolve("box");
    }

    private String value(final String file)
    {
        return a.run("cat", "/sys/class/net/va/" + file).strip();
    }
}
