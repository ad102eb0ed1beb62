package org.fibnuma.bench.flows;

import org.fibnuma.bench.flows.Conversation.Socket;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.system.ReceivedFrame;
import org.fibnuma.core.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Points 11, 13 and 14: what the kernel no longer accepts, or sends another way, the router does not forward. */
@NamespaceTest({"scapy", "nft", "conntrack", "ethtool", "iptables-legacy", "sysctl"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlowRulesetSystemTest
{
    /** Rules with a set of the networks that may send. */
    private static final String WITH_SET = """
        table inet fw {
          set allowed { type ipv4_addr; flags interval; elements = { 10.0.0.0/24, 10.0.1.0/24 }; }
          chain forward {
            type filter hook forward priority 0; policy drop;
            ip saddr @allowed accept
          }
        }
        """;
    /** Datagrams of which none may pass: a second and longer of the steady rate. */
    private static final int NONE_OF = 1000;
    /** A flow that ends after 10 s may be learned again. */
    private static final long LASTING_NS = TimeUnit.SECONDS.toNanos(11);

    private FlowLab lab;
    private HostSockets client;
    private HostSockets server;

    @BeforeAll
    void start()
    {
        lab = openLab();
        client = new HostSockets(lab.lab().left());
        server = new HostSockets(lab.lab().right());
        client.ask("bind 9001");
        server.ask("bind 9002");
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
            client.close();
            server.close();
            lab.close();
        }
    }

    @AfterEach
    void stopStreams()
    {
        client.ask("stop");
        server.ask("stop");
    }

    /** In mid-traffic both ways, by a transaction each. */
    @ParameterizedTest
    @ValueSource(strings = {
        "delete rule inet fw forward handle HANDLE",
        "delete element inet fw allowed { 10.0.0.0/24 }",
        "flush ruleset; table ip other { chain f { type filter hook forward priority 0; policy drop; }; }",
        "table ip other { chain p { type filter hook prerouting priority -10; iifname r0 drop; }; }",
        "insert rule inet fw forward ip daddr " + FlowLab.SERVER + " drop"})
    void shouldForwardNothingAfterAChange(final String change)
    {
        lab.rules(WITH_SET);
        awaitStreams();
        lab.nft(change.replace("HANDLE", handleOf("@allowed")));
        assertNothingArrivesAt(server, client);

        lab.rules(WITH_SET);
        awaitStreams();
    }

    private String handleOf(final String rule)
    {
        return lab.router("nft -a list chain inet fw forward").lines().filter(line -> line.contains(rule))
            .map(line -> line.substring(line.indexOf("# handle ") + "# handle ".length()).strip())
            .findFirst().orElseThrow();
    }

    /** Legacy tables have no notification: they are read once a second. */
    @Test
    void shouldForwardNothingAfterARuleOfLegacyIptables()
    {
        lab.rules(WITH_SET);
        awaitStreams();
        lab.router("iptables-legacy -I FORWARD -i r0 -j DROP");
        try
        {
            assertNothingArrivesAt(server, client);
        }
        finally
        {
            lab.router("iptables-legacy -F FORWARD");
        }
        awaitStreams();
    }

    /** Point 11: nobody translates the answers to a connection that is forgotten. */
    @ParameterizedTest
    @ValueSource(strings = {"conntrack -D -p udp --orig-port-dst 9002", "conntrack -F"})
    void shouldForwardNothingOfAForgottenConnection(final String command)
    {
        lab.rules(Rules.MASQUERADE);
        awaitStreams();
        client.ask("stop");
        // The last of the client's datagrams must have passed: it would make another entry.
        Await.until("the flow of one direction", () ->
        {
            final long sent = client.sent();
            final long received = client.received();
            final long flows = lab.flows();
            awaitSent(server, 200);
            return client.sent() == sent && client.received() > received && lab.flows() > flows;
        });
        lab.router(command);
        assertNothingArrivesAt(client, server);
    }

    /** Point 14: the kernel ends a masqueraded connection whose route moves; the next packet is a new one. */
    @Test
    void shouldNotForwardWithTheAddressOfTheFormerInterface()
    {
        lab.rules(Rules.MASQUERADE);
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(FlowLab.BEYOND, FlowLab.newPort());
        final Conversation conversation = Conversation.udp(
            lab, lab.client(), own, peer, lab.server(), peer, own.at(FlowLab.TO_SERVER)).learn();
        lab.third().clear();
        lab.router("ip route replace " + FlowLab.BEYOND_SERVER + " via " + FlowLab.THIRD);
        final String[] last = new String[1];
        Await.until("packets with the address of the other interface", () ->
        {
            last[0] = Conversation.payload();
            conversation.send("", "", last[0]);
            final List<ReceivedFrame> arrived = lab.third().receiveUntil("is_ip(p)", Duration.ofSeconds(1));
            assertTrue(arrived.stream().allMatch(frame -> FlowLab.TO_THIRD.equals(frame.ip().source())),
                arrived::toString);
            return !arrived.isEmpty();
        });
        Conversation.udp(lab, lab.client(), own, peer, lab.third(), peer, own.at(FlowLab.TO_THIRD))
            .learn().assertForwarded();
        lab.router("ip route replace " + FlowLab.BEYOND_SERVER + " via " + FlowLab.SERVER);
    }

    /**
     * Point 14: rules may depend on the interface of the route, so that the kernel decides about the new one. A flow
     * that has not lasted is learned again after a while, in case its packets take several paths.
     */
    @Test
    void shouldLeaveAConnectionWhoseRouteMovesForAWhile()
    {
        lab.rules(Rules.STATEFUL);
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(FlowLab.BEYOND, FlowLab.newPort());
        Conversation.udp(lab, lab.client(), own, peer, lab.server(), peer, own).learn();
        lab.router("ip route replace " + FlowLab.BEYOND_SERVER + " via " + FlowLab.THIRD);
        awaitNextHop(FlowLab.THIRD);
        final Conversation moved = Conversation.udp(lab, lab.client(), own, peer, lab.third(), peer, own);
        moved.assertByKernel();
        moved.learn().assertForwarded();
        lab.router("ip route replace " + FlowLab.BEYOND_SERVER + " via " + FlowLab.SERVER);
        awaitNextHop(FlowLab.SERVER);
    }

    /** A flow that has lasted is learned again with its new route. */
    @Test
    void shouldLearnALongConnectionAgainWhoseRouteHasMoved()
    {
        lab.rules(Rules.STATEFUL);
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(FlowLab.BEYOND, FlowLab.newPort());
        final Conversation before =
            Conversation.udp(lab, lab.client(), own, peer, lab.server(), peer, own).learn();
        final long learnedNs = System.nanoTime();
        while (System.nanoTime() - learnedNs < LASTING_NS)
        {
            before.assertForwarded();
        }
        lab.router("ip route replace " + FlowLab.BEYOND_SERVER + " via " + FlowLab.THIRD);
        awaitNextHop(FlowLab.THIRD);
        Conversation.udp(lab, lab.client(), own, peer, lab.third(), peer, own).learn().assertForwarded();
        lab.router("ip route replace " + FlowLab.BEYOND_SERVER + " via " + FlowLab.SERVER);
        awaitNextHop(FlowLab.SERVER);
    }

    /**
     * As in a restart of the service that loads the rules. Without them all frames are forwarded, so that the time
     * until the router has read them counts. It is compared with the second in which it reads other settings.
     */
    @Test
    void shouldReadRulesAtOnceThatAreRemovedAndLoadedAgain()
    {
        lab.rules(Rules.MASQUERADE);
        long shortestNs = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++)
        {
            lab.nft("flush ruleset");
            Await.until("no rules", () -> lab.lab().ask("host").path("restrictions").isEmpty());
            lab.nft(Rules.MASQUERADE);
            final long loadedNs = System.nanoTime();
            lab.awaitFollowed("inet nat");
            shortestNs = Math.min(shortestNs, System.nanoTime() - loadedNs);
        }
        final long shortestMs = TimeUnit.NANOSECONDS.toMillis(shortestNs);
        assertTrue(shortestMs < 500, () -> shortestMs + " ms");
    }

    private void awaitNextHop(final String address)
    {
        Await.until("the route by " + address,
            () -> lab.lab().lookup(FlowLab.BEYOND).toString().contains("\"" + address + "\""));
    }

    /** Sends streams both ways until the router forwards both. */
    private void awaitStreams()
    {
        client.ask("to " + FlowLab.SERVER + " 9002");
        Await.until(() -> "streams by flows" + lab.lab().log(), () ->
        {
            final long flows = lab.flows();
            final long toClient = client.received();
            final long toServer = server.received();
            Await.until("datagrams each way", () ->
            {
                // The client's address is another one where it is translated.
                server.ask("back");
                return client.received() > toClient + 100 && server.received() > toServer + 100;
            });
            return lab.flows() > flows + 150;
        });
    }

    /**
     * After the change, which has been made, a few datagrams may still arrive until the router has its notification;
     * from then on none does.
     */
    private void assertNothingArrivesAt(final HostSockets receiver, final HostSockets sender)
    {
        Await.until("the last datagram", () ->
        {
            final long received = receiver.received();
            awaitSent(sender, 300);
            return receiver.received() == received;
        });
        final long received = receiver.received();
        awaitSent(sender, NONE_OF);
        assertEquals(received, receiver.received());
    }

    private static void awaitSent(final HostSockets sender, final int count)
    {
        final long before = sender.sent();
        Await.until("datagrams", () -> sender.sent() >= before + count);
    }
}
