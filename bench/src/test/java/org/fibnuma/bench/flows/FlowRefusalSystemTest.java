package org.fibnuma.bench.flows;

import org.fibnuma.bench.flows.Conversation.Socket;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Point 15: connections that only the kernel can forward. Each is at least as old as another one that is learned from
 * packets of the same time.
 */
@NamespaceTest({"scapy", "nft", "conntrack", "ethtool", "sysctl"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlowRefusalSystemTest
{
    private static final int PROXIED = 8080;

    private FlowLab lab;

    @BeforeAll
    void start()
    {
        lab = FlowLab.open();
        lab.rules(Rules.MASQUERADE);
        lab.start();
    }

    @AfterAll
    void close()
    {
        if (lab != null)
        {
            lab.close();
        }
    }

    @Test
    void shouldLeaveAConnectionWithAHelper()
    {
        final int port = FlowLab.newPort();
        lab.rules(Rules.MASQUERADE + """
            table inet help {
              ct helper ftp { type "ftp" protocol tcp; l3proto ip; }
              chain pre { type filter hook prerouting priority 0; tcp dport %d ct helper set "ftp"; }
            }
            """.formatted(port));
        final Conversation helped = tcp(port);
        tcp(FlowLab.newPort()).learn(helped::exchange).assertForwarded();
        helped.assertByKernel();
    }

    /** The proxy translates the sequence numbers of each segment. */
    @Test
    void shouldLeaveAConnectionOfASynproxy()
    {
        lab.router("sysctl -qw net.netfilter.nf_conntrack_tcp_loose=0 net.ipv4.tcp_syncookies=1");
        lab.rules("""
            table inet fw {
              chain pre {
                type filter hook prerouting priority raw;
                tcp dport %1$d tcp flags syn notrack
              }
              chain forward {
                type filter hook forward priority 0; policy drop;
                tcp dport %1$d ct state invalid,untracked synproxy mss 1460 wscale 7 timestamp sack-perm
                ct state established accept
                iifname "r0" accept
              }
            }
            """.formatted(PROXIED));
        lab.awaitFollowed("inet fw");
        try (HostSockets server = new HostSockets(lab.lab().right());
             HostSockets client = new HostSockets(lab.lab().left()))
        {
            server.ask("serve tcp " + PROXIED);
            client.ask("open tcp " + FlowLab.SERVER + " " + PROXIED + " 1");
            Await.until("the refusal", () ->
            {
                client.ask("exchange 1000");
                return lab.lab().ask("flows").path("refusals").findValuesAsText("reason")
                    .contains("sequence-adjustment");
            });
            lab.assertByKernel(() -> client.ask("exchange 1000"));
        }
    }

    /** The kernel has the packets to the addresses of a policy of IPsec, also those of flows. */
    @Test
    void shouldLeaveConnectionsUnderAPolicyOfIpsec()
    {
        lab.rules(Rules.STATEFUL);
        lab.awaitFollowed("inet fw");
        final Conversation conversation = udp(FlowLab.newPort()).learn();
        final String selector = "src " + FlowLab.CLIENT + "/32 dst " + FlowLab.SERVER + "/32 dir ";
        lab.router("ip xfrm policy add " + selector + "out tmpl proto esp mode transport level use");
        try
        {
            Await.until("packets by the kernel", () ->
            {
                final long before = lab.flows();
                conversation.request(Conversation.payload());
                return lab.flows() == before;
            });
        }
        finally
        {
            lab.router("ip xfrm policy delete " + selector + "out");
        }
        udp(FlowLab.newPort()).learn().assertForwarded();
    }

    /** Statements about single packets, zones among them: the kernel has all, and the restriction names them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "insert rule inet fw forward limit rate 10000/second accept | limit",
        "insert rule inet fw forward quota over 1000 mbytes drop | quota",
        "insert rule inet fw forward meta length > 1400 drop | meta length",
        "insert rule inet fw forward ip ttl < 5 drop | byte 8 of the network header",
        "insert rule inet fw forward meta mark set 7 | mark",
        "add table inet z; add chain inet z p { type filter hook prerouting priority raw; }; " +
            "add rule inet z p iifname x ct zone set 7 | ct zone set",
        "add table inet z; add chain inet z p { type filter hook prerouting priority raw; }; " +
            "add rule inet z p iifname x notrack | notrack"})
    void shouldLeaveWhatMeetsRulesAboutPackets(final String change, final String named)
    {
        lab.rules(Rules.STATEFUL);
        lab.awaitFollowed("inet fw");
        final Conversation conversation = udp(FlowLab.newPort()).learn();
        lab.nft(change);
        Await.until("the restriction by " + named, () ->
            lab.lab().ask("host").path("restrictions").findValuesAsText("restriction").stream()
            .anyMatch(text -> text.contains(named)));
        Await.until("the policy of ports", () -> lab.lab().ask("ports").path("ports").findValuesAsText("forwarding")
            .stream().allMatch("kernel"::equals));
        conversation.assertByKernel();

        lab.rules(Rules.STATEFUL);
        lab.awaitFollowed("inet fw");
        udp(FlowLab.newPort()).learn().assertForwarded();
    }

    private Conversation tcp(final int port)
    {
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(FlowLab.SERVER, port);
        return Conversation.tcp(lab, lab.client(), own, peer, lab.server(), peer, own.at(FlowLab.TO_SERVER));
    }

    private Conversation udp(final int port)
    {
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(FlowLab.SERVER, port);
        return Conversation.udp(lab, lab.client(), own, peer, lab.server(), peer, own);
    }
}
