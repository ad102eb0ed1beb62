package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.binding.pcap.PcapFilterCompiler;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine.Option;

import java.io.IOException;

/** Prints the flows of a router, which are requested in parts. */
final class ShowFlows extends ShowCommand.Query
{
    private static final String FLOWS = "flows";
    private static final String NEXT = "next";
    private static final String TRANSLATED = "translated";

    @Option(
        names = "--limit", defaultValue = "100", paramLabel = "N",
        description = "Print at most N flows (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--all", description = "Print all flows.")
    private boolean all;

    @Option(
        names = "--match", paramLabel = "EXPRESSION",
        description = "Only flows whose initiator sends packets that match an expression of pcap-filter(7), before " +
            "or after translation: addresses, networks, protocol, ports, type and code of ICMP. Other fields of the " +
            "packet are 0. Needs libpcap (apt-get install libpcap0.8).")
    private String match;

    @Override
    JsonNode answer(final ControlClient client) throws IOException
    {
        final String filter = match == null ? null : PcapFilterCompiler.compile(match).toString();
        final int wanted = all ? Integer.MAX_VALUE : limit;
        final ObjectNode first = (ObjectNode)client.ask(request(filter, wanted));
        final ArrayNode flows = (ArrayNode)first.get(FLOWS);
        JsonNode answer = first;
        while (answer.has(NEXT) && flows.size() < wanted)
        {
            answer = client.ask(request(filter, wanted - flows.size()).put("first", answer.get(NEXT).asInt()));
            flows.addAll((ArrayNode)answer.get(FLOWS));
        }
        first.remove(NEXT);
        return first;
    }

    private ObjectNode request(final String filter, final int most)
    {
        final ObjectNode request = ControlProtocol.request(FLOWS).put("limit", most);
        return filter == null ? request : request.put("filter", filter);
    }

    @Override
    void printText(final JsonNode answer)
    {
        super.printText(tables(answer));
    }

    /** Returns the answer with an array {@code flows} of few columns. */
    static ObjectNode tables(final JsonNode answer)
    {
        final ObjectNode tables = answer.deepCopy();
        final ArrayNode rows = tables.putArray(FLOWS);
        for (final JsonNode flow : answer.get(FLOWS))
        {
            rows.addObject()
                .put("flow", flow.path("original").path("protocol").asText() + " " + tuple(flow.get("original")))
                .put(TRANSLATED, flow.has(TRANSLATED) ? tuple(flow.get(TRANSLATED)) : null)
                .put("ports", flow.path("port").asText() + "/" + flow.path("replyPort").asText())
                .put("packets", numbers(flow, "packets", "replyPackets"))
                .put("bytes", numbers(flow, "bytes", "replyBytes"))
                .put("age", flow.path("ageSeconds").asText() + "s")
                .put("refreshed", flow.path("refreshedSeconds").asText() + "s");
        }
        return tables;
    }

    private static String tuple(final JsonNode tuple)
    {
        final String source = tuple.path("source").asText();
        final String destination = tuple.path("destination").asText();
        return tuple.has("identifier") ? source + " > " + destination + " id " + tuple.get("identifier").asText() :
            withPort(source, tuple.path("sourcePort")) + " > " + withPort(destination, tuple.path("destinationPort"));
    }

    private static String withPort(final String address, final JsonNode port)
    {
        return (address.contains(":") ? "[" + address + "]" : address) + ":" + port.asText();
    }

    private static String numbers(final JsonNode flow, final String name, final String replyName)
    {
        return TopScreen.number(flow.path(name)) + "/" + TopScreen.number(flow.path(replyName));
    }
}
