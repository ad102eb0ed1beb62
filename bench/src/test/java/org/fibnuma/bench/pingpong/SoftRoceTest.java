package org.fibnuma.bench.pingpong;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.UserException;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class SoftRoceTest
{
    /** What ib_write_lat 4.5 prints. */
    private static final List<String> OUTPUT = List.of(
        " Mtu             : 1024[B]",
        " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   " +
            "99% percentile[usec]   99.9% percentile[usec] ",
        " 4       1000          118.10         5017.89      432.57   \t       500.00      \t510.18 \t\t2847.78 " +
            "\t\t5017.89");

    @Test
    void shouldReadHalvesOfRoundTrips()
    {
        final JsonNode result = SoftRoce.parse(OUTPUT, 4);

        assertEquals(1000, result.get("iterations").asLong());
        assertEquals(1000, result.get("loopsPerSecond").asDouble());
        assertEquals(865.14, result.get("rttUs").get("p50").asDouble());
        assertEquals(10035.78, result.get("rttUs").get("p999").asDouble());
    }

    @Test
    void shouldRefuseOutputWithoutARow()
    {
        assertThrows(UserException.class, () -> SoftRoce.parse(OUTPUT, 8));
    }
}
