package org.fibnuma.fibnic.demo;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.counter.CountersFile;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The demo without root: the whole router in memory. */
class DemoCommandTest
{
    @Test
    void shouldRemoveWhatKilledDemosLeft() throws IOException
    {
        // Above the kernel's limit of process numbers (2^22): nobody has it.
        final Path abandoned = CountersFile.directoryOf("demo-99999999");
        Files.createDirectories(abandoned);
        Files.write(abandoned.resolve("lock"), new byte[0]);
        Files.write(abandoned.resolve("counters"), new byte[100]);
        final Path other = CountersFile.directoryOf("demo-" + ProcessHandle.current().pid());
        try (CountersFile living = CountersFile.create(other, 10))
        {
            AbandonedDemos.remove();
            assertFalse(Files.exists(abandoned));
            assertTrue(Files.exists(living.file()));
        }
    }

    @Test
    void shouldRunInMemory() throws IOException
    {
        final DemoRun run = DemoRun.of("--memory", "--seconds", "1", "--routes", "20000", "--json");
        assertEquals(0, run.status(), run.errors());
        final JsonNode result = run.json();
        assertEquals("memory", result.get("mode").asText());
        assertEquals(20_000, result.get("routes").asInt());
        assertEquals(result.get("pingsSent").asLong(), result.get("pingsReceived").asLong());
        assertTrue(result.get("pingsSent").asLong() > 1000);
        assertTrue(result.get("forwardedPackets").asLong() > result.get("pingsSent").asLong());
        assertTrue(result.get("latencyUs").get("p50").asDouble() > 0);
        assertTrue(result.get("latencyUs").get("p999").asDouble() >= result.get("latencyUs").get("p50").asDouble());
        assertEquals(2, result.get("trace").size());
        assertEquals("10.0.0.1", result.get("trace").get(0).get("address").asText());
        assertEquals(5, result.get("drops").get("ipv4-ttl-expired").asInt());
        assertTrue(result.get("fateBalanced").asBoolean());
        assertTrue(run.errors().contains("in memory, not on network interfaces"), run.errors());
    }

    @Test
    void shouldRefuseWhatMakesNoSense()
    {
        assertEquals(2, DemoRun.of("--seconds", "0").status());
        assertEquals(2, DemoRun.of("--routes", "7").status());
        assertEquals(2, DemoRun.of("--nonsense").status());
    }
}
