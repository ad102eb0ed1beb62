package org.fibnuma.ipnuma.client.host;

import com.sun.management.ThreadMXBean;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.ipnuma.client.AnswerListener;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.client.RemoteWindow;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("stress")
@Timeout(60)
class ClientStressTest
{
    private static final int CLIENTS = 3;
    private static final int STORES = 60_000;
    private static final int AREA = 16 * 1024;

    private final Path directory = LoopbackEndpoint.directory("stress");

    @AfterEach
    void remove()
    {
        LoopbackEndpoint.remove(directory);
    }

    @Test
    void shouldEndWithTheMemoryThatEachClientWrote() throws InterruptedException
    {
        try (LoopbackEndpoint endpoint =
            new LoopbackEndpoint(directory, TimeUnit.SECONDS.toNanos(10), CLIENTS).start())
        {
            final byte[][] models = new byte[CLIENTS][];
            final Thread[] threads = new Thread[CLIENTS];
            for (int i = 0; i < CLIENTS; i++)
            {
                final int client = i;
                threads[i] = new Thread(() -> models[client] = write(client));
                threads[i].start();
            }
            for (final Thread thread : threads)
            {
                thread.join();
            }
            TestHost.await(() -> endpoint.rings().clientCount() == 0);
            for (int i = 0; i < CLIENTS; i++)
            {
                final byte[] seen = new byte[AREA];
                endpoint.box().mapping().getBytes((long)i * AREA, seen, 0, AREA);
                assertArrayEquals(models[i], seen, "client " + i);
            }
        }
    }

    /** Stores random bytes into an area of its own and returns what the area must contain in the end. */
    private byte[] write(final int number)
    {
        final Random random = new Random(number);
        final UnsafeBuffer model = new UnsafeBuffer(new byte[AREA]);
        final byte[] bytes = new byte[1500];
        final long base = (long)number * AREA;
        try (EndpointClient client = EndpointClient.connect(directory, AnswerListener.NONE))
        {
            final RemoteWindow window = client.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
            int next = 0;
            for (int i = 0; i < STORES; i++)
            {
                final int at = random.nextBoolean() && next < AREA - 1500 ? next : random.nextInt(AREA - 1500);
                next = at + put(window, model, random, base, at, bytes);
                if (random.nextInt(8) == 0)
                {
                    window.flush();
                }
            }
            window.flush();
        }
        return model.byteArray();
    }

    private static int put(
        final RemoteWindow window, final UnsafeBuffer model, final Random random, final long base, final int at,
        final byte[] bytes)
    {
        switch (random.nextInt(4))
        {
            case 0:
                final int word = random.nextInt();
                window.putInt(base + at, word);
                model.putInt(at, word);
                return Integer.BYTES;
            case 1:
                final int length = random.nextInt(bytes.length);
                random.nextBytes(bytes);
                window.putBytes(base + at, bytes, 0, length);
                model.putBytes(at, bytes, 0, length);
                return length;
            default:
                final long longWord = random.nextLong();
                window.putLong(base + at, longWord);
                model.putLong(at, longWord);
                return Long.BYTES;
        }
    }

    @Test
    void shouldShowAReaderEveryCounterAfterItsPayload()
    {
        try (LoopbackEndpoint endpoint = new LoopbackEndpoint(directory, TimeUnit.SECONDS.toNanos(10), 1).start();
            EndpointClient client = EndpointClient.connect(directory, AnswerListener.NONE);
            RegionMapping box = client.region("box"))
        {
            assertTrue(endpoint.rings().diedCount() == 0);
            final Thread writer = new Thread(() ->
            {
                final RemoteWindow window = client.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
                for (long i = 1; i <= STORES; i++)
                {
                    window.putLong(0, i);
                    window.putLong(8, ~i);
                    window.putLong(16, i);
                    window.flush();
                }
            });
            writer.start();
            long seen = 0;
            while (seen < STORES)
            {
                final long counter = box.getLongAcquire(16);
                assertTrue(counter >= seen);
                seen = counter;
                assertTrue(counter == 0 || ~box.getLongAcquire(8) >= counter);
                assertTrue(box.getLongAcquire(0) >= counter);
                Thread.yield();
            }
        }
    }

    @Test
    void shouldNotAllocateWhileRecordsPass()
    {
        try (LoopbackEndpoint endpoint = new LoopbackEndpoint(directory, TimeUnit.SECONDS.toNanos(10), 1);
            EndpointClient client = EndpointClient.connect(directory, AnswerListener.NONE))
        {
            endpoint.rings().poll(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(6));
            final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
            final RemoteWindow window = client.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 4; round++)
            {
                final long before = threads.getCurrentThreadAllocatedBytes();
                send(endpoint, client, window, 30_000);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertEquals(0, least);
        }
    }

    private static void send(
        final LoopbackEndpoint endpoint, final EndpointClient client, final RemoteWindow window, final int count)
    {
        final long target = ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 0);
        for (int i = 1; i <= count; i++)
        {
            window.putLong(0, i);
            window.flush();
            client.tryRead(target, 8, i);
            client.tryAtomic(1, target, 1, 0, 8, i);
            endpoint.rings().poll(System.nanoTime());
            client.poll();
        }
    }
}
