package org.fibnuma.ipnuma.client.host;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.client.OwnRegion;
import org.fibnuma.ipnuma.client.RemoteWindow;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that requests of clients reach the peer, and the answers reach the client. */
@Timeout(120)
class ClientRequestsTest
{
    private final TestHost host = new TestHost();

    @AfterEach
    void close()
    {
        host.close();
    }

    @Test
    void shouldStoreIntoThePeerThroughAWindow()
    {
        try (EndpointClient client = host.connect())
        {
            host.endpoint().record = true;
            final RemoteWindow window = client.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
            window.putInt(0, 42);
            window.putInt(4, 43);
            window.putLong(64, 0x1122334455667788L);
            window.flush();
            host.turn();
            assertEquals(List.of("write 8", "write 8", "flush"), host.endpoint().calls);
            try (RegionMapping region = client.region("box"))
            {
                assertEquals(42, region.getIntAcquire(0));
                assertEquals(43, region.getIntAcquire(4));
                assertEquals(0x1122334455667788L, region.getLongAcquire(64));
            }
        }
    }

    @Test
    void shouldSplitLongStores()
    {
        try (EndpointClient client = host.connect())
        {
            final byte[] bytes = new byte[5000];
            for (int i = 0; i < bytes.length; i++)
            {
                bytes[i] = (byte)(i * 7);
            }
            final RemoteWindow window = client.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
            window.putBytes(3, bytes, 0, bytes.length);
            window.flush();
            host.turn();
            final byte[] seen = new byte[bytes.length];
            host.endpoint().box().mapping().getBytes(3, seen, 0, seen.length);
            assertArrayEquals(bytes, seen);
        }
    }

    @Test
    void shouldAnswerReadsAtomicsAndFlushes()
    {
        try (EndpointClient client = host.connect())
        {
            host.endpoint().box().mapping().putLongRelease(8, 99);
            final long target = ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 8);
            assertTrue(client.tryRead(target, 8, 1));
            assertTrue(client.tryAtomic(1, target, 5, 0, 8, 2));
            assertTrue(client.tryRead(target, 8, 3));
            assertTrue(client.tryFlush(LoopbackEndpoint.PEER, 4));
            assertTrue(client.tryRead(target + LoopbackEndpoint.BOX_SIZE, 8, 5));
            assertTrue(client.tryRead(ClientMessage.target(3, 1, 0), 8, 6));
            assertTrue(client.tryDoorbell(LoopbackEndpoint.PEER));
            host.turn();
            assertEquals(7, client.poll());
            assertEquals(List.of("read 1 0 99", "atomic 2 0 99", "read 3 0 104", "done 4 0", "read 5 2",
                "read 6 " + ClientStatus.NO_PEER, "peer 113 2 0 0"), host.answers);
        }
    }

    @Test
    void shouldAnswerAFlushNotBeforeThePeerIsUp()
    {
        try (EndpointClient client = host.connect())
        {
            host.endpoint().down = true;
            assertTrue(client.tryFlush(LoopbackEndpoint.PEER, 4));
            host.turn();
            assertEquals(0, client.poll());
            host.endpoint().down = false;
            host.turn();
            assertEquals(1, client.poll());
            assertEquals(List.of("done 4 0"), host.answers);
        }
    }

    @Test
    void shouldTellTheClientOfRefusedWrites()
    {
        try (EndpointClient client = host.connect())
        {
            client.window(LoopbackEndpoint.PEER, 9).putInt(0, 1);
            final RemoteWindow none = client.window(3, 1);
            none.putInt(0, 1);
            none.flush();
            final RemoteWindow noRegion = client.window(LoopbackEndpoint.PEER, 9);
            noRegion.putInt(0, 1);
            noRegion.flush();
            host.turn();
            client.poll();
            assertEquals(List.of("peer 114 3 " + ClientStatus.NO_PEER + " " + (1L << 32),
                "peer 114 2 1 " + (9L << 32)), host.answers);
        }
    }

    @Test
    void shouldShowTheKeyThatWasSetLast()
    {
        try (EndpointClient client = host.connect())
        {
            final OwnRegion region = host.add(client, "own", 4096);
            final long target = ClientMessage.target(LoopbackEndpoint.PEER, region.id(), 0);
            final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
            for (int i = 0; i < 3; i++)
            {
                assertTrue(client.tryKey(LoopbackEndpoint.PEER, region.id(), region.key() + i % 2, 10 + i));
                assertTrue(client.tryWrite(target, bytes, 0, 8, 0, 20 + i));
                assertTrue(client.tryWrite(target, bytes, 0, 8, 0, 30 + i));
            }
            host.turn();
            client.poll();
            assertEquals(List.of("done 10 0", "written 20 0", "written 30 0", "done 11 0",
                "written 21 " + AccessStatus.WRONG_KEY, "written 31 " + AccessStatus.WRONG_KEY,
                "done 12 0", "written 22 0", "written 32 0"),
                host.answers.stream().filter(answer -> !answer.startsWith("peer")).toList());
            region.memory().close();
        }
    }

    @Test
    void shouldTellTheClientOfAnswersThatNeverCome()
    {
        try (EndpointClient client = host.connect())
        {
            host.endpoint().silent = true;
            final long target = ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 0);
            assertTrue(client.tryRead(target, 8, 1));
            assertTrue(client.tryAtomic(1, target, 1, 0, 8, 2));
            host.turn();
            host.endpoint().tags.forEach(host.endpoint().rings()::onUnanswered);
            host.endpoint().tags.forEach(tag -> host.endpoint().rings().onAtomic(tag, 5, 0));
            client.poll();
            assertEquals(List.of(
                "read 1 " + ClientStatus.UNANSWERED, "atomic 2 " + ClientStatus.UNANSWERED + " 0"), host.answers);
        }
    }
}
