package org.fibnuma.bench.veth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class VethCommandSystemTest
{
    @Test
    void shouldMeasureEveryContestantThatIsThere() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        final StringWriter output = new StringWriter();
        final StringWriter errors = new StringWriter();
        final int status = new CommandLine(new VethCommand())
            .setOut(new PrintWriter(output)).setErr(new PrintWriter(errors))
            .execute("--rounds", "1", "--seconds", "1", "--json");
        assertEquals(0, status, errors::toString);
        final JsonNode result = new ObjectMapper().readTree(output.toString());
        assertTrue(result.get("mpps").asDouble() > 0, result::toString);
        assertTrue(result.get("kernelMpps").asDouble() > 0, result::toString);
        assertEquals(1, result.get("rounds").get("fibnuma").get("xdp").size());
        assertTrue(result.get("sinks").get("kernel").get("mpps").asDouble() > 0, result::toString);
        final boolean peer = new TestpmdContestant(0).missing() == null;
        assertEquals(peer, result.get("peerMpps").asDouble() > 0, result::toString);
        assertEquals(peer, result.get("ratio").asDouble() > 0, result::toString);
        assertEquals(!peer, errors.toString().contains("left out: testpmd"), errors::toString);
    }
}
