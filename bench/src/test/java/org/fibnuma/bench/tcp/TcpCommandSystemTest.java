package org.fibnuma.bench.tcp;

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

class TcpCommandSystemTest
{
    @Test
    void shouldMeasureRouterAndKernelAndSayWhichMtuIsRefused() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("iperf3", "iperf3");
        final StringWriter output = new StringWriter();
        final StringWriter errors = new StringWriter();
        final int status = new CommandLine(new TcpCommand())
            .setOut(new PrintWriter(output)).setErr(new PrintWriter(errors))
            .execute("--rounds", "1", "--seconds", "1", "--mtu", "1500,9000", "--json");
        assertEquals(0, status, errors::toString);
        final JsonNode mtus = new ObjectMapper().readTree(output.toString()).get("mtus");
        final JsonNode ordinary = mtus.get(0);
        assertEquals(1500, ordinary.get("mtu").asInt());
        assertTrue(ordinary.get("gigabits").asDouble() > 0, ordinary::toString);
        assertTrue(ordinary.get("kernelGigabits").asDouble() > 0, ordinary::toString);
        assertTrue(ordinary.get("ratio").asDouble() > 0, ordinary::toString);
        assertTrue(ordinary.get("leftOut").isNull(), ordinary::toString);
        final JsonNode jumbo = mtus.get(1);
        assertTrue(jumbo.get("gigabits").isNull(), jumbo::toString);
        assertTrue(jumbo.get("kernelGigabits").asDouble() > 0, jumbo::toString);
        assertTrue(jumbo.get("leftOut").asText().contains("MTU of 9000 does not fit"), jumbo::toString);
    }
}
