package org.fibnuma.ipnuma.client.host;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.client.RemoteWindow;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests requests for a peer that takes none for now. */
@Timeout(120)
class BusyPeersTest
{
    private final TestHost host = new TestHost();

    @AfterEach
    void close()
    {
        host.close();
    }

    @Test
    void shouldHoldUpTheClientWhilePeersAreBusy()
    {
        try (EndpointClient client = host.connect())
        {
            host.endpoint().busy = true;
            final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);
            int sent = 0;
            while (client.tryWrite(ClientMessage.target(
                LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, sent * 8L), put(value, sent + 1), 0, 8, 0))
            {
                sent++;
            }
            assertTrue(sent > 100 && sent < 1000, "sent " + sent);
            host.turn();
            assertFalse(client.tryWrite(0, value, 0, 8, 0));
            host.endpoint().busy = false;
            for (int i = 0; i < 100; i++)
            {
                host.turn();
            }
            assertTrue(client.tryWrite(
                ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 0), value, 0, 8, 0));
            for (int i = 1; i < sent; i++)
            {
                assertEquals(i + 1, host.endpoint().box().mapping().getLongAcquire(i * 8L));
            }
        }
    }

    @Test
    void shouldSendNothingThatWasMeantForALostConnection()
    {
        try (EndpointClient client = host.connect(); RegionMapping region = client.region("box"))
        {
            final int[] losses = {ClientMessage.PEER_DOWN, ClientMessage.PEER_RESTARTED};
            final UnsafeBuffer data = new UnsafeBuffer(new byte[8]);
            final long target = ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 0);
            host.turn();
            for (int i = 0; i < losses.length; i++)
            {
                // In the ring when the connection is lost.
                host.endpoint().busy = true;
                assertTrue(client.tryWrite(target + 8, put(data, 70), 0, 8, ClientMessage.ORDERED));
                host.turn();
                host.endpoint().rings().onPeer(losses[i], LoopbackEndpoint.PEER, 0, 3);
                host.endpoint().rings().onPeer(ClientMessage.PEER_UP, LoopbackEndpoint.PEER, 0, 0);
                host.endpoint().busy = false;
                host.turn();
                // Sent after the next connection was established, by a client that has not been notified.
                assertTrue(client.tryWrite(target + 16, put(data, 71), 0, 8, ClientMessage.ORDERED));
                assertTrue(client.tryRead(target, 8, 1));
                assertTrue(client.tryFlush(LoopbackEndpoint.PEER, 2));
                final RemoteWindow window = client.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
                window.putLong(24, 72);
                host.turn();
                client.poll();
                final int unanswered = ClientStatus.UNANSWERED;
                final long box = (long)LoopbackEndpoint.BOX << 32;
                assertEquals(List.of("peer " + losses[i] + " 2 0 3", "peer " + ClientMessage.PEER_UP + " 2 0 0",
                    "peer 114 2 " + unanswered + " " + (box + 8), "peer 114 2 " + unanswered + " " + (box + 16),
                    "read 1 " + unanswered, "done 2 " + unanswered), host.answers);
                host.answers.clear();
                // Stored into the window before the client was notified, and flushed after.
                window.flush();
                assertTrue(client.tryWrite(target + 32, put(data, 73 + i), 0, 8, ClientMessage.ORDERED));
                host.turn();
                assertEquals(List.of(0L, 0L, 0L, 0L, 73L + i), LongStream.range(0, 5)
                    .map(k -> region.getLongAcquire(8 * k)).boxed().toList());
                client.poll();
                host.answers.clear();
            }
        }
    }

    @Test
    void shouldTellALostConnectionWhenThereIsRoomAgain()
    {
        try (EndpointClient client = host.connect(); RegionMapping region = client.region("box"))
        {
            final UnsafeBuffer data = new UnsafeBuffer(new byte[8]);
            final long target = ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 0);
            host.turn();
            while (client.lostEvents() == 0)
            {
                host.endpoint().rings().onPeer(ClientMessage.PEER_DOORBELL, LoopbackEndpoint.PEER, 0, 0);
            }
            host.endpoint().rings().onPeer(ClientMessage.PEER_DOWN, LoopbackEndpoint.PEER, 0, 3);
            host.endpoint().rings().onPeer(ClientMessage.PEER_DOWN, LoopbackEndpoint.PEER, 0, 4);
            assertTrue(client.tryWrite(target, put(data, 70), 0, 8, ClientMessage.ORDERED));
            host.turn();
            while (client.poll() > 0)
            {
                host.turn();
            }
            assertTrue(host.answers.contains("peer " + ClientMessage.PEER_DOWN + " 2 0 7"));
            assertEquals(0, region.getLongAcquire(0));
            assertTrue(client.tryWrite(target, put(data, 71), 0, 8, ClientMessage.ORDERED));
            host.turn();
            assertEquals(71, region.getLongAcquire(0));
        }
    }

    private static DirectBuffer put(final UnsafeBuffer buffer, final long value)
    {
        buffer.putLong(0, value);
        return buffer;
    }
}
