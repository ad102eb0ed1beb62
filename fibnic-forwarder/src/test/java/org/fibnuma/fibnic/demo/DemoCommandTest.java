package org.fibnuma.fibnic.demo;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.DocumentedJson;
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
        final DemoRun run = DemoRun.of(
            "--memory", "--seconds", "1", "--routes", "20000", "--ipv6-routes", "5000", "--json");
        assertEquals(0, run.status(), run.errors());
        final JsonNode result = run.json();
        assertEquals("memory", result.get("mode").asText());
        DemoRun.assertFamily(result, 20_000, "10.0.0.1");
        DemoRun.assertFamily(result.get("ipv6"), 5000, "2001:db8::1");
        assertTrue(result.get("mixed").get("floodPackets").asLong() > 0);
        assertTrue(result.get("forwardedPackets").asLong() >
            result.get("pingsSent").asLong() + result.get("ipv6").get("pingsSent").asLong());
        assertEquals(5, result.get("drops").get("ipv4-ttl-expired").asInt());
        assertEquals(5, result.get("drops").get("ipv6-hop-limit").asInt());
        assertTrue(result.get("fateBalanced").asBoolean());
        DocumentedJson.assertMatches("demo", result);
        assertTrue(run.errors().contains("in memory, not on network interfaces"), run.errors());
    }

    @Test
    void shouldRefuseWhatMakesNoSense()
    {
        assertEquals(2, DemoRun.of("--seconds", "0").status());
        assertEquals(2, DemoRun.of("--routes", "7").status());
        assertEquals(2, DemoRun.of("--ipv6-routes", "7").status());
        assertEquals(2, DemoRun.of("--nonsense").status());
    }
}
