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
