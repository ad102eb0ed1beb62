package org.fibnuma.bench.changes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(300)
class ChangesCommandSystemTest
{
    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @Test
    void shouldMeasureEveryKindOfChangeOfBothFamilies() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        assertEquals(0, execute("--changes", "5", "--json"), errors::toString);
        final JsonNode ipv4 = new ObjectMapper().readTree(output.toString());
        assertEquals(5, ipv4.get("changes").asInt());
        assertTrue(ipv4.has("machine"));
        assertMeasured(ipv4);
        assertMeasured(ipv4.get("ipv6"));
    }

    @Test
    void shouldRefuseToMeasureNothing()
    {
        assertEquals(2, execute("--changes", "0"));
        assertTrue(errors.toString().contains("--changes must be 1 or more"), errors::toString);
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

    private int execute(final String... arguments)
    {
        return new CommandLine(new ChangesCommand())
            .setOut(new PrintWriter(output)).setErr(new PrintWriter(errors)).execute(arguments);
    }
}
