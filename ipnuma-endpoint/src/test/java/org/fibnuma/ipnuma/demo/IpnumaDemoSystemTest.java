package org.fibnuma.ipnuma.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The demo with few round trips: everything but the figures. */
@Timeout(900)
class IpnumaDemoSystemTest
{
    private static final int ITERATIONS = 2000;

    @BeforeAll
    static void require()
    {
        Require.root();
        Require.program("ip", "iproute2");
    }

    @Test
    void shouldPrintWhatEachTransportDid() throws IOException
    {
        final StringWriter output = new StringWriter();
        final StringWriter errors = new StringWriter();
        assertEquals(0, new CommandLine(new IpnumaDemoCommand())
            .setOut(new PrintWriter(output)).setErr(new PrintWriter(errors))
            .execute("--json", "--iterations", Integer.toString(ITERATIONS)), errors::toString);
        final JsonNode report = new ObjectMapper().readTree(output.toString());
        final List<String> transports = new ArrayList<>();
        for (final JsonNode result : report.get("results"))
        {
            transports.add(result.get("transport").asText() + " " +
                result.get("device").asText().replaceFirst(":.*", ""));
            assertTrue(result.get("rttUs").get("p50").asDouble() > 0, result::toString);
            assertTrue(result.get("loopsPerSecond").asDouble() > 0, result::toString);
        }
        assertEquals(List.of("udp 10.8.0.1", "udp-poll 10.8.0.1", "ipnuma xdp", "ipnuma shm"), transports);
        assertEquals(2.162, report.get("thesis").get("rttUs10G").get("ipnuma").asDouble());
    }
}
