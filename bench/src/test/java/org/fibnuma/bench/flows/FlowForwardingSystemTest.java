package org.fibnuma.bench.flows;

import org.fibnuma.bench.flows.Conversation.Socket;
import org.fibnuma.bench.lab.NamespaceTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Packets of established connections are forwarded by the router and leave it as the kernel would send them. Each
 * connection begins in the kernel, so that its first packets are the reference: all are checked in the same way.
 */
@NamespaceTest({"scapy", "nft", "conntrack", "ethtool", "ping", "iptables-legacy", "sysctl"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlowForwardingSystemTest
{
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

    /** Points 1 and 16: the reply is addressed to the router itself. */
    @Test
    void shouldMasqueradeUdp()
    {
        lab.rules(Rules.MASQUERADE);
        masqueraded(FlowLab.CLIENT, FlowLab.SERVER, FlowLab.TO_SERVER).learn().assertForwarded();
        lab.lab().assertBalanced();
    }

    /** Points 1 and 20. */
    @Test
    void shouldMasqueradeUdpOverIpv6()
    {
        lab.rules(Rules.MASQUERADE);
        masqueraded(FlowLab.CLIENT_IPV6, FlowLab.SERVER_IPV6, FlowLab.TO_SERVER_IPV6).learn().assertForwarded();
        lab.lab().assertBalanced();
    }

    /** Points 1 and 6: far more bytes than the window that the kernel has seen pass, in one connection. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldMasqueradeTcp(final boolean isIpv6)
    {
        lab.rules(Rules.MASQUERADE);
        final Socket own = new Socket(isIpv6 ? FlowLab.CLIENT_IPV6 : FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(isIpv6 ? FlowLab.SERVER_IPV6 : FlowLab.SERVER, FlowLab.newPort());
        final Conversation conversation = Conversation.tcp(lab, lab.client(), own, peer, lab.server(), peer,
            own.at(isIpv6 ? FlowLab.TO_SERVER_IPV6 : FlowLab.TO_SERVER)).learn();
        for (int i = 0; i < 3; i++)
        {
            conversation.skip(1 << 30);
            conversation.assertForwarded();
        }
    }

    /** The rules of legacy iptables are followed like those of nftables. */
    @Test
    void shouldForwardWhatLegacyIptablesMasquerades()
    {
        lab.rules("");
        lab.router("iptables-legacy -P FORWARD DROP; iptables-legacy -A FORWARD -i r0 -j ACCEPT; " +
            "iptables-legacy -A FORWARD -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT; " +
            "iptables-legacy -t nat -A POSTROUTING -o r1 -j MASQUERADE");
        try
        {
            lab.awaitFollowed("legacy iptables table ip nat");
            masqueraded(FlowLab.CLIENT, FlowLab.SERVER, FlowLab.TO_SERVER).learn().assertForwarded();
        }
        finally
        {
            lab.router("iptables-legacy -P FORWARD ACCEPT; iptables-legacy -F; iptables-legacy -t nat -F");
            lab.rules(Rules.MASQUERADE);
        }
    }

    /** Point 20. */
    @ParameterizedTest
    @ValueSource(strings = {FlowLab.SERVER, FlowLab.SERVER_IPV6})
    void shouldForwardWithoutTranslation(final String address)
    {
        lab.rules(Rules.STATEFUL);
        final Socket own = new Socket(address.contains(":") ? FlowLab.CLIENT_IPV6 : FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(address, FlowLab.newPort());
        Conversation.udp(lab, lab.client(), own, peer, lab.server(), peer, own).learn().assertForwarded();
        Conversation.tcp(lab, lab.client(), own, peer, lab.server(), peer, own).learn().assertForwarded();
    }

    /** Another address and another port of the destination. */
    @Test
    void shouldForwardAPortOfTheRouter()
    {
        final Socket published = new Socket(FlowLab.TO_SERVER, FlowLab.newPort());
        final Socket inside = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket own = new Socket(FlowLab.SERVER, FlowLab.newPort());
        lab.rules(Rules.forwarded("tcp", published.port(), inside.address(), inside.port(), ""));
        Conversation.tcp(lab, lab.server(), own, published, lab.client(), inside, own).learn().assertForwarded();

        lab.rules(Rules.forwarded("udp", published.port(), inside.address(), inside.port(), ""));
        Conversation.udp(lab, lab.server(), own, published, lab.client(), inside, own).learn().assertForwarded();
    }

    /** Point 4: both translations at once, and the packet leaves by the port that it came in by. */
    @Test
    void shouldForwardAHairpin()
    {
        final Socket published = new Socket(FlowLab.TO_SERVER, FlowLab.newPort());
        final Socket inside = new Socket(FlowLab.NEIGHBOR, FlowLab.newPort());
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket seen = new Socket(FlowLab.TO_CLIENT, FlowLab.newPort());
        lab.rules(Rules.forwarded("udp", published.port(), inside.address(), inside.port(),
            "iifname \"r0\" oifname \"r0\" udp dport " + inside.port() + " snat to " + seen.address() + ":" +
            seen.port()));
        Conversation.udp(lab, lab.client(), own, published, lab.client(), inside, seen).learn().assertForwarded();
    }

    /** Point 4: a checksum of 0 says that there is none. */
    @Test
    void shouldKeepTheChecksumOfUdpThatIsNone()
    {
        lab.rules(Rules.MASQUERADE);
        masqueraded(FlowLab.CLIENT, FlowLab.SERVER, FlowLab.TO_SERVER).with("chksum=0").learn().assertForwarded();
    }

    /** Point 4: the checksum that is computed as 0 is 0xFFFF. */
    @Test
    void shouldSendAChecksumOfUdpThatIsComputedAsZero()
    {
        lab.rules(Rules.MASQUERADE);
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(FlowLab.SERVER, FlowLab.newPort());
        final Conversation conversation = Conversation.udp(lab, lab.client(), own, peer, lab.server(), peer,
            own.at(FlowLab.TO_SERVER)).learn();
        // Pseudo-header and header of the translated packet, with a payload of two bytes.
        int sum = 0x0A00 + 0x0101 + 0x0A00 + 0x0102 + 17 + 10 + own.port() + peer.port() + 10;
        sum = (sum & 0xFFFF) + (sum >>> Short.SIZE);
        final int word = ~((sum & 0xFFFF) + (sum >>> Short.SIZE)) & 0xFFFF;
        final long before = lab.flows();
        final String payload = conversation.request(
            String.format("bytes.fromhex('%04x')", word)).ip().payload();
        assertEquals("ffff", payload.substring(12, 16));
        assertEquals(before + 1, lab.flows());
    }

    /** Point 2: connections that end on this host, at least as old as another one that is learned. */
    @ParameterizedTest
    @ValueSource(strings = {FlowLab.TO_CLIENT, FlowLab.TO_SERVER})
    void shouldLeaveConnectionsOfThisHost(final String address)
    {
        lab.rules(Rules.MASQUERADE);
        try (HostSockets local = new HostSockets(lab.lab().router());
             HostSockets remote = new HostSockets(lab.lab().left()))
        {
            local.ask("serve tcp 9000");
            local.ask("serve udp 9000 ::ffff:" + address);
            remote.ask("open tcp " + address + " 9000 3");
            remote.ask("open udp " + address + " 9000 3");
            remote.ask("exchange 100");
            masqueraded(FlowLab.CLIENT, FlowLab.SERVER, FlowLab.TO_SERVER).learn(() -> remote.ask("exchange 100"));
            lab.assertByKernel(() ->
            {
                remote.ask("exchange 100");
                remote.ask("reset");
            });
        }
    }

    private Conversation masqueraded(final String client, final String server, final String router)
    {
        final Socket own = new Socket(client, FlowLab.newPort());
        final Socket peer = new Socket(server, FlowLab.newPort());
        return Conversation.udp(lab, lab.client(), own, peer, lab.server(), peer, own.at(router));
    }
}
