package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.DocumentedJson;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.fibnic.flows.FlowRefusal;
import org.fibnuma.fibnic.flows.FlowStatus;
import org.fibnuma.fibnic.flows.FlowView;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Flows as {@code show flows} reports them, in parts and by filters that tcpdump has compiled. */
class FlowsReportTest
{
    private static final FlowStatus FOUND = new FlowStatus(
        true, "", 5, 65_536, 4096, 7, 2, Map.of(FlowRefusal.HELPER, 3L, FlowRefusal.NAT_CLASH, 1L));
    /** src net 10.0.0.0/8 and tcp. */
    private static final String TCP_OF_NETWORK = "40 0 0 12,21 0 6 2048,32 0 0 26,84 0 0 4278190080," +
        "21 0 3 167772160,48 0 0 23,21 0 1 6,6 0 0 262144,6 0 0 0";
    /** host 198.51.100.9. */
    private static final String HOST = "40 0 0 12,21 0 4 2048,32 0 0 26,21 8 0 3325256713,32 0 0 30," +
        "21 6 7 3325256713,21 1 0 2054,21 0 5 32821,32 0 0 28,21 2 0 3325256713,32 0 0 38,21 0 1 3325256713," +
        "6 0 0 262144,6 0 0 0";
    /** ip6 and dst port 53. */
    private static final String IPV6_PORT = "40 0 0 12,21 0 7 34525,48 0 0 20,21 2 0 132,21 1 0 6,21 0 3 17," +
        "40 0 0 56,21 0 1 53,6 0 0 262144,6 0 0 0";
    /** icmp[4:2] = 7. */
    private static final String ICMP_IDENTIFIER = "40 0 0 12,21 0 8 2048,48 0 0 23,21 0 6 1,40 0 0 20,69 4 0 8191," +
        "177 0 0 14,72 0 0 18,21 0 1 7,6 0 0 262144,6 0 0 0";
    private static final HostRestriction FILTER = new HostRestriction(
        HostRestriction.Kind.NETFILTER_PACKET, "table ip f, chain c: limit in rule 1", "nft list ruleset");

    /** Masqueraded by 198.51.100.9. */
    private static final FlowView TCP = view(
        3, tuple(IpProtocol.TCP, "10.1.2.3", 40_000, "192.0.2.1", 443),
        tuple(IpProtocol.TCP, "192.0.2.1", 443, "198.51.100.9", 1024));
    private static final FlowView PLAIN = plain(4, tuple(IpProtocol.TCP, "192.0.2.1", 5, "10.1.2.3", 6));
    private static final FlowView UDP = plain(6, tuple(IpProtocol.UDP, "10.1.2.3", 5, "192.0.2.1", 6));
    private static final FlowView IPV6 = plain(7, tuple(IpProtocol.UDP, "2001:db8::1", 9, "2001:db8::2", 53));
    private static final FlowView ECHO = plain(9, tuple(IpProtocol.ICMP, "10.1.2.3", 7, "192.0.2.1", 8 << 8));

    private final List<FlowView> views = new ArrayList<>(List.of(TCP, PLAIN, UDP, IPV6, ECHO));

    @Test
    void shouldReportBothTuplesPortsAndCounts()
    {
        final ObjectNode answer = report(FOUND).answer(null, FlowsReport.FIRST, 1);
        assertEquals("{\"number\":3," +
            "\"original\":{\"protocol\":\"tcp\",\"source\":\"10.1.2.3\",\"destination\":\"192.0.2.1\"," +
            "\"sourcePort\":40000,\"destinationPort\":443},\"translated\":{\"protocol\":\"tcp\"," +
            "\"source\":\"198.51.100.9\",\"destination\":\"192.0.2.1\",\"sourcePort\":1024,\"destinationPort\":443}," +
            "\"port\":\"p0\",\"replyPort\":\"p1\",\"packets\":11,\"bytes\":12,\"replyPackets\":13,\"replyBytes\":14," +
            "\"ageSeconds\":15,\"refreshedSeconds\":16}", answer.get("flows").get(0).toString());
        assertEquals(1, answer.get("flows").size());
        assertEquals(4, answer.get("next").asInt());
    }

    @Test
    void shouldReportNumbersAndRefusals() throws Exception
    {
        final ObjectNode answer = report(FOUND).answer(null, FlowsReport.FIRST, 100);
        assertTrue(answer.get("found").asBoolean());
        assertEquals(1, answer.get("keptByFilters").asInt());
        assertEquals(4, answer.get("refused").asInt());
        assertEquals("[{\"reason\":\"helper\",\"connections\":3," +
            "\"meaning\":\"a helper of conntrack reads the packets\"},{\"reason\":\"nat-clash\",\"connections\":1," +
            "\"meaning\":\"address translation clashed with another connection\"}]",
            answer.get("refusals").toString());
        assertFalse(answer.has("next"));
        DocumentedJson.assertMatches("show flows", answer);
    }

    @Test
    void shouldSayWhyNoFlowsAreFound() throws Exception
    {
        views.clear();
        final ObjectNode answer = report(FlowStatus.NONE).answer(null, FlowsReport.FIRST, 100);
        assertFalse(answer.get("found").asBoolean());
        assertEquals(FlowStatus.NONE.obstacle(), answer.get("notFound").asText());
        DocumentedJson.assertMatches("show flows", answer);
    }

    @Test
    void shouldSayThatRestrictionsKeepAllPackets()
    {
        final ObjectNode answer = report(FOUND, false).answer(null, FlowsReport.FIRST, 100);
        assertFalse(answer.get("found").asBoolean());
        assertEquals("restrictions of the host leave all packets to the kernel; fibnuma show host lists them",
            answer.get("notFound").asText());
        assertEquals(5, answer.get("count").asInt());
    }

    @Test
    void shouldSelectByThePacketsOfTheInitiator()
    {
        assertEquals(List.of(TCP), matching(TCP_OF_NETWORK));
        assertEquals(List.of(TCP), matching(HOST), "the translated source");
        assertEquals(List.of(IPV6), matching(IPV6_PORT));
        assertEquals(List.of(ECHO), matching(ICMP_IDENTIFIER));
    }

    @Test
    void shouldReportManyFlowsInParts()
    {
        views.clear();
        final int count = 2 * FlowsReport.MAX_FLOWS + 1;
        for (int flow = 1; flow <= count; flow++)
        {
            views.add(plain(3 * flow, flow % 2 == 0 ? UDP.original() : TCP.original()));
        }
        final FilterProgram filter = FilterProgram.parse(TCP_OF_NETWORK);
        int found = 0;
        int parts = 0;
        JsonNode answer = report(FOUND).answer(filter, FlowsReport.FIRST, count);
        found += answer.get("flows").size();
        while (answer.has("next"))
        {
            answer = report(FOUND).answer(filter, answer.get("next").asInt(), count);
            found += answer.get("flows").size();
            parts++;
        }
        assertEquals(FlowsReport.MAX_FLOWS + 1, found);
        assertEquals(2, parts);
    }

    private List<FlowView> matching(final String program)
    {
        final JsonNode flows =
            report(FOUND).answer(FilterProgram.parse(program), FlowsReport.FIRST, Integer.MAX_VALUE).get("flows");
        final List<JsonNode> originals = new ArrayList<>();
        flows.forEach(flow -> originals.add(flow.get("original")));
        return views.stream().filter(view -> originals.contains(report(FOUND).answer(
            null, view.number(), 1).get("flows").get(0).get("original"))).toList();
    }

    private FlowsReport report(final FlowStatus status)
    {
        return report(status, true);
    }

    private FlowsReport report(final FlowStatus status, final boolean isForwarded)
    {
        return new FlowsReport(
            () -> status,
            (first, most) -> views.stream().filter(view -> view.number() >= first).limit(most).toList(),
            () -> new FollowedRestrictions(List.of(), List.of(), List.of(FILTER)), () -> isForwarded,
            number -> "p" + number);
    }

    private static FlowView plain(final int number, final FlowTuple original)
    {
        return view(number, original, original.inverse());
    }

    private static FlowView view(final int number, final FlowTuple original, final FlowTuple reply)
    {
        return new FlowView(number, 1, original, reply, 0, 1, 11, 12, 13, 14, 15_999, 16_000);
    }

    private static FlowTuple tuple(
        final int protocol, final String source, final int sourcePort, final String destination,
        final int destinationPort)
    {
        final IpAddress from = IpAddress.parse(source);
        final IpAddress to = IpAddress.parse(destination);
        return new FlowTuple(from.high(), from.low(), to.high(), to.low(), protocol, sourcePort, destinationPort);
    }
}
