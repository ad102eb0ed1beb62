package org.fibnuma.bench.memcached;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.bench.lab.Routers;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MemcachedComparisonTest
{
    private static final ObjectMapper JSON = new ObjectMapper();

    private final MemcachedComparison comparison = new MemcachedComparison();

    private void add(final String server, final Routers routers, final long getNs)
    {
        final ObjectNode figures = JSON.createObjectNode().put("bytes", 16);
        for (final String command : new String[] {"set", "get", "add"})
        {
            figures.put(command + "BestNs", getNs).put(command + "MedianNs", getNs);
        }
        comparison.add(
            new MemcachedRun(server, MemcachedRun.UDP_VETH, null, new String[0], false, List.of()), routers, figures);
    }

    @Test
    void shouldCompareWithUdpThroughAsManyRoutersOfTheKernel()
    {
        final Routers kernel = new Routers(1, Routers.Kind.KERNEL);
        final Routers fibnuma = new Routers(1, Routers.Kind.FIBNUMA);
        add(MemcachedRun.UDP_VETH, Routers.NONE, 10_000);
        add(MemcachedRun.XDP, Routers.NONE, 4000);
        add(MemcachedRun.UDP_VETH, kernel, 12_000);
        add(MemcachedRun.UDP_VETH, fibnuma, 16_000);
        add(MemcachedRun.XDP, fibnuma, 8000);
        add(MemcachedRun.XDP, new Routers(4, Routers.Kind.FIBNUMA), 9000);

        final JsonNode results = JSON.valueToTree(comparison.toMap()).get("results");

        assertFalse(results.get(0).has("getTimesFasterThanUdp"));
        assertEquals(2.5, results.get(1).get("getTimesFasterThanUdp").asDouble());
        assertFalse(results.get(2).has("getTimesFasterThanUdp"));
        assertEquals(0.75, results.get(3).get("getTimesFasterThanUdp").asDouble());
        assertEquals(1.5, results.get(4).get("getTimesFasterThanUdp").asDouble());
        assertFalse(results.get(5).has("getTimesFasterThanUdp"));
        assertTrue(results.get(1).get("router").isNull());
        assertEquals("kernel", results.get(2).get("router").asText());
        assertEquals(4, results.get(5).get("routers").asInt());
        final StringWriter text = new StringWriter();
        comparison.printThesis(new PrintWriter(text, true));
        assertTrue(text.toString().contains(
            "rack, IP-NUMA and FIBNIC, estimated (6.6)       16       13,627        8,000       432       150"),
            text.toString());
    }

    /** Tables 6.7 and 6.8, 16 and 512 bytes of IP-NUMA and FIBNIC. */
    @Test
    void shouldHaveTimesWithThePercentagesOfTheThesis()
    {
        assertEquals("432 275", percentages("rack, IP-NUMA and FIBNIC, estimated (6.6)"));
        assertEquals("400 290", percentages("racks, IP-NUMA and FIBNIC, estimated (6.6)"));
        assertEquals("141 134", percentages("racks, sockets and FIBNIC, estimated (6.6)"));
        assertEquals("185 167", percentages("racks, IP-NUMA and switch, estimated (6.6)"));
    }

    private static String percentages(final String name)
    {
        final ThesisTimes row =
            ThesisTimes.ROWS.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
        return MemcachedComparison.percent(row.peer().getNs().get(0), row.getNs().get(0)) + " " +
            MemcachedComparison.percent(row.peer().getNs().get(5), row.getNs().get(5));
    }

    @Test
    void shouldRefuseWhatItCannotMeasure()
    {
        CommandRun.bench("memcached", "--routers", "1,17").assertRefused(2, "--routers must be 0 to 16");
        CommandRun.bench("memcached", "--router", "l3fwd").assertRefused(2, "--router must be of kernel, fibnuma");
    }
}
