package org.fibnuma.ipnuma.stream;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.ipnuma.client.AnswerListener;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Many connections, faults of the network, and a peer that stores nonsense.
 * {@code -Dfibnuma.streams.connections=N} opens another number of connections, one wave after the other.
 */
@Timeout(120)
class StreamStressTest
{
    private static final String FAULTS = "fault:loss=3,dup=3,reorder=3,seed=11/";
    /** Bytes that each end of a connection sends. */
    private static final int BYTES = 400_000;
    private static final int RING = 4096;
    /** Longest part that is written or read at once. */
    private static final int LONGEST = 6000;
    private static final int CONNECTIONS = Integer.getInteger("fibnuma.streams.connections", 100_000);
    /** Bytes that may be in use after all connections in addition to those before: 84 for each of 100,000. */
    private static final long MOST_MORE_HEAP = 8L << 20;
    /** Connections at once, and most that a program can have. */
    private static final int WAVE = 500;
    private static final int SLOTS = 600;

    @TempDir
    private Path directory;
    private StreamLab lab;

    @AfterEach
    void close()
    {
        lab.close();
    }

    /** A stream of numbered bytes: writes random parts and expects those of the other end. */
    private static final class Counted
    {
        private final StreamChannel channel;
        private final Random random;
        private final ByteBuffer heap = ByteBuffer.allocate(LONGEST);
        private final ByteBuffer outside = ByteBuffer.allocateDirect(LONGEST);
        private volatile long sent;
        private long received;
        private volatile boolean ended;

        Counted(final StreamChannel channel, final long seed)
        {
            this.channel = channel;
            this.random = new Random(seed);
        }

        private static byte at(final long position)
        {
            return (byte)(position * 7 + (position >>> 8));
        }

        void turn() throws IOException
        {
            final ByteBuffer buffer = random.nextBoolean() ? heap : outside;
            if (sent < BYTES)
            {
                final int length = (int)Math.min(BYTES - sent, 1 + random.nextInt(LONGEST));
                buffer.clear().limit(length);
                for (int i = 0; i < length; i++)
                {
                    buffer.put(i, at(sent + i));
                }
                sent += channel.write(buffer);
                if (sent == BYTES)
                {
                    channel.finish();
                }
            }
            buffer.clear().limit(1 + random.nextInt(LONGEST));
            final int count = channel.read(buffer);
            for (int i = 0; i < count; i++)
            {
                assertEquals(at(received + i), buffer.get(i), "byte " + (received + i));
            }
            received += Math.max(0, count);
            ended = ended || count < 0;
        }

        boolean isDone()
        {
            return ended && sent == BYTES;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "fault:loss=1,dup=1,reorder=1,seed=21/", FAULTS, "fault:loss=5,dup=5,reorder=5,seed=31/",
        "fault:loss=10,dup=10,reorder=10,seed=41/"})
    void shouldCarryEachByteOnceAndInOrderOverANetworkThatLosesRepeatsAndReorders(final String faults) throws Exception
    {
        lab = new StreamLab(directory, faults);
        exchange(RING, true);
    }

    private boolean sawFaults(final int id)
    {
        return Stream.of("repaired", "duplicates", "out-of-order").allMatch(label -> lab.count(id, label) > 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", FAULTS})
    void shouldCarryEachByteOnceAndInOrderIfEachProgramRunsItsEndpoint(final String faults) throws Exception
    {
        lab = StreamLab.withoutThreads(directory, faults);
        exchange(4 * RING, !faults.isEmpty());
    }

    /** Exchanges bytes over eight connections at once, by two threads. */
    private void exchange(final int ringCapacity, final boolean withFaults) throws Exception
    {
        final StreamAgent a = lab.agent(1, 16, ringCapacity);
        final StreamAgent b = lab.agent(2, 16, ringCapacity);
        final StreamAcceptor acceptor = b.listen(7000, 16);
        final List<Counted> near = new ArrayList<>();
        final List<Counted> far = new ArrayList<>();
        for (int i = 0; i < 8; i++)
        {
            final StreamChannel channel = a.connect(acceptor.address());
            StreamLab.run(() -> isConnected(channel), a, b);
            near.add(new Counted(channel, i));
            far.add(new Counted(acceptor.accept(), 100 + i));
        }
        final Throwable[] problem = new Throwable[1];
        // Each end runs until both have everything: the other one needs its endpoint.
        final List<Counted> all = Stream.concat(near.stream(), far.stream()).toList();
        final Thread other = new Thread(() -> turns(far, all, b));
        other.setUncaughtExceptionHandler((thread, thrown) -> problem[0] = thrown);
        other.start();
        turns(near, all, a);
        other.join();
        assertEquals(null, problem[0]);
        all.forEach(end ->
        {
            assertEquals(BYTES, end.received);
            end.channel.close();
        });
        StreamLab.run(() -> a.connectionCount() == 0 && b.connectionCount() == 0, a, b);
        StreamLab.run(() -> !withFaults || sawFaults(1) && sawFaults(2), a, b);
    }

    private static void turns(final List<Counted> ends, final List<Counted> all, final StreamAgent agent)
    {
        StreamLab.run(() ->
        {
            try
            {
                for (final Counted end : ends)
                {
                    if (!end.isDone())
                    {
                        end.turn();
                    }
                }
            }
            catch (final IOException ex)
            {
                throw new AssertionError(ex);
            }
            return all.stream().allMatch(Counted::isDone);
        }, agent);
    }

    private static boolean isConnected(final StreamChannel channel)
    {
        try
        {
            return channel.finishConnect();
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    @Test
    @Timeout(1200)
    void shouldLeakNothingInManyConnections() throws Exception
    {
        lab = new StreamLab(directory, "");
        final StreamAgent a = lab.agent(1, SLOTS, RING);
        final StreamAgent b = lab.agent(2, SLOTS, RING);
        final StreamAcceptor acceptor = b.listen(7000, SLOTS);
        openAndClose(a, b, acceptor, WAVE, Long.BYTES);
        final long heapBefore = usedHeap();
        final long filesBefore = count(Path.of("/proc/self/fd"));
        final long regionsBefore = bytes(lab.directory(2).resolve("regions"));
        for (int i = 0; i < CONNECTIONS; i += WAVE)
        {
            openAndClose(a, b, acceptor, WAVE, Long.BYTES);
            assertUnused(a);
            assertUnused(b);
        }
        final long heap = usedHeap();
        assertTrue(heap - heapBefore < MOST_MORE_HEAP, heap + " bytes in use, " + heapBefore + " before");
        // All slots and all bytes of their rings can still be used, at both ends.
        openAndClose(a, b, acceptor, SLOTS, RING);
        assertUnused(a);
        assertUnused(b);
        final int waves = (CONNECTIONS + WAVE - 1) / WAVE;
        assertEquals((1 + waves) * WAVE + SLOTS, a.value(StreamCounter.CONNECTED));
        assertEquals((1 + waves) * WAVE + SLOTS, b.value(StreamCounter.ACCEPTED));
        assertEquals(regionsBefore, bytes(lab.directory(2).resolve("regions")));
        final long files = count(Path.of("/proc/self/fd"));
        assertTrue(files <= filesBefore + 5, files + " files, " + filesBefore + " before");
    }

    /** Returns the bytes of the heap in use: the least after each of several collections. */
    private static long usedHeap()
    {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++)
        {
            System.gc();
            least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    private static void assertUnused(final StreamAgent agent)
    {
        assertEquals(0, agent.connectionCount());
        assertEquals(0, agent.attemptCount());
        for (int i = 0; i < StreamLayout.HELLOS; i++)
        {
            assertEquals(0, agent.memory().getLongVolatile(StreamLayout.hello(i)), "hello slot " + i);
        }
    }

    /** Opens connections at once, sends bytes both ways over each, and ends them in four ways. */
    private static void openAndClose(final StreamAgent a, final StreamAgent b, final StreamAcceptor acceptor,
        final int count, final int bytes) throws IOException
    {
        final List<StreamChannel> near = new ArrayList<>();
        final List<StreamChannel> far = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            near.add(a.connect(acceptor.address()));
        }
        StreamLab.run(() ->
        {
            for (StreamChannel next = acceptor.accept(); next != null; next = acceptor.accept())
            {
                far.add(next);
            }
            return far.size() == count && near.stream().allMatch(StreamStressTest::isConnected);
        }, a, b);
        exchange(near, far, bytes, a, b);
        exchange(far, near, bytes, a, b);
        for (int i = 0; i < count; i++)
        {
            end(i % 4, near.get(i), far.get(i));
        }
        StreamLab.run(() -> a.connectionCount() == 0 && b.connectionCount() == 0, a, b);
    }

    private static void end(final int way, final StreamChannel near, final StreamChannel far) throws IOException
    {
        switch (way)
        {
            case 0 -> near.reset();
            case 1 -> far.reset();
            case 2 -> near.finish();
            default -> near.close();
        }
        near.close();
        far.close();
    }

    /** Writes as many bytes to each channel and reads them at its other end; bytes are counted over all channels. */
    private static void exchange(final List<StreamChannel> from, final List<StreamChannel> to, final int bytes,
        final StreamAgent a, final StreamAgent b)
    {
        final List<ByteBuffer> sent = from.stream().map(channel -> ByteBuffer.allocate(bytes)).toList();
        final ByteBuffer received = ByteBuffer.allocate(bytes);
        final long[] missing = {(long)bytes * from.size()};
        StreamLab.run(() ->
        {
            try
            {
                for (int i = 0; i < from.size(); i++)
                {
                    if (sent.get(i).hasRemaining())
                    {
                        from.get(i).write(sent.get(i));
                    }
                    missing[0] -= to.get(i).read(received.clear());
                }
            }
            catch (final IOException ex)
            {
                throw new AssertionError(ex);
            }
            return missing[0] == 0;
        }, a, b);
    }

    private static long bytes(final Path folder) throws IOException
    {
        try (Stream<Path> entries = Files.list(folder))
        {
            return entries.mapToLong(entry -> entry.toFile().length()).sum();
        }
    }

    private static long count(final Path folder) throws IOException
    {
        try (Stream<Path> entries = Files.list(folder))
        {
            return entries.count();
        }
    }

    @Test
    void shouldResetOnlyTheConnectionWhoseHeaderHoldsNonsense() throws Exception
    {
        lab = new StreamLab(directory, "");
        final StreamAgent a = lab.agent(1, 64, RING);
        final StreamAgent b = lab.agent(2, 64, RING);
        final StreamAcceptor acceptor = b.listen(7000, 16);
        final StreamLayout layout = b.layout();
        final Random random = new Random(5);
        try (EndpointClient hostile = EndpointClient.connect(lab.directory(1), AnswerListener.NONE))
        {
            final PortEntry entry = entryOf(acceptor);
            hostile.tryKey(2, entry.regionId(), entry.key(), 1);
            final StreamChannel good = a.connect(acceptor.address());
            StreamLab.run(() -> isConnected(good), a, b);
            final StreamChannel goodFar = acceptor.accept();
            for (int round = 0; round < 60; round++)
            {
                final StreamChannel victim = a.connect(acceptor.address());
                StreamLab.run(() -> isConnected(victim), a, b);
                final StreamChannel victimFar = acceptor.accept();
                scribble(hostile, random, entry.regionId(), layout.header(victimFar.slot()), victimFar.slot(), layout);
                StreamLab.run(() -> hostile.poll() >= 0 && isBroken(victimFar), a, b);
                victim.reset();
                victimFar.close();
                echo(good, goodFar, a, b);
                echo(goodFar, good, a, b);
            }
            final long reasons = b.value(StreamCounter.BAD_ENDING) + b.value(StreamCounter.BAD_POSITION) +
                b.value(StreamCounter.BAD_CREDIT);
            assertEquals(60, reasons);
            good.close();
            goodFar.close();
            StreamLab.run(() -> hostile.poll() >= 0 && a.connectionCount() == 0 && b.connectionCount() == 0, a, b);
            assertTrue(b.value(StreamCounter.BAD_HELLO) > 0);
        }
    }

    private PortEntry entryOf(final StreamAcceptor acceptor)
    {
        try (EndpointClient local = EndpointClient.connect(lab.directory(2), AnswerListener.NONE);
            var ports = local.region("streams"))
        {
            return PortEntry.read(new UnsafeBuffer(ports.address(), (int)PortRegion.SIZE),
                acceptor.address().port() * PortEntry.LENGTH);
        }
    }

    /** Stores random words into a header, random hello records, and all ready marks. */
    private static void scribble(final EndpointClient hostile, final Random random, final int regionId,
        final int header, final int slot, final StreamLayout layout)
    {
        final UnsafeBuffer words = new UnsafeBuffer(new byte[StreamLayout.HELLO_LENGTH]);
        for (int i = 0; i < 16; i++)
        {
            random.nextBytes(words.byteArray());
            if (random.nextBoolean())
            {
                words.putLong(HelloRecord.COMPLETE_OFFSET, words.getLong(HelloRecord.CLAIM_OFFSET));
            }
            store(hostile, regionId, StreamLayout.hello(random.nextInt(StreamLayout.HELLOS)), words,
                StreamLayout.HELLO_LENGTH);
        }
        random.nextBytes(words.byteArray());
        store(hostile, regionId, header, words, SlotHeader.STATUS_LENGTH);
        words.setMemory(0, StreamLayout.HELLO_LENGTH, (byte)1);
        store(hostile, regionId, layout.ready(slot), words, 1);
        store(hostile, regionId, StreamLayout.summary(0), words, 2);
    }

    private static void store(final EndpointClient hostile, final int regionId, final int offset,
        final UnsafeBuffer bytes, final int length)
    {
        StreamLab.run(() -> hostile.poll() >= 0 && hostile.tryWrite(ClientMessage.target(2, regionId, offset), bytes, 0,
            length, ClientMessage.ORDERED | ClientMessage.THEN_FLUSH));
    }

    private static boolean isBroken(final StreamChannel channel)
    {
        try
        {
            channel.read(ByteBuffer.allocate(1));
            return false;
        }
        catch (final IOException ex)
        {
            return true;
        }
    }

    private static void echo(
        final StreamChannel from, final StreamChannel to, final StreamAgent a, final StreamAgent b) throws IOException
    {
        assertEquals(3, from.write(ByteBuffer.wrap(new byte[] {1, 2, 3})));
        StreamLab.run(() -> to.available() == 3, a, b);
        final ByteBuffer bytes = ByteBuffer.allocate(4);
        assertEquals(3, to.read(bytes));
        assertEquals(3, bytes.get(2));
    }
}
