package org.fibnuma.bench.control;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.bench.lab.Frr;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(300)
@NamespaceTest
class FpmCommandSystemTest
{
    @Test
    void shouldMeasureRoutesFromABgpNeighborToTheFibAndTheKernel()
    {
        Require.that(Frr.isInstalled(), Frr.MISSING);

        final JsonNode result =
            CommandRun.of(new CommandLine(new BenchControlCommand()), "--fpm", "--routes", "2000", "--json").json();

        assertEquals(2000, result.get("routes").asInt());
        assertTrue(result.get("kernelSeconds").asDouble() > 0, result::toString);
        assertTrue(result.get("fibSeconds").asDouble() > 0, result::toString);
        assertTrue(result.get("fibSeconds").asDouble() >= result.get("announcedSeconds").asDouble(), result::toString);
        assertTrue(result.get("cpuSeconds").isObject(), result::toString);
    }
}
