package org.fibnuma.bench.nic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@code bench pingpong} beside RDMA in a guest, whose kernel has RoCE in software. */
@Tag("slow")
class SoftRoceGuestSystemTest
{
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final int ROUNDS = Integer.getInteger("fibnuma.nic.rounds", 1);
    private static final int SECONDS = Integer.getInteger("fibnuma.nic.seconds", 2);

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void shouldMeasureRoundTripsBesideRdma() throws IOException
    {
        Require.program("ib_write_lat", "perftest");
        Require.program("modprobe", "kmod");
        try (Guest guest = Guest.boot())
        {
            guest.loadModulesOnDemand();
            // A host loads it by rdma-core's rules.
            guest.run("chroot /proc/1/root /modprobe ib_uverbs");
            final List<String> transports = List.of("xdp", "udp-poll", "udp", "rdma-write", "rdma-send");
            final GuestProcess bench = guest.startBench("pingpong", "--transports", String.join(",", transports),
                "--runs", Integer.toString(ROUNDS), "--limit-seconds", Integer.toString(SECONDS), "--json");
            final int status = bench.awaitExit(PATIENCE);
            final List<String> output = bench.output();
            assertEquals(0, status, output::toString);
            final String json = String.join("\n", output.subList(output.indexOf("{"), output.size()));
            System.out.println(json);
            final List<String> measured = new ArrayList<>();
            for (final JsonNode result : new ObjectMapper().readTree(json).get("results"))
            {
                measured.add(result.get("transport").asText());
                assertTrue(result.get("p50Us").asDouble() > 0 && result.get("loopsPerSecond").asLong() > 0, json);
            }
            assertTrue(measured.containsAll(transports), json);
        }
    }
}
