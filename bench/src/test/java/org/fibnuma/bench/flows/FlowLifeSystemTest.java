package org.fibnuma.bench.flows;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.flows.Conversation.Socket;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
import org.fibnuma.core.service.netns.ChildProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** How long flows last: beside their entries in conntrack, and beside the process of the router. */
@NamespaceTest({"scapy", "nft", "conntrack", "ethtool", "sysctl"})
class FlowLifeSystemTest
{
    private static final int PORT = 9000;
    /** As a test can wait for. */
    private static final int TIMEOUT_SECONDS = 8;

    private FlowLab lab;

    @BeforeEach
    void open()
    {
        lab = FlowLab.open();
        lab.rules(Rules.MASQUERADE);
    }

    @AfterEach
    void close()
    {
        if (lab != null)
        {
            lab.close();
        }
    }

    /** Points 9 and 10: the kernel has no packet of the connection in more than twice its timeout. */
    @Test
    void shouldKeepTheEntriesInUse()
    {
        lab.router("sysctl -qw net.netfilter.nf_conntrack_udp_timeout_stream=" + TIMEOUT_SECONDS);
        lab.start();
        final int idlePort = FlowLab.newPort();
        final int usedPort = FlowLab.newPort();
        masqueraded(idlePort).learn();
        final Conversation used = masqueraded(usedPort).learn();
        final List<String> before = idsOf(usedPort);
        assertEquals(1, before.size());

        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(5 * TIMEOUT_SECONDS / 2))
        {
            used.assertForwarded();
        }
        assertEquals(before, idsOf(usedPort));
        Await.until("the end of the idle entry", () ->
        {
            used.assertForwarded();
            return lab.entries(idlePort).isEmpty();
        });
        Await.until(() -> "the end of the entry that is no longer used: " + lab.entries(usedPort),
            () -> lab.entries(usedPort).isEmpty());
    }

    private List<String> idsOf(final int port)
    {
        return lab.entries(port).stream().map(line -> line.substring(line.indexOf(" id="))).toList();
    }

    private Conversation masqueraded(final int port)
    {
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(FlowLab.SERVER, port);
        return Conversation.udp(lab, lab.client(), own, peer, lab.server(), peer, own.at(FlowLab.TO_SERVER));
    }

    /**
     * Point 10: another listener sees each refresh, and the router does not take its own for a change. Point 17:
     * conntrack does not count the packets of flows, the router does.
     */
    @Test
    void shouldReportRefreshesAndCountPackets()
    {
        lab.router("sysctl -qw net.netfilter.nf_conntrack_udp_timeout_stream=" + TIMEOUT_SECONDS +
            " net.netfilter.nf_conntrack_acct=1");
        lab.start();
        final int port = FlowLab.newPort();
        final Conversation conversation = masqueraded(port).learn();
        final String counted = counters(port);
        final JsonNode before = lab.lab().ask("flows");
        final AtomicInteger exchanges = new AtomicInteger();
        try (ChildProcess listener = lab.lab().router().start("conntrack", "-E", "-e", "UPDATES", "-p", "udp"))
        {
            final String refresh = " dport=" + port + " ";
            Await.until("two refreshes", () ->
            {
                conversation.assertForwarded();
                exchanges.incrementAndGet();
                return listener.output().stream().filter(line -> line.contains(refresh)).count() >= 2;
            });
        }
        final JsonNode after = lab.lab().ask("flows");
        assertEquals(before.get("learned"), after.get("learned"));
        assertEquals(before.at("/flows/0/packets").asLong() + exchanges.get(), after.at("/flows/0/packets").asLong());
        assertEquals(before.at("/flows/0/replyPackets").asLong() + exchanges.get(),
            after.at("/flows/0/replyPackets").asLong());
        assertEquals(counted, counters(port));
    }

    /** Returns what conntrack has counted of a connection. */
    private String counters(final int port)
    {
        final List<String> entries = lab.entries(port);
        assertEquals(1, entries.size());
        return Arrays.stream(entries.get(0).split(" ")).filter(word -> word.matches("(packets|bytes)=\\d+"))
            .collect(Collectors.joining(" "));
    }

    /** Point 19: by SIGKILL, which leaves the kernel with what the router has told it. */
    @Test
    void shouldLeaveEveryConnectionToTheKernelWhenTheRouterIsKilled()
    {
        final int connections = 100;
        lab.start();
        try (HostSockets server = new HostSockets(lab.lab().right());
             HostSockets client = new HostSockets(lab.lab().left()))
        {
            server.ask("serve tcp " + PORT);
            client.ask("open tcp " + FlowLab.SERVER + " " + PORT + " " + connections / 2);
            client.ask("open tcp " + FlowLab.SERVER_IPV6 + " " + PORT + " " + connections / 2);
            awaitFlows(client, connections);
            assertTrue(lab.router("nft list tables").contains("fibnuma"));

            lab.lab().process().kill();
            client.ask("exchange 100000");
            assertFalse(lab.router("nft list tables").contains("fibnuma"));
            assertEquals(connections, lab.entries(PORT).size());

            lab.start();
            awaitFlows(client, connections);
            lab.lab().terminate();
            client.ask("exchange 100000");
            assertFalse(lab.router("nft list tables").contains("fibnuma"));
            client.ask("close");
            assertEquals(connections + " 0", server.ask("ends"));
        }
    }

    private void awaitFlows(final HostSockets client, final int connections)
    {
        Await.until(() -> "flows of all connections" + lab.lab().log(), () ->
        {
            final long before = lab.flows();
            client.ask("exchange 20000");
            return lab.flows() >= before + 20L * connections;
        });
    }

    /** Point 18: each of them ends before it would pay. */
    @Test
    void shouldNotLearnShortConnections()
    {
        lab.start();
        try (HostSockets server = new HostSockets(lab.lab().right());
             HostSockets client = new HostSockets(lab.lab().left()))
        {
            server.ask("serve tcp " + PORT);
            lab.assertByKernel(() -> client.ask("short " + FlowLab.SERVER + " " + PORT + " 200"));
        }
        masqueraded(FlowLab.newPort()).learn().assertForwarded();
    }

    /** Point 11: the router does not run while the kernel has more events than fit its socket. */
    @Test
    void shouldForgetAllFlowsWhenTheEndsOfConnectionsAreLost()
    {
        lab.start();
        final Conversation conversation = masqueraded(FlowLab.newPort()).learn();
        whileStopped(() ->
        {
            for (int i = 0; i < 2; i++)
            {
                sendFromPorts(30_000, FlowLab.CLIENT, false);
                lab.router("conntrack -F");
            }
        });
        lab.lab().awaitLog("events about the end of connections were lost");
        conversation.learn().assertForwarded();
        lab.lab().assertBalanced();
    }

    /** Point 11: the kernel repeats what the router does not know of a connection that still has packets. */
    @Test
    void shouldKeepFlowsWhenOtherEventsAreLost()
    {
        lab.start();
        final Conversation flow = masqueraded(FlowLab.newPort()).learn();
        final Conversation unnoticed = masqueraded(FlowLab.newPort());
        try (HostSockets server = new HostSockets(lab.lab().right()))
        {
            server.ask("serve udp " + PORT);
            whileStopped(() ->
            {
                sendFromPorts(30_000, FlowLab.CLIENT, true);
                sendFromPorts(30_000, FlowLab.NEIGHBOR, true);
                unnoticed.exchange();
                final int drops = Integer.parseInt(lab.router(
                    "awk '$2 == 12 { sum += $9 } END { print sum + 0 }' /proc/net/netlink").strip());
                assertTrue(drops > 0, lab.router("cat /proc/net/netlink"));
            });
        }
        flow.assertForwarded();
        unnoticed.learn();
        flow.assertForwarded();
        assertEquals(0, lab.lab().ask("flows").path("ended").asInt());
        lab.lab().assertBalanced();
    }

    private void whileStopped(final Runnable action)
    {
        final String pid = Long.toString(lab.lab().process().pid());
        lab.router("kill -STOP " + pid);
        try
        {
            action.run();
        }
        finally
        {
            lab.router("kill -CONT " + pid);
        }
    }

    /** Makes the client's host send a datagram to the server from each of some ports from 30,000 on. */
    private void sendFromPorts(final int count, final String address, final boolean isAnswered)
    {
        lab.lab().left().run("/usr/bin/python3", "-c", """
            import socket
            for port in range(30000, 30000 + %d):
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                s.settimeout(1)
                s.bind(('%s', port))
                s.sendto(b'', ('%s', %d))
                try:
                    s.recv(1) if %d else None
                except OSError:
                    pass
                s.close()
            """.formatted(count, address, FlowLab.SERVER, PORT, isAnswered ? 1 : 0));
    }

    /** More flows in use than the limit lets live: the kernel forwards the others, none is lost. */
    @Test
    void shouldLeaveConnectionsToTheKernelThatGetNoRefresh()
    {
        final int connections = 100;
        lab.router("sysctl -qw net.netfilter.nf_conntrack_tcp_timeout_established=" + TIMEOUT_SECONDS);
        lab.start("flow-refreshes-per-second = 1");
        try (HostSockets server = new HostSockets(lab.lab().right());
             HostSockets client = new HostSockets(lab.lab().left()))
        {
            server.ask("serve tcp " + PORT);
            client.ask("open tcp " + FlowLab.SERVER + " " + PORT + " " + connections);
            Await.until(() -> "connections without a refresh" + lab.lab().log(), () ->
            {
                client.ask("exchange 1000");
                return lab.lab().ask("flows").path("refusals").findValuesAsText("reason").contains("refreshes");
            });
            for (int i = 0; i < TIMEOUT_SECONDS; i++)
            {
                client.ask("exchange 1000");
            }
            client.ask("close");
            assertEquals(connections + " 0", server.ask("ends"));
        }
        lab.lab().assertBalanced();
    }

    /** Point 12: an entry from before the router has neither events nor room for labels. */
    @Test
    void shouldLeaveConnectionsFromBeforeTheFirstStart()
    {
        final Conversation early = masqueraded(FlowLab.newPort());
        early.exchange();
        lab.start();
        masqueraded(FlowLab.newPort()).learn(early::exchange).assertForwarded();
        early.assertByKernel();
    }

    /** Point 16: both workers read the flows of both directions. */
    @Test
    void shouldForwardWithTwoWorkers()
    {
        lab.close();
        lab = FlowLab.open(2);
        lab.rules(Rules.MASQUERADE);
        lab.startWithTwoWorkers();
        try (HostSockets server = new HostSockets(lab.lab().right());
             HostSockets client = new HostSockets(lab.lab().left()))
        {
            server.ask("serve tcp " + PORT);
            client.ask("open tcp " + FlowLab.SERVER + " " + PORT + " 40");
            awaitFlows(client, 40);
            client.ask("close");
            assertEquals("40 0", server.ask("ends"));
        }
        lab.lab().assertBalanced();
    }
}
