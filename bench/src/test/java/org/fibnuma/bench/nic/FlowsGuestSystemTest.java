package org.fibnuma.bench.nic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@code bench flows} in a guest, whose kernel has flowtables. */
@Tag("slow")
class FlowsGuestSystemTest
{
    private static final Duration PATIENCE = Duration.ofMinutes(25);
    private static final int ROUNDS = Integer.getInteger("fibnuma.nic.rounds", 1);
    private static final int SECONDS = Integer.getInteger("fibnuma.nic.seconds", 2);

    /** The command fails if a connection is not in the flowtable. */
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldMeasureTheFlowtableOfTheKernel() throws IOException
    {
        Require.program("nft", "nftables");
        Require.program("conntrack", "conntrack");
        Require.program("modprobe", "kmod");
        try (Guest guest = Guest.boot())
        {
            guest.loadModulesOnDemand();
            final GuestProcess bench = guest.startBench("flows", "--flows", "1000",
                "--rounds", Integer.toString(ROUNDS), "--seconds", Integer.toString(SECONDS), "--json");
            final int status = bench.awaitExit(PATIENCE);
            final List<String> output = bench.output();
            assertEquals(0, status, output::toString);
            final String json = String.join("\n", output.subList(output.indexOf("{"), output.size()));
            System.out.println(json);
            final JsonNode result = new ObjectMapper().readTree(json);
            assertTrue(result.path("flowtableMpps").asDouble() > 0, output::toString);
            assertTrue(result.path("ratioToFlowtable").asDouble() > 0, output::toString);
        }
    }
}
