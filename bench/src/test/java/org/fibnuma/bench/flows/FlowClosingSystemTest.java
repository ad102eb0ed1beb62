package org.fibnuma.bench.flows;

import org.fibnuma.bench.flows.Conversation.Socket;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.system.ReceivedFrame;
import org.fibnuma.core.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Points 6 and 7: the kernel sees how TCP connections end, although it has not seen their data. */
@NamespaceTest({"scapy", "nft", "conntrack", "ethtool", "sysctl"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlowClosingSystemTest
{
    private static final int PORT = 9000;
    /** More than any window that the kernel has seen. */
    private static final int FAR = 1 << 28;

    private FlowLab lab;
    private HostSockets serverSockets;

    @BeforeAll
    void start()
    {
        lab = openLab();
        serverSockets = new HostSockets(lab.lab().right());
        serverSockets.ask("serve tcp " + PORT);
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
            serverSockets.close();
            lab.close();
        }
    }

    /** The rules drop invalid packets: the entry must not find one in the segments after the flow. */
    @ParameterizedTest
    @ValueSource(strings = {"close", "reset"})
    void shouldEndRealConnections(final String end)
    {
        final int connections = 20;
        final long[] ends = ends();
        final Conversation sentinel;
        try (HostSockets client = new HostSockets(lab.lab().left()))
        {
            client.ask("open tcp " + FlowLab.SERVER + " " + PORT + " " + connections / 2);
            client.ask("open tcp " + FlowLab.SERVER_IPV6 + " " + PORT + " " + connections / 2);
            Await.until(() -> "flows of all connections" + lab.lab().log(), () ->
            {
                final long before = lab.flows();
                client.ask("exchange 40000");
                return lab.flows() >= before + 30 * connections;
            });
            sentinel = open(FlowLab.newPort());
            lab.server().clear();
            client.ask(end);
        }
        final boolean isReset = "reset".equals(end);
        Await.until("the ends at the server", () ->
            ends()[isReset ? 1 : 0] == ends[isReset ? 1 : 0] + connections);
        Await.until(() -> "the ends in conntrack: " + lab.entries(PORT), () -> lab.entries(PORT).stream()
            .noneMatch(line -> line.contains(" ESTABLISHED ")));
        final List<String> entries = lab.entries(PORT);
        assertTrue(entries.stream().allMatch(line -> line.contains(isReset ? " CLOSE " : " TIME_WAIT ")),
            entries::toString);
        assertOnlyTranslated(sentinel);
        lab.router("conntrack -F");
        lab.lab().assertBalanced();
    }

    private long[] ends()
    {
        final String[] counts = serverSockets.ask("ends").split(" ");
        return new long[] {Long.parseLong(counts[0]), Long.parseLong(counts[1])};
    }

    /** Each side may end first. A FIN that is sent again is translated as the first one was, and forwarded once. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldForwardAFinThatIsFarBehindWhatTheKernelHasSeen(final boolean isByServer)
    {
        lab.rules(Rules.MASQUERADE);
        final int port = FlowLab.newPort();
        final Conversation conversation = open(port).learn();
        conversation.skip(FAR);
        conversation.assertForwarded();
        lab.assertByKernel(() ->
        {
            end(conversation, isByServer, "FA", Conversation.payload());
            end(conversation, !isByServer, "FA", Conversation.payload());
            end(conversation, isByServer, "A", Conversation.payload());
        });
        Await.until(() -> "the end of " + lab.entries(port),
            () -> lab.entries(port).stream().allMatch(line -> line.contains(" TIME_WAIT ")));
        assertEquals(1, lab.entries(port).size());
        lab.assertByKernel(() -> end(conversation, isByServer, "A", Conversation.payload()));
    }

    /** Both sides end at the same time, which takes other states. */
    @Test
    void shouldForwardFinsThatCross()
    {
        lab.rules(Rules.MASQUERADE);
        final int port = FlowLab.newPort();
        final Conversation conversation = open(port).learn();
        conversation.skip(FAR);
        conversation.assertForwarded();
        lab.assertByKernel(() ->
        {
            conversation.answer("FA", Conversation.payload());
            conversation.request("FA", Conversation.payload());
            conversation.answer("A", Conversation.payload());
            conversation.request("A", Conversation.payload());
        });
        Await.until(() -> "the end of " + lab.entries(port),
            () -> lab.entries(port).stream().allMatch(line -> line.contains(" TIME_WAIT ")));
    }

    /** After one side has ended the kernel has the data of the other. */
    @Test
    void shouldForwardAHalfClosedConnection()
    {
        lab.rules(Rules.MASQUERADE);
        final Conversation conversation = open(FlowLab.newPort()).learn();
        lab.assertByKernel(() ->
        {
            conversation.request("FA", Conversation.payload());
            for (int i = 0; i < 5; i++)
            {
                conversation.answer("PA", Conversation.payload());
                conversation.request("A", Conversation.payload());
            }
        });
    }

    /** The sequence number is far from all that the kernel has seen, so that its entry must not check it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldForwardARstThatIsFarBehindWhatTheKernelHasSeen(final boolean isByServer)
    {
        lab.rules(Rules.MASQUERADE);
        final int port = FlowLab.newPort();
        final Conversation conversation = open(port).learn();
        conversation.skip(FAR);
        conversation.assertForwarded();
        lab.assertByKernel(() -> end(conversation, isByServer, "RA", Conversation.payload()));
        Await.until(() -> "the end of " + lab.entries(port),
            () -> lab.entries(port).stream().allMatch(line -> line.contains(" CLOSE ")));
    }

    private Conversation open(final int port)
    {
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(FlowLab.SERVER, port);
        return Conversation.tcp(lab, lab.client(), own, peer, lab.server(), peer, own.at(FlowLab.TO_SERVER));
    }

    private static void end(
        final Conversation conversation, final boolean isByServer, final String flags, final String payload)
    {
        if (isByServer)
        {
            conversation.answer(flags, payload);
        }
        else
        {
            conversation.request(flags, payload);
        }
    }

    /** Nothing that arrived at the server since its capture was cleared has an address of the client. */
    private void assertOnlyTranslated(final Conversation sentinel)
    {
        final String last = Conversation.payload();
        sentinel.send("", "PA", last);
        final List<ReceivedFrame> frames =
            lab.server().receiveUntil(last + " in p.original", Conversation.PATIENCE);
        assertTrue(frames.size() > 20, "ends of connections");
        assertEquals(List.of(), frames.stream().filter(frame -> FlowLab.CLIENT.equals(
            frame.isIp() ? frame.ip().source() : "") || FlowLab.CLIENT_IPV6.equals(
            frame.isIpv6() ? frame.ipv6().source() : "")).toList());
    }
}
