package org.fibnuma.bench.changes;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.bench.lab.NamespaceTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(300)
@NamespaceTest
class ChangesCommandSystemTest
{
    @Test
    void shouldMeasureEveryKindOfChangeOfBothFamilies()
    {
        final JsonNode ipv4 = execute("--changes", "5", "--json").json();

        assertEquals(5, ipv4.get("changes").asInt());
        assertTrue(ipv4.has("machine"));
        assertMeasured(ipv4);
        assertMeasured(ipv4.get("ipv6"));
    }

    @Test
    void shouldRefuseToMeasureNothing()
    {
        execute("--changes", "0").assertRefused(2, "--changes must be 1 or more");
    }

    private static void assertMeasured(final JsonNode family)
    {
        for (final String kind : new String[]{ "route", "address", "neighbor", "carrier" })
        {
            final JsonNode times = family.get(kind);
            assertTrue(times.get("medianUs").asLong() > 0, times::toString);
            assertTrue(times.get("longestUs").asLong() >= times.get("firstUs").asLong(), times::toString);
            assertTrue(times.get("p99Us").asLong() >= times.get("medianUs").asLong(), times::toString);
            assertTrue(times.get("longestUs").asLong() >= times.get("p99Us").asLong(), times::toString);
        }
    }

    private static CommandRun execute(final String... arguments)
    {
        return CommandRun.of(new CommandLine(new ChangesCommand()), arguments);
    }
}
