package org.fibnuma.bench.tcp;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.bench.lab.NamespaceTest;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@NamespaceTest("iperf3")
class TcpCommandSystemTest
{
    @Test
    void shouldMeasureRouterAndKernelAndSayWhichMtuIsRefused()
    {
        final JsonNode mtus = CommandRun.of(new CommandLine(new TcpCommand()),
            "--rounds", "1", "--seconds", "1", "--mtu", "1500,9000", "--json").json().get("mtus");

        final JsonNode ordinary = mtus.get(0);
        assertEquals(1500, ordinary.get("mtu").asInt());
        assertTrue(ordinary.get("gigabits").asDouble() > 0, ordinary::toString);
        assertEquals(ordinary.get("gigabits").asDouble() / ordinary.get("kernelGigabits").asDouble(),
            ordinary.get("ratio").asDouble(), 0.02, ordinary::toString);
        assertTrue(ordinary.get("leftOut").isNull(), ordinary::toString);
        final JsonNode jumbo = mtus.get(1);
        assertTrue(jumbo.get("gigabits").isNull(), jumbo::toString);
        assertTrue(jumbo.get("kernelGigabits").asDouble() > 0, jumbo::toString);
        assertTrue(jumbo.get("leftOut").asText().contains("MTU of 9000 does not fit"), jumbo::toString);
    }
}
