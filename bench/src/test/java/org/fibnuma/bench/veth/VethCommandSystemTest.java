package org.fibnuma.bench.veth;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.bench.lab.NamespaceTest;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@NamespaceTest
class VethCommandSystemTest
{
    @Test
    void shouldMeasureEveryContestantThatIsThere()
    {
        final CommandRun run =
            CommandRun.of(new CommandLine(new VethCommand()), "--rounds", "1", "--seconds", "1", "--json");

        final JsonNode result = run.json();
        assertTrue(result.get("mpps").asDouble() > 0, result::toString);
        assertTrue(result.get("kernelMpps").asDouble() > 0, result::toString);
        assertEquals(1, result.get("rounds").get("fibnuma").get("xdp").size());
        assertTrue(result.get("sinks").get("kernel").get("mpps").asDouble() > 0, result::toString);
        final boolean peer = new TestpmdContestant(0).missing() == null;
        assertEquals(peer, result.get("peerMpps").asDouble() > 0, result::toString);
        assertEquals(peer, result.get("ratio").asDouble() > 0, result::toString);
        assertEquals(!peer, run.errors().contains("left out: testpmd"), run::errors);
    }
}
