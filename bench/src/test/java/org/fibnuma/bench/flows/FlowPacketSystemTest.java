package org.fibnuma.bench.flows;

import org.fibnuma.bench.flows.Conversation.Socket;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.system.ReceivedFrame;
import org.fibnuma.bench.system.ScapyHost;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Packets of a flow that only the kernel forwards, and packets that look like those of a flow. */
@NamespaceTest({"scapy", "nft", "conntrack", "ethtool", "sysctl"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlowPacketSystemTest
{
    private static final int ETHERNET_DIGITS = 2 * EthernetHeaderFlyweight.LENGTH;

    private FlowLab lab;

    @BeforeAll
    void start()
    {
        lab = openLab();
        lab.rules(Rules.MASQUERADE);
        lab.start();
    }

    /** Makes the lab, whose ports are a subclass's choice. */
    FlowLab openLab()
    {
        return FlowLab.open();
    }

    @AfterAll
    void close()
    {
        if (lab != null)
        {
            lab.close();
        }
    }

    /** Point 3: the rules against forged sources are in the chain that the first packet of a connection passed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotForwardAKnownTupleOfAnotherPort(final boolean isIpv6)
    {
        final String client = isIpv6 ? FlowLab.CLIENT_IPV6 : FlowLab.CLIENT;
        lab.rules("""
            table inet spoof {
              chain forward {
                type filter hook forward priority -10;
                iifname != "r0" ip saddr 10.0.0.0/24 drop
                iifname != "r0" ip6 saddr 2001:db8:1::/64 drop
              }
            }
            """ + Rules.STATEFUL);
        final Socket own = new Socket(client, FlowLab.newPort());
        final Socket peer = new Socket(isIpv6 ? FlowLab.SERVER_IPV6 : FlowLab.SERVER, FlowLab.newPort());
        final Conversation conversation =
            Conversation.udp(lab, lab.client(), own, peer, lab.server(), peer, own).learn();

        lab.server().clear();
        lab.assertByKernel(() -> lab.third().send(
            5, Duration.ZERO, "TO_ROUTER/" + conversation.packet("", "", Conversation.payload())));
        final String last = Conversation.payload();
        conversation.send("", "", last);
        final List<ReceivedFrame> seen = lab.server().receiveUntil(last + " in p.original", Conversation.PATIENCE);
        assertEquals(1, seen.size(), seen::toString);
        conversation.learn().assertForwarded();
    }

    /** The kernel forwards fragments, options and extension headers, and translates them. */
    @Test
    void shouldLeaveFragmentsAndOptions()
    {
        lab.rules(Rules.MASQUERADE);
        final Conversation conversation = masqueraded(FlowLab.SERVER).learn();
        final String options = Conversation.payload();
        lab.server().clear();
        lab.assertByKernel(() ->
        {
            conversation.send("options=[IPOption(b'\\x94\\x04\\x00\\x00')]", "", options);
            assertEquals(FlowLab.TO_SERVER, received(lab.server(), options).ip().source());
        });
        final String packet = conversation.packet("", "", "(" + Conversation.payload() + " * 64)");
        lab.assertByKernel(() ->
        {
            for (int i = 0; i < 3; i++)
            {
                lab.client().send("TO_ROUTER/fragment(" + packet + ", fragsize=400)[" + i + "]");
            }
            for (final ReceivedFrame fragment : lab.server().receive(3, Conversation.PATIENCE, "is_ip(p)"))
            {
                assertTrue(fragment.ip().moreFragments() || fragment.ip().fragmentOffset() > 0, fragment::toString);
                assertEquals(FlowLab.TO_SERVER, fragment.ip().source());
                assertTrue(fragment.ip().checksumRight());
            }
        });
        conversation.assertForwarded();
    }

    /** Point 8: after a SYN with the tuple of a connection the kernel decides what follows. */
    @Test
    void shouldLeaveASynOfAKnownTuple()
    {
        lab.rules(Rules.MASQUERADE);
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(FlowLab.SERVER, FlowLab.newPort());
        final Conversation conversation = Conversation.tcp(
            lab, lab.client(), own, peer, lab.server(), peer, own.at(FlowLab.TO_SERVER)).learn();
        lab.assertByKernel(() -> conversation.send("", "S", ""));
        final String last = Conversation.payload();
        conversation.send("", "PA", last);
        final List<ReceivedFrame> seen = lab.server().receiveUntil(last + " in p.original", Conversation.PATIENCE);
        assertTrue(seen.stream().allMatch(frame -> FlowLab.TO_SERVER.equals(frame.ip().source())), seen::toString);
        conversation.learn().assertForwarded();
    }

    /** Point 5: the kernel answers to a packet whose hops are used up, and quotes what the sender has sent. */
    @ParameterizedTest
    @CsvSource({FlowLab.SERVER + ", ttl=1", FlowLab.SERVER_IPV6 + ", hlim=1"})
    void shouldLeaveTheLastHop(final String address, final String lastHop)
    {
        lab.rules(Rules.MASQUERADE);
        final Conversation conversation = masqueraded(address).learn();
        lab.client().clear();
        lab.assertByKernel(() ->
        {
            final String sent = conversation.send(lastHop, "", Conversation.payload());
            assertQuoted(sent, onlyError(address), 11, 3);
        });
        conversation.assertForwarded();
    }

    /** Point 5: the error of the router itself about a packet that is too long quotes what the sender has sent. */
    @Test
    void shouldQuoteWhatWasSentWhereAPacketIsTooLong()
    {
        lab.router("ip route replace " + FlowLab.BEYOND_SERVER + " via " + FlowLab.SERVER + " mtu 1300");
        lab.rules(Rules.MASQUERADE);
        final Conversation conversation = masqueraded(FlowLab.BEYOND).learn();
        lab.client().clear();
        final String sent = conversation.send("flags='DF'", "", "(" + Conversation.payload() + " * 100)");
        final ReceivedFrame error = onlyError(FlowLab.BEYOND);
        assertEquals(4, error.icmp().code());
        assertEquals(1300, error.icmp().mtu());
        assertQuoted(sent, error, 3, 0);
        conversation.assertForwarded();
        lab.router("ip route replace " + FlowLab.BEYOND_SERVER + " via " + FlowLab.SERVER);
    }

    /** Point 5: an error of a host behind the router about a translated packet is translated back, quote included. */
    @ParameterizedTest
    @ValueSource(strings = {FlowLab.SERVER, FlowLab.SERVER_IPV6})
    void shouldTranslateErrorsOfAHostBehind(final String address)
    {
        lab.rules(Rules.MASQUERADE);
        final boolean isIpv6 = address.contains(":");
        final Conversation conversation = masqueraded(address).learn();
        final String payload = Conversation.payload();
        lab.client().clear();
        final String sent = conversation.send("", "", payload);
        received(lab.server(), payload);
        lab.assertByKernel(() ->
        {
            lab.server().send("TO_ROUTER/" + (isIpv6 ?
                "IPv6(src='" + FlowLab.SERVER_IPV6 + "', dst='" + FlowLab.TO_SERVER_IPV6 +
                "')/ICMPv6DestUnreach(code=4)/" :
                "IP(src='203.0.113.9', dst='" + FlowLab.TO_SERVER + "')/ICMP(type=3, code=3)/") +
                conversation.arrived(isIpv6 ? "hlim=63" : "ttl=63", payload));
            final ReceivedFrame error = onlyError(address);
            assertEquals(isIpv6 ? FlowLab.SERVER_IPV6 : "203.0.113.9",
                isIpv6 ? error.ipv6().source() : error.ip().source());
            assertQuotedAddresses(sent, error);
        });
        conversation.assertForwarded();
    }

    private Conversation masqueraded(final String server)
    {
        final boolean isIpv6 = server.contains(":");
        final Socket own = new Socket(isIpv6 ? FlowLab.CLIENT_IPV6 : FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(server, FlowLab.newPort());
        return Conversation.udp(lab, lab.client(), own, peer, lab.server(), peer,
            own.at(isIpv6 ? FlowLab.TO_SERVER_IPV6 : FlowLab.TO_SERVER));
    }

    private static ReceivedFrame received(final ScapyHost host, final String payload)
    {
        final List<ReceivedFrame> frames =
            host.receive(1, Conversation.PATIENCE, "is_ip(p) and " + payload + " in p.original");
        assertEquals(1, frames.size(), payload);
        return frames.get(0);
    }

    /** Returns the error that arrives at the client, and no other. */
    private ReceivedFrame onlyError(final String address)
    {
        final List<ReceivedFrame> errors = lab.client().receive(1, Conversation.PATIENCE,
            address.contains(":") ? "is_ip(p) and p.original[20] == 58" : "is_ip(p) and ICMP in p");
        assertEquals(1, errors.size());
        return errors.get(0);
    }

    private static void assertQuoted(
        final String sent, final ReceivedFrame error, final int type, final int icmpv6Type)
    {
        assertEquals(error.isIcmp() ? type : icmpv6Type,
            error.isIcmp() ? error.icmp().type() : error.icmpv6().type(), error::toString);
        assertQuotedAddresses(sent, error);
    }

    /** The addresses and ports that an error quotes are those of the sender, and its checksum is right. */
    private static void assertQuotedAddresses(final String sent, final ReceivedFrame error)
    {
        final String packet = sent.substring(ETHERNET_DIGITS);
        if (error.isIcmp())
        {
            assertTrue(error.ip().checksumRight() && error.icmp().checksumRight(), error::toString);
            assertEquals(packet.substring(24, 48), error.icmp().quote().substring(24, 48));
        }
        else
        {
            assertTrue(error.icmpv6().checksumRight(), error::toString);
            assertEquals(packet.substring(16, 88), error.icmpv6().body().substring(16, 88));
        }
    }
}
