package org.fibnuma.bench.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.Frr;
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
class FpmCommandSystemTest
{
    @Test
    void shouldMeasureRoutesFromABgpNeighborToTheFibAndTheKernel() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.that(Frr.isInstalled(), Frr.MISSING);
        final StringWriter output = new StringWriter();
        final StringWriter errors = new StringWriter();
        assertEquals(0, new CommandLine(new BenchControlCommand())
            .setOut(new PrintWriter(output)).setErr(new PrintWriter(errors))
            .execute("--fpm", "--routes", "2000", "--json"), errors::toString);
        final JsonNode result = new ObjectMapper().readTree(output.toString());
        assertEquals(2000, result.get("routes").asInt());
        assertTrue(result.get("fibSeconds").asDouble() > 0, result::toString);
        assertTrue(result.get("kernelSeconds").asDouble() > 0, result::toString);
        assertTrue(result.get("fibSeconds").asDouble() >= result.get("announcedSeconds").asDouble(), result::toString);
        assertTrue(result.get("cpuSeconds").isObject(), result::toString);
    }
}
