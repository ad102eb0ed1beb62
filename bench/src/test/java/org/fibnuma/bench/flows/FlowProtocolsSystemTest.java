package org.fibnuma.bench.flows;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.flows.Conversation.Socket;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.system.ReceivedFrame;
import org.fibnuma.bench.system.ScapyHost;
import org.fibnuma.core.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Connections of ICMP echo, UDP-Lite and SCTP. The kernels of the hosts answer echo requests, scapy the others. */
@NamespaceTest({"scapy", "nft", "conntrack", "ethtool", "sysctl"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlowProtocolsSystemTest
{
    private static final int UDP_LITE = 136;
    private static final int SCTP = 132;
    /** Digits of hexadecimal Ethernet and IPv4 headers, and of two ports. */
    private static final int HEADERS = 2 * (14 + 20);
    private static final int PORTS = 2 * 4;
    /** Digits up to the checksum of UDP-Lite, and behind it. */
    private static final int CHECKSUM = HEADERS + 2 * 6;
    private static final int CHECKSUM_END = CHECKSUM + 2 * 2;
    /** Of {@link ScapyHost#define}: an IPv4 packet of UDP-Lite (RFC 3828) whose checksum covers everything. */
    private static final String UDP_LITE_PACKET =
        "lambda source, target, sport, dport, data: (lambda p, h: p/Raw(h[:6] + " +
        "struct.pack('!H', in4_chksum(136, p, h + data)) + data))(" +
        "IP(src=source, dst=target, proto=136), struct.pack('!HHHH', sport, dport, 8 + len(data), 0))";

    private FlowLab lab;

    @BeforeAll
    void start()
    {
        lab = FlowLab.open();
        for (final ScapyHost host : List.of(lab.client(), lab.server()))
        {
            host.define(Map.of("UDPLITE", UDP_LITE_PACKET, "sctp", "__import__('scapy.layers.sctp').layers.sctp"));
        }
        lab.rules(Rules.MASQUERADE);
        lab.start();
        lab.awaitFollowed("inet fw");
    }

    @AfterAll
    void close()
    {
        if (lab != null)
        {
            lab.close();
        }
    }

    /** Two hosts with the same identifier: the second one gets another by translation. */
    @Test
    void shouldForwardEchoes()
    {
        lab.rules(Rules.MASQUERADE);
        final int identifier = FlowLab.newPort();
        learn(() -> echo(FlowLab.CLIENT, FlowLab.SERVER, identifier));
        learn(() -> echo(FlowLab.NEIGHBOR, FlowLab.SERVER, identifier));

        lab.server().clear();
        final String payload = echo(FlowLab.NEIGHBOR, FlowLab.SERVER, identifier);
        final ReceivedFrame request = received(lab.server(), "p.original[23] == 1", payload);
        assertEquals(FlowLab.TO_SERVER, request.ip().source());
        assertTrue(request.ip().checksumRight() && request.icmp().checksumRight(), request::toString);
        assertNotEquals(identifier, request.icmp().unused(), "its identifier");
        assertTrue(flows().contains("\"protocol\":\"icmp\",\"source\":\"" + FlowLab.NEIGHBOR + "\""), flows());
    }

    @Test
    void shouldForwardEchoesOfIpv6()
    {
        lab.rules(Rules.MASQUERADE);
        final int identifier = FlowLab.newPort();
        learn(() -> echo(FlowLab.CLIENT_IPV6, FlowLab.SERVER_IPV6, identifier));
    }

    /** Connection tracking computes a checksum of UDP-Lite as if it were UDP, and finds each one wrong. */
    @Test
    void shouldForwardUdpLite()
    {
        lab.rules(Rules.MASQUERADE);
        lab.router("sysctl -qw net.netfilter.nf_conntrack_checksum=0");
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(FlowLab.SERVER, FlowLab.newPort());
        final Socket seen = own.at(FlowLab.TO_SERVER);
        learn(() ->
        {
            passUdpLite(lab.client(), own, peer, lab.server(), seen, peer);
            passUdpLite(lab.server(), peer, seen, lab.client(), peer, own);
        });
    }

    private void passUdpLite(
        final ScapyHost from, final Socket source, final Socket target,
        final ScapyHost to, final Socket seenSource, final Socket seenTarget)
    {
        final String payload = Conversation.payload();
        to.clear();
        final String sent = from.send("TO_ROUTER/UDPLITE('" + source.address() + "', '" + target.address() + "', " +
            source.port() + ", " + target.port() + ", " + payload + ")").get(0);
        final ReceivedFrame frame = received(to, "p.original[23] == " + UDP_LITE, payload);
        assertEquals(seenSource.address() + " " + seenTarget.address(),
            frame.ip().source() + " " + frame.ip().destination());
        assertEquals(String.format("%04x%04x", seenSource.port(), seenTarget.port()),
            frame.ip().payload().substring(0, PORTS));
        assertEquals(sent.substring(HEADERS + PORTS, CHECKSUM), frame.hex().substring(HEADERS + PORTS, CHECKSUM));
        assertEquals(sent.substring(CHECKSUM_END), frame.hex().substring(CHECKSUM_END));
        assertTrue(frame.ip().checksumRight() && frame.ip().transportChecksumRight(), frame::toString);
    }

    /** The checksum of SCTP is not a sum: with translation it is the kernel's. */
    @Test
    void shouldForwardSctpThatIsNotTranslated()
    {
        lab.rules(Rules.STATEFUL);
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(FlowLab.SERVER, FlowLab.newPort());
        final String setup = "a_rwnd=65536, n_out_streams=1, n_in_streams=1, init_tsn=1";
        passSctp(lab.client(), own, peer, lab.server(), 0, "SCTPChunkInit(init_tag=7, " + setup + ")");
        passSctp(lab.server(), peer, own, lab.client(), 7, "SCTPChunkInitAck(init_tag=9, " + setup + ")");
        passSctp(lab.client(), own, peer, lab.server(), 9, "SCTPChunkCookieEcho(cookie=b'cookie')");
        passSctp(lab.server(), peer, own, lab.client(), 7, "SCTPChunkCookieAck()");
        learn(() ->
        {
            passSctp(lab.client(), own, peer, lab.server(), 9, data());
            passSctp(lab.server(), peer, own, lab.client(), 7, data());
        });
        // The kernel has what changes the state, and the flow ends.
        passSctp(lab.client(), own, peer, lab.server(), 9, "SCTPChunkShutdown(cumul_tsn_ack=1)");
        Await.until("the end of the flow", () -> !flows().contains("\"sourcePort\":" + own.port()));
    }

    private String flows()
    {
        return lab.lab().ask("flows").path("flows").toString();
    }

    private static String data()
    {
        return "SCTPChunkData(beginning=1, ending=1, data=" + Conversation.payload() + ")";
    }

    private void passSctp(
        final ScapyHost from, final Socket source, final Socket target, final ScapyHost to, final int tag,
        final String chunk)
    {
        to.clear();
        final String sent = from.send("TO_ROUTER/IP(src='" + source.address() + "', dst='" + target.address() +
            "')/sctp.SCTP(sport=" + source.port() + ", dport=" + target.port() + ", tag=" + tag + ")/sctp." + chunk)
            .get(0);
        final List<ReceivedFrame> frames = to.receive(1, Conversation.PATIENCE,
            "is_ip(p) and p.original[23] == " + SCTP + " and p.original[36:38] == (" + target.port() +
            ").to_bytes(2, 'big')");
        assertEquals(1, frames.size(), () -> chunk + lab.router("conntrack -L"));
        assertEquals(sent.substring(HEADERS), frames.get(0).hex().substring(HEADERS));
        assertTrue(frames.get(0).ip().checksumRight(), frames::toString);
    }

    /** A rule about single packets of one protocol keeps only these connections at the kernel. */
    @Test
    void shouldLeaveOnlyTheProtocolOfARule()
    {
        lab.rules(Rules.STATEFUL);
        final int identifier = FlowLab.newPort();
        lab.nft("insert rule inet fw forward icmp type { echo-request, echo-reply } limit rate 10000/second accept");
        Await.until("the restriction", () -> lab.lab().ask("host").path("restrictions").toString()
            .contains("limit in rule"));
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(FlowLab.SERVER, FlowLab.newPort());
        Conversation.udp(lab, lab.client(), own, peer, lab.server(), peer, own)
            .learn(() -> echo(FlowLab.CLIENT, FlowLab.SERVER, identifier)).assertForwarded();
        lab.assertByKernel(() -> echo(FlowLab.CLIENT, FlowLab.SERVER, identifier));
        final JsonNode host = lab.lab().ask("host");
        assertTrue(Stream.of("limit in rule", "for icmp over IPv4").allMatch(host.toString()::contains),
            host::toString);
        assertTrue(host.path("refusals").findValuesAsText("reason").contains("rule"), host::toString);
    }

    /** Sends an echo request and receives the answer of the kernel behind the router; returns the payload. */
    private String echo(final String source, final String target, final int identifier)
    {
        final boolean isIpv6 = target.contains(":");
        final String payload = Conversation.payload();
        lab.client().clear();
        lab.client().send("TO_ROUTER/" + (isIpv6 ? "IPv6(src='" : "IP(src='") + source + "', dst='" + target + "')/" +
            (isIpv6 ? "ICMPv6EchoRequest(id=" : "ICMP(id=") + identifier + (isIpv6 ? ", data=" + payload + ")" :
            ")/" + payload));
        final ReceivedFrame answer = received(lab.client(),
            isIpv6 ? "p.original[54] == 129" : "p.original[34] == 0", payload);
        assertEquals(source, isIpv6 ? answer.ipv6().destination() : answer.ip().destination());
        assertTrue(isIpv6 ? answer.icmpv6().checksumRight() : answer.icmp().checksumRight(), answer::toString);
        assertEquals(identifier, isIpv6 ? (int)(answer.icmpv6().rest() >>> Short.SIZE) : answer.icmp().unused());
        return payload;
    }

    /** Repeats an exchange of one packet each way until the router forwards both. */
    private void learn(final Runnable exchange)
    {
        Await.until(() -> "a flow" + lab.router("conntrack -L; conntrack -L -f ipv6") + lab.lab().log(), () ->
        {
            final long before = lab.flows();
            exchange.run();
            return lab.flows() == before + 2;
        });
    }

    private static ReceivedFrame received(final ScapyHost host, final String where, final String payload)
    {
        final List<ReceivedFrame> frames = host.receive(1, Conversation.PATIENCE,
            "is_ip(p) and " + where + " and " + payload + " in p.original");
        assertEquals(1, frames.size(), payload);
        return frames.get(0);
    }
}
