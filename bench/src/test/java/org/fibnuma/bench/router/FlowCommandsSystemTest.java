package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.binding.conntrack.Conntrack;
import org.fibnuma.binding.conntrack.ConntrackBatch;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.DocumentedJson;
import org.fibnuma.core.service.netns.ChildProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What the commands say about a masqueraded connection that the router forwards beside nftables. */
@Timeout(240)
@NamespaceTest({"ping", "nft"})
class FlowCommandsSystemTest
{
    private static final String RULES = "nft -f - <<'END'\n" +
        "table ip nat { chain post { type nat hook postrouting priority srcnat; oifname r1 masquerade; }; }\n" +
        "table inet filter { chain transit { type filter hook forward priority filter; policy drop;\n" +
        "  ct state established,related accept; iifname r0 accept; }; }\nEND";
    private static final long ALL_LABELS = -1;

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();

    @Test
    void shouldShowTraceAndVerifyAFlow() throws IOException
    {
        lab.shell(RULES);
        lab.start();
        try (UdpEcho echo = new UdpEcho(lab.left(), lab.right()))
        {
            awaitFlow();
            assertTrue(echo.isAlive());
            showsTheFlow();
            showsWhereFlowsAreForwarded();
            namesTheFlowInATrace();
            verifiesTheFlow();
            saysWhyNoFlowIsFound();
        }
    }

    private void awaitFlow()
    {
        lab.await("packets of a flow", () -> lab.ask("flows").get("flows").path(0).path("replyPackets").asLong() > 5);
    }

    private void showsTheFlow() throws IOException
    {
        final JsonNode answer = json("show", "flows");
        DocumentedJson.assertMatches("show flows", answer);
        assertTrue(answer.get("found").asBoolean(), answer::toString);
        assertEquals(1, answer.get("count").asInt(), answer::toString);
        assertTrue(answer.get("tableBytes").asLong() > answer.get("capacity").asLong() * 128, answer::toString);
        final JsonNode flow = answer.get("flows").get(0);
        assertEquals("udp 10.0.0.2 10.0.1.2", tuple(flow.get("original")));
        assertEquals("udp 10.0.1.1 10.0.1.2", tuple(flow.get("translated")));
        assertEquals("left right", flow.get("port").asText() + " " + flow.get("replyPort").asText());
        assertEquals(84 * flow.get("packets").asLong(), flow.get("bytes").asLong());
        assertEquals(
            1, json("show", "flows", "--match", "src net 10.0.0.0/24 and udp dst port 7").get("flows").size());
        assertEquals(1, json("show", "flows", "--match", "src host 10.0.1.1").get("flows").size(), "translated");
        assertEquals(0, json("show", "flows", "--match", "tcp or src host 10.0.1.2").get("flows").size());
        final List<String> text = output("show", "flows");
        assertTrue(text.stream().anyMatch(line -> line.startsWith("udp 10.0.0.2:") &&
            line.contains(" > 10.0.1.2:7 ") && line.contains("  10.0.1.1:") && line.contains("left/right")),
            text::toString);
    }

    private static String tuple(final JsonNode tuple)
    {
        return tuple.get("protocol").asText() + " " + tuple.get("source").asText() + " " +
            tuple.get("destination").asText();
    }

    private void showsWhereFlowsAreForwarded()
    {
        assertEquals("flows", lab.port(0).get("forwarding").asText());
        final JsonNode host = lab.ask("host");
        assertEquals(2, host.get("followed").asInt(), host::toString);
        host.get("restrictions").forEach(row -> assertEquals("flows", row.get("frames").asText(), row::toString));
    }

    private void namesTheFlowInATrace() throws IOException
    {
        final int number = lab.ask("flows").get("flows").get(0).get("number").asInt();
        final List<String> directions = new ArrayList<>();
        for (final JsonNode frame : json("trace", "--match", "udp", "--count", "6").get("frames"))
        {
            for (final JsonNode step : frame.get("steps"))
            {
                if (step.get("stage").asText().equals("FlowInput"))
                {
                    assertEquals(number, step.get("flow").asInt(), frame::toString);
                    assertTrue(step.get("text").asText().contains(step.get("direction").asText().equals("reply") ?
                        "destination 10.0.1.1 -> 10.0.0.2" : "source 10.0.0.2 -> 10.0.1.1"), step::toString);
                    directions.add(step.get("direction").asText());
                }
            }
        }
        assertEquals(6, directions.size());
        assertTrue(directions.contains("original") && directions.contains("reply"), directions::toString);
    }

    /** The labels are removed behind the router's back, who ignores such an event. */
    private void verifiesTheFlow() throws IOException
    {
        final JsonNode equal = lab.assertVerified();
        assertEquals(1, equal.get("flows").asInt(), equal::toString);
        assertEquals(0, equal.get("differingFlows").asInt(), equal::toString);
        try (Conntrack conntrack = NetworkNamespace.call(lab.router().namespaceFile(), Conntrack::new))
        {
            final ConntrackBatch batch = conntrack.newBatch();
            conntrack.dump(0, 0, entry ->
                batch.addLabelRemoval(entry.original(), entry.zone(), ALL_LABELS, ALL_LABELS));
            batch.send((index, errno) -> {});
        }
        final JsonNode different = lab.ask("verify");
        DocumentedJson.assertMatches("verify", different);
        assertFalse(different.get("equal").asBoolean(), different::toString);
        assertEquals(0, different.get("differingRanges").asInt());
        assertEquals(1, different.get("differingFlows").asInt());
        assertEquals("the labels of the entry are not those of the flow's interfaces",
            different.get("flowDifferences").get(0).get("difference").asText());
    }

    private void saysWhyNoFlowIsFound() throws IOException
    {
        lab.shell("nft insert rule inet filter transit limit rate 1000000/second accept");
        lab.await("a filter that keeps flows", () -> lab.ask("flows").get("keptByFilters").asInt() == 1);
        final JsonNode flows = json("show", "flows");
        DocumentedJson.assertMatches("show flows", flows);
        assertFalse(flows.get("found").asBoolean(), flows::toString);
        assertTrue(flows.get("notFound").asText().contains("show host"), flows::toString);
        assertEquals(1, flows.get("ended").asInt(), flows::toString);
        final JsonNode host = json("show", "host");
        DocumentedJson.assertMatches("show host", host);
        int kept = 0;
        for (final JsonNode row : host.get("restrictions"))
        {
            if (row.get("frames").asText().equals("left-to-kernel"))
            {
                assertEquals("it judges each packet of a connection", row.get("reason").asText());
                kept++;
            }
        }
        assertEquals(1, kept, host::toString);
        assertEquals("kernel", lab.port(0).get("forwarding").asText());
    }

    private JsonNode json(final String command, final String... options) throws IOException
    {
        final List<String> all = new ArrayList<>(List.of(options));
        all.add("--json");
        return new ObjectMapper().readTree(String.join("\n", output(command, all.toArray(String[]::new))));
    }

    private List<String> output(final String command, final String... options)
    {
        // The name of the router follows the topic of show.
        final List<String> line = new ArrayList<>(List.of(lab.command(command, options)));
        final int name = line.indexOf("--name");
        line.add(line.remove(name));
        line.add(line.remove(name));
        final ChildProcess process = ChildProcess.start(line.toArray(String[]::new));
        assertEquals(0, process.awaitExit(RouterLifeLab.PATIENCE), () -> process.errors().toString());
        return process.output();
    }
}
