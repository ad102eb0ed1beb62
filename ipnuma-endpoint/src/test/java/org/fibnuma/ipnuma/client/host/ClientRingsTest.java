package org.fibnuma.ipnuma.client.host;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.ipnuma.client.AnswerListener;
import org.fibnuma.ipnuma.client.ClientException;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.client.EndpointLostException;
import org.fibnuma.ipnuma.client.HostileClient;
import org.fibnuma.ipnuma.client.OwnRegion;
import org.fibnuma.ipnuma.client.RemoteWindow;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.fibnuma.ipnuma.memory.RegionState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(20)
class ClientRingsTest
{
    private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(5);

    private final Path directory = LoopbackEndpoint.directory("rings");
    private final List<String> answers = new ArrayList<>();
    private final AnswerListener listener = new AnswerListener()
    {
        @Override
        public void onRead(
            final long correlation, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            answers.add("read " + correlation + " " + status + (length >= 8 ? " " + buffer.getLong(offset) : ""));
        }

        @Override
        public void onAtomic(final long correlation, final int status, final long previous)
        {
            answers.add("atomic " + correlation + " " + status + " " + previous);
        }

        @Override
        public void onDone(final long correlation, final int status)
        {
            answers.add("done " + correlation + " " + status);
        }

        @Override
        public void onPeer(final int type, final int peerId, final int status, final long value)
        {
            answers.add("peer " + type + " " + peerId + " " + status + " " + value);
        }
    };
    private LoopbackEndpoint endpoint;
    private long nowNs = System.nanoTime();

    @AfterEach
    void close()
    {
        if (endpoint != null)
        {
            endpoint.close();
        }
    }

    private EndpointClient connect()
    {
        endpoint = new LoopbackEndpoint(directory, TIMEOUT_NS, 2);
        return EndpointClient.connect(directory, listener);
    }

    private void turn()
    {
        nowNs = Math.max(nowNs, System.nanoTime());
        for (int i = 0; i < 3; i++)
        {
            nowNs += TimeUnit.MILLISECONDS.toNanos(6);
            endpoint.rings().poll(nowNs);
        }
    }

    @Test
    void shouldStoreIntoThePeerThroughAWindow()
    {
        try (EndpointClient client = connect())
        {
            endpoint.record = true;
            final RemoteWindow window = client.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
            window.putInt(0, 42);
            window.putInt(4, 43);
            window.putLong(64, 0x1122334455667788L);
            window.flush();
            turn();
            assertEquals(List.of("write 8", "write 8", "flush"), endpoint.calls);
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
        try (EndpointClient client = connect())
        {
            final byte[] bytes = new byte[5000];
            for (int i = 0; i < bytes.length; i++)
            {
                bytes[i] = (byte)(i * 7);
            }
            final RemoteWindow window = client.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
            window.putBytes(3, bytes, 0, bytes.length);
            window.flush();
            turn();
            final byte[] seen = new byte[bytes.length];
            endpoint.box().mapping().getBytes(3, seen, 0, seen.length);
            assertArrayEquals(bytes, seen);
        }
    }

    @Test
    void shouldAnswerReadsAtomicsAndFlushes()
    {
        try (EndpointClient client = connect())
        {
            endpoint.box().mapping().putLongRelease(8, 99);
            final long target = ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 8);
            assertTrue(client.tryRead(target, 8, 1));
            assertTrue(client.tryAtomic(1, target, 5, 0, 8, 2));
            assertTrue(client.tryRead(target, 8, 3));
            assertTrue(client.tryFlush(LoopbackEndpoint.PEER, 4));
            assertTrue(client.tryRead(target + LoopbackEndpoint.BOX_SIZE, 8, 5));
            assertTrue(client.tryRead(ClientMessage.target(3, 1, 0), 8, 6));
            assertTrue(client.tryDoorbell(LoopbackEndpoint.PEER));
            turn();
            assertEquals(7, client.poll());
            assertEquals(List.of("read 1 0 99", "atomic 2 0 99", "read 3 0 104", "done 4 0", "read 5 2",
                "read 6 " + ClientStatus.NO_PEER, "peer 113 2 0 0"), answers);
        }
    }

    @Test
    void shouldTellTheClientOfRefusedWrites()
    {
        try (EndpointClient client = connect())
        {
            client.window(LoopbackEndpoint.PEER, 9).putInt(0, 1);
            final RemoteWindow none = client.window(3, 1);
            none.putInt(0, 1);
            none.flush();
            final RemoteWindow noRegion = client.window(LoopbackEndpoint.PEER, 9);
            noRegion.putInt(0, 1);
            noRegion.flush();
            turn();
            client.poll();
            assertEquals(List.of("peer 114 3 " + ClientStatus.NO_PEER + " " + (1L << 32),
                "peer 114 2 1 " + (9L << 32)), answers);
        }
    }

    @Test
    void shouldTellTheClientOfAnswersThatNeverCome()
    {
        try (EndpointClient client = connect())
        {
            endpoint.silent = true;
            final long target = ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 0);
            assertTrue(client.tryRead(target, 8, 1));
            assertTrue(client.tryAtomic(1, target, 1, 0, 8, 2));
            turn();
            endpoint.tags.forEach(endpoint.rings()::onUnanswered);
            endpoint.tags.forEach(tag -> endpoint.rings().onAtomic(tag, 5, 0));
            client.poll();
            assertEquals(List.of(
                "read 1 " + ClientStatus.UNANSWERED, "atomic 2 " + ClientStatus.UNANSWERED + " 0"), answers);
        }
    }

    @Test
    void shouldUseTheKeyThatAClientTells()
    {
        try (EndpointClient client = connect())
        {
            final OwnRegion own = add(client, "mine", 4096);
            try (RegionMapping memory = own.memory())
            {
                final RemoteWindow window = client.window(LoopbackEndpoint.PEER, own.id());
                window.putInt(0, 1);
                window.flush();
                turn();
                assertEquals(0, memory.getIntAcquire(0));
                assertTrue(client.tryKey(LoopbackEndpoint.PEER, own.id(), own.key(), 8));
                window.putInt(0, 2);
                window.flush();
                turn();
                assertEquals(2, memory.getIntAcquire(0));
            }
        }
    }

    @Test
    void shouldRevokeRegionsWithTheirClient()
    {
        final EndpointClient client = connect();
        final OwnRegion first = add(client, "first", 4096);
        final OwnRegion second = add(client, "second", 8192);
        assertTrue(first.id() != second.id());
        assertTrue(first.key() != second.key());
        assertEquals(3, endpoint.table.regions().size());
        assertTrue(client.tryRemoveRegion(first.id(), 1));
        assertTrue(client.tryRemoveRegion(LoopbackEndpoint.BOX, 2));
        turn();
        client.poll();
        assertEquals(List.of("done 1 0", "done 2 " + ClientStatus.NOT_YOURS), answers);
        assertEquals(RegionState.REVOKED, first.memory().state());
        assertThrows(ClientException.class, () -> client.region("first"));
        client.close();
        turn();
        assertEquals(RegionState.REVOKED, second.memory().state());
        assertEquals(1, endpoint.table.regions().size());
        assertFalse(Files.exists(directory.resolve("regions/second")));
        first.memory().close();
        second.memory().close();
    }

    @Test
    void shouldSayWhyARegionIsRefused()
    {
        try (EndpointClient client = connect())
        {
            assertTrue(refusal(client, "box", 4096, "10.9.0.0/24").endsWith("name is taken"));
            assertTrue(refusal(client, "../x", 4096, "10.9.0.0/24").endsWith("bad request"));
            assertTrue(refusal(client, "x", 4095, "10.9.0.0/24").endsWith("bad request"));
            assertTrue(refusal(client, "x", 4096, "10.9.0.0/33").endsWith("bad request"));
            assertTrue(refusal(client, "x", 2 << 20, "10.9.0.0/24").endsWith("no room"));
        }
    }

    @Test
    void shouldHoldUpTheClientWhilePeersAreBusy()
    {
        try (EndpointClient client = connect())
        {
            endpoint.busy = true;
            final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);
            int sent = 0;
            while (client.tryWrite(ClientMessage.target(
                LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, sent * 8L), put(value, sent + 1), 0, 8, 0))
            {
                sent++;
            }
            assertTrue(sent > 100 && sent < 1000, "sent " + sent);
            turn();
            assertFalse(client.tryWrite(0, value, 0, 8, 0));
            endpoint.busy = false;
            for (int i = 0; i < 100; i++)
            {
                turn();
            }
            assertTrue(client.tryWrite(
                ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 0), value, 0, 8, 0));
            for (int i = 1; i < sent; i++)
            {
                assertEquals(i + 1, endpoint.box().mapping().getLongAcquire(i * 8L));
            }
        }
    }

    @Test
    void shouldOweTheFlushThatFoundNoRoom()
    {
        try (EndpointClient client = connect())
        {
            turn();
            final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);
            assertTrue(client.tryWrite(ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 0),
                value, 0, 8, ClientMessage.THEN_FLUSH));
            endpoint.record = true;
            endpoint.flushBusy = true;
            turn();
            assertEquals("write 8", endpoint.calls.get(0));
            assertEquals(1, endpoint.calls.stream().filter("write 8"::equals).count());
            endpoint.calls.clear();
            endpoint.flushBusy = false;
            turn();
            assertEquals(List.of("flush"), endpoint.calls);
        }
    }

    @Test
    void shouldServeOthersWhateverAClientStoresInItsPlace()
    {
        try (EndpointClient client = connect())
        {
            final RemoteWindow window = client.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
            final Random random = new Random(11);
            for (int i = 1; i <= 1500; i++)
            {
                final HostileClient hostile = new HostileClient(directory);
                turn();
                hostile.store(random);
                window.putLong(LoopbackEndpoint.BOX_SIZE - 8, i);
                window.flush();
                turn();
                hostile.close();
                turn();
                turn();
            }
            assertTrue(endpoint.rings().diedCount() > 500, endpoint.rings().diedCount() + " were given up");
            client.poll();
            window.putLong(0, 4711);
            window.flush();
            turn();
            assertEquals(4711, endpoint.box().mapping().getLongAcquire(0));
        }
    }

    @Test
    void shouldServeAsManyClientsAsThereArePlaces()
    {
        try (EndpointClient first = connect())
        {
            final EndpointClient second = EndpointClient.connect(directory, listener);
            assertTrue(assertThrows(ClientException.class, () -> EndpointClient.connect(directory, listener))
                .getMessage().contains("all 2 places"));
            second.close();
            turn();
            EndpointClient.connect(directory, listener).close();
            first.poll();
        }
    }

    @Test
    void shouldSayWhenThereIsNoEndpointOrItHasEnded()
    {
        assertTrue(assertThrows(ClientException.class, () -> EndpointClient.connect("no-such-endpoint", listener))
            .getMessage().startsWith("no endpoint in "));
        // A client looks eight times in a timeout.
        endpoint = new LoopbackEndpoint(directory, TimeUnit.SECONDS.toNanos(8), 2);
        try (EndpointClient client = EndpointClient.connect(directory, listener))
        {
            endpoint.close();
            endpoint = null;
            await(() ->
            {
                try
                {
                    client.poll();
                    return false;
                }
                catch (final EndpointLostException ex)
                {
                    return ex.getMessage().contains("has ended");
                }
            });
        }
    }

    @Test
    void shouldDropWhatWaitsForAPeerThatWasStartedAnew()
    {
        try (EndpointClient client = connect(); RegionMapping region = client.region("box"))
        {
            final UnsafeBuffer data = new UnsafeBuffer(new byte[8]);
            final long target = ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 0);
            assertTrue(client.tryKey(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, LoopbackEndpoint.BOX_KEY, 9));
            turn();
            endpoint.rings().onPeer(ClientMessage.PEER_RESTARTED, LoopbackEndpoint.PEER, 0, 0);
            endpoint.busy = true;
            for (int i = 0; i < 4; i++)
            {
                assertTrue(client.tryWrite(target + 8 * i, put(data, 70 + i), 0, 8, ClientMessage.ORDERED));
                assertTrue(client.tryRead(target, 8, 1 + i));
                turn();
                if (i < 2)
                {
                    endpoint.rings().onPeer(ClientMessage.PEER_RESTARTED, LoopbackEndpoint.PEER + i, 0, 3);
                }
            }
            endpoint.busy = false;
            turn();
            client.poll();
            assertEquals(List.of(0L, 71L, 72L, 73L), LongStream.range(0, 4).map(i -> region.getLongAcquire(8 * i))
                .boxed().toList());
            final int restarted = ClientMessage.PEER_RESTARTED;
            assertEquals(List.of("done 9 0", "peer " + restarted + " 2 0 0", "peer " + restarted + " 2 0 3",
                "read 1 " + ClientStatus.UNANSWERED, "peer " + restarted + " 3 0 3", "read 2 0 0", "read 3 0 0",
                "read 4 0 0"), answers);
        }
    }

    static void await(final BooleanSupplier condition)
    {
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - end < 0, "waited for 10 s in vain");
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static DirectBuffer put(final UnsafeBuffer buffer, final long value)
    {
        buffer.putLong(0, value);
        return buffer;
    }

    private String refusal(final EndpointClient client, final String name, final long size, final String allow)
    {
        return assertThrows(ClientException.class, () -> whileServing(() ->
            client.addRegion(name, size, 3, allow))).getMessage();
    }

    private OwnRegion add(final EndpointClient client, final String name, final long size)
    {
        final OwnRegion[] region = new OwnRegion[1];
        whileServing(() -> region[0] = client.addRegion(name, size, 3, "10.9.0.0/24"));
        return region[0];
    }

    /** The endpoint works on this thread in these tests; here another one waits for it. */
    private void whileServing(final Runnable waiting)
    {
        final Throwable[] failure = new Throwable[1];
        final Thread waiter = new Thread(waiting);
        waiter.setUncaughtExceptionHandler((thread, thrown) -> failure[0] = thrown);
        waiter.start();
        await(() ->
        {
            turn();
            return !waiter.isAlive();
        });
        if (failure[0] instanceof RuntimeException)
        {
            throw (RuntimeException)failure[0];
        }
    }
}
