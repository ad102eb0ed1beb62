package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip;
import static org.fibnuma.bench.system.Frames.ip6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_A;
import static org.fibnuma.bench.system.RouterLab.BEYOND_A6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_C;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A router with an access list for what comes from host a and one for what leaves to host b. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessListSystemTest
{
    private static final String LISTS = """
        [[acl]]
        name = "from-left"
        default = "permit"
        rule = [
          { action = "permit", source = "10.0.0.99/32" },
          { action = "deny", protocol = "udp", destination-port = "1000" },
          { action = "prohibit", protocol = "tcp", destination-port = "23" },
          { action = "deny", protocol = "tcp", tcp-flags = "syn,!ack" },
          { action = "deny", destination = "198.51.100.7/32", fragments = "later" },
          { action = "count", protocol = "icmp", icmp-type = 8 },
          { action = "deny", dscp = 8 }]
        [[acl]]
        name = "to-right"
        default = "permit"
        rule = [
          { action = "deny", protocol = "udp", destination-port = "2000" },
          { action = "prohibit", protocol = "udp", destination-port = "2001-2002" }]
        """;
    private static final String A = "10.0.0.2";
    private static final String IP = ip(A, BEYOND_B + "1", "");
    private static final String IP6 = ip6(RouterLab.A6, BEYOND_B6 + "1", "");

    @AutoClose
    private RouterLab lab;

    @BeforeAll
    void startTheRouter()
    {
        lab = RouterLab.open("acl");
        lab.startRouter("", LISTS, Map.of("left", "acl-in = \"from-left\"", "right", "acl-out = \"to-right\""));
    }

    private Observation fromA(final String... frames)
    {
        return Observation.of(lab, lab.a(), frames);
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 2000})
    void shouldDenySilently(final int port)
    {
        final Observation seen = fromA(
            IP + "/UDP(sport=1, dport=" + port + ")/b'x'", IP6 + "/UDP(sport=1, dport=" + port + ")/b'x'",
            ip(A, BEYOND_B + "1", "options=IPOption(b'\\x01\\x01\\x01\\x00')") +
            "/UDP(sport=1, dport=" + port + ")/b'x'");
        seen.assertSilence();
        seen.assertDropped("access-denied");
    }

    @Test
    void shouldForwardWhatNoRuleDenies()
    {
        final Observation seen = fromA(
            IP + "/UDP(sport=1, dport=1001)/b'x'", IP6 + "/UDP(sport=1, dport=1001)/b'x'",
            IP + "/TCP(sport=1, dport=80, flags='SA')", IP6 + "/TCP(sport=1, dport=80, flags='A')");
        assertEquals(4, seen.atB().size());
        seen.assertForwarded();
    }

    /** RFC 1812 section 5.2.7.1, code 13, quoting the packet. */
    @ParameterizedTest
    @CsvSource({"'TCP(sport=5, dport=23)'", "'UDP(sport=5, dport=2001)'", "'UDP(sport=5, dport=2002)'"})
    void shouldTellTheSenderOverIpv4(final String transport)
    {
        final Observation seen = fromA(IP + "/" + transport);
        seen.onlyErrorAtA(3, 13);
        seen.assertDropped("access-prohibited");
    }

    /** RFC 4443 section 3.1, code 1. */
    @ParameterizedTest
    @CsvSource({"'TCP(sport=5, dport=23)'", "'UDP(sport=5, dport=2001)'"})
    void shouldTellTheSenderOverIpv6(final String transport)
    {
        final Observation seen = fromA(IP6 + "/" + transport);
        seen.onlyIcmpv6AtA(1, 1);
        seen.assertDropped("access-prohibited");
    }

    /** A connection from a is refused, an answer of a is not. */
    @Test
    void shouldMatchTcpFlags()
    {
        fromA(IP + "/TCP(sport=5, dport=80, flags='S')", IP6 + "/TCP(sport=5, dport=80, flags='SE')")
            .assertDropped("access-denied");
        fromA(IP + "/TCP(sport=80, dport=5, flags='SA')").assertForwarded();
    }

    /** Later fragments have no ports: the rule of port 1000 does not match them, the one for fragments does. */
    @Test
    void shouldMatchFragments()
    {
        final String fragment = "TO_ROUTER/IP(src='10.0.0.2', dst='%s', flags='%s', frag=%d, id=77, proto=17)/%s";
        final String header = "UDP(sport=9, dport=1000, len=40, chksum=0)/(b'1' * 16)";
        fromA(String.format(fragment, BEYOND_B + "1", "MF", 0, header)).assertDropped("access-denied");
        fromA(String.format(fragment, BEYOND_B + "1", "", 3, "(b'2' * 16)")).assertForwarded();
        fromA(String.format(fragment, BEYOND_B + "7", "", 3, "(b'2' * 16)")).assertDropped("access-denied");
        fromA(IP6 + "/IPv6ExtHdrFragment(m=1, id=5)/UDP(sport=9, dport=1000, len=40, chksum=1)/(b'1' * 16)")
            .assertDropped("access-denied");
        fromA(IP6 + "/IPv6ExtHdrFragment(m=0, offset=3, id=5, nh=17)/(b'2' * 16)").assertForwarded();
    }

    @Test
    void shouldMatchDscp()
    {
        fromA(ip(A, BEYOND_B + "1", "tos=0x21") + UDP, ip6(RouterLab.A6, BEYOND_B6 + "1", "tc=0x22") + UDP)
            .assertDropped("access-denied");
    }

    /** The lists are those of one port and one direction. */
    @Test
    void shouldNotJudgeOtherPortsAndDirections()
    {
        fromA(ip(A, BEYOND_C + "1", "") + "/UDP(sport=1, dport=2000)").assertForwarded();
        Observation.of(lab, lab.b(), ip("10.0.1.2", BEYOND_A + "1", "") + "/UDP(sport=1, dport=1000)",
            ip("10.0.1.2", BEYOND_A + "1", "") + "/UDP(sport=1, dport=2000)",
            ip6(RouterLab.B6, BEYOND_A6 + "1", "") + "/TCP(sport=1, dport=23)").assertForwarded();
    }

    /** The router's own addresses are the kernel's over AF_XDP, which no list judges. */
    @Test
    void shouldCountEachRule()
    {
        final long before = frames("from-left", 6);
        final long bytes = rule("from-left", 6).get("bytes").asLong();
        fromA(IP + "/ICMP(type=8)/b'12345678'", IP + "/ICMP(type=0)/b'12345678'").assertForwarded();
        assertEquals(before + 1, frames("from-left", 6));
        assertEquals(bytes + 14 + 20 + 8 + 8, rule("from-left", 6).get("bytes").asLong());
        assertEquals("count ipv4 protocol icmp icmp-type 8", rule("from-left", 6).get("text").asText());
        assertEquals("permit (default)", rule("to-right", 3).get("text").asText());
    }

    private long frames(final String list, final int number)
    {
        return rule(list, number).get("frames").asLong();
    }

    private JsonNode rule(final String list, final int number)
    {
        final JsonNode answer = lab.json("show", "acl");
        assertEquals(
            List.of("left in from-left", "right out to-right"),
            List.of(use(answer.get("ports").get(0)), use(answer.get("ports").get(1))));
        for (final JsonNode rule : answer.get("rules"))
        {
            if (rule.get("list").asText().equals(list) && rule.get("rule").asInt() == number)
            {
                return rule;
            }
        }
        throw new AssertionError("no rule " + number + " of " + list + " in " + answer);
    }

    private static String use(final JsonNode port)
    {
        return port.get("port").asText() + " " + port.get("direction").asText() + " " + port.get("list").asText();
    }
}
