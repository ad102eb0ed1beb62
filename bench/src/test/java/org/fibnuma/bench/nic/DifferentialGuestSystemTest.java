package org.fibnuma.bench.nic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The differential test beside the kernel of a guest, which has VLANs: one of the links is a VLAN of a port. */
@Tag("slow")
class DifferentialGuestSystemTest
{
    private static final Duration PATIENCE = Duration.ofMinutes(25);

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldForwardAsTheKernelDoesWithVlans() throws IOException
    {
        Require.program("nft", "nftables");
        Require.program("modprobe", "kmod");
        try (Guest guest = Guest.boot())
        {
            guest.loadModulesOnDemand();
            guest.run("[ -e /proc/net/vlan ]");
            final GuestProcess bench =
                guest.startBench("differential", "--seed", "1", "--minutes", "5", "--shrink-seconds", "0", "--json");
            final int status = bench.awaitExit(PATIENCE);
            final String output = String.join("\n", bench.output());
            assertEquals(0, status, output);
            final JsonNode result = new ObjectMapper().readTree(output.substring(output.lastIndexOf("{\n")));
            assertTrue(result.path("hosts").asInt() > 0, output);
            assertTrue(result.path("packets").asInt() > 0, output);
        }
    }
}
