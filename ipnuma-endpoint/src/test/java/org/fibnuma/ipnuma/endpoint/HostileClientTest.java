package org.fibnuma.ipnuma.endpoint;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.fibnuma.ipnuma.client.AnswerListener;
import org.fibnuma.ipnuma.client.ClientLayout;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.client.HostileClient;
import org.fibnuma.ipnuma.client.RemoteWindow;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An endpoint under the launcher's flags serves its clients whatever one of them stores into the shared memory. */
@Timeout(120)
class HostileClientTest
{
    private static final int A = 1;
    private static final int B = 2;
    private static final int RING_CAPACITY = 64 * 1024;

    private final String prefix = "test-hostile-" + ProcessHandle.current().pid();

    @TempDir
    private Path directory;
    private EndpointProcess a;
    private EndpointProcess b;
    private RegionMapping box;
    private EndpointClient healthy;
    private RemoteWindow window;
    private long value;
    private long losses;
    private final List<String> answers = new ArrayList<>();

    @BeforeEach
    void startTwoEndpoints() throws Exception
    {
        a = new EndpointProcess(directory, prefix + "a", "shm:" + prefix, A, B);
        b = new EndpointProcess(directory, prefix + "b", "shm:" + prefix + "@far", B, A);
        a.startServing();
        b.start();
        a.awaitReady();
        b.awaitReady();
        box = b.box();
        healthy = EndpointClient.connect(a.name(), new AnswerListener()
        {
            @Override
            public void onPeer(final int type, final int peerId, final int status, final long lost)
            {
                losses += type == ClientMessage.PEER_DOWN || status == ClientStatus.UNANSWERED ? 1 : 0;
            }

            @Override
            public void onRead(final long correlation, final int status, final DirectBuffer buffer, final int offset,
                final int length)
            {
                answers.add("read " + correlation + ": " + (status == ClientStatus.OK ?
                    Long.toHexString(buffer.getLong(offset)) : ClientStatus.label(status)));
            }

            @Override
            public void onAtomic(final long correlation, final int status, final long previous)
            {
                answers.add("atomic " + correlation + ": " + previous + " " + ClientStatus.label(status));
            }
        });
        window = healthy.window(B, EndpointProcess.BOX);
        requireService("before anything was stored");
    }

    @AfterEach
    void closeAll()
    {
        CloseHelper.quietCloseAll(healthy, box, a, b);
    }

    @Test
    void shouldGiveUpOnlyTheClientWhoseRecordLeavesItsRing()
    {
        final int[][] headers = {
            {0x7fffffff, -1}, {0x7fffffff, 1}, {0x7ffffff8, -1}, {RING_CAPACITY + 8, -1}, {RING_CAPACITY + 1, 1},
            {1, -1}, {7, 1}, {7, -1}};
        for (int i = 0; i < headers.length; i++)
        {
            final HostileClient hostile = new HostileClient(a.directory());
            hostile.storeHeader(headers[i][0], headers[i][1]);
            final String what = "length " + headers[i][0] + " type " + headers[i][1];
            await(what, () -> hostile.state() == ClientLayout.SLOT_DEAD);
            requireService(what);
            await(what, () -> a.counter("clients-given-up") > 0);
            hostile.close();
        }
        await("one count for each", () -> a.counter("clients-given-up") == headers.length);
    }

    @Test
    void shouldReadAcrossAPageAndRefuseAnAtomicThatIsNotAligned()
    {
        final byte[] stored = new byte[1024];
        new Random(3).nextBytes(stored);
        box.putBytes(4092, stored, 0, stored.length);
        final long page = ClientMessage.target(B, EndpointProcess.BOX, 4096);
        assertTrue(healthy.tryRead(page - 4, 8, 1));
        assertTrue(healthy.tryRead(page - 1, 1024, 2));
        assertTrue(healthy.tryAtomic(1, page - 4, 1, 0, 8, 3));
        assertTrue(healthy.tryAtomic(1, page + 2, 1, 0, 4, 4));
        assertTrue(healthy.tryAtomic(1, ClientMessage.target(B, EndpointProcess.BOX, 4), 1, 0, 8, 5));
        assertTrue(healthy.tryRead(ClientMessage.target(B, EndpointProcess.BOX, 65_532), 8, 6));
        assertTrue(healthy.tryRead(ClientMessage.target(B, EndpointProcess.BOX, 0xFFFF_FFFCL), 8, 7));
        await("seven answers", () ->
        {
            healthy.poll();
            return answers.size() == 7;
        });
        final ByteBuffer bytes = ByteBuffer.wrap(stored).order(ByteOrder.nativeOrder());
        answers.sort(Comparator.comparing(answer -> answer.split(" ")[1]));
        assertEquals(List.of(
            "read 1: " + Long.toHexString(bytes.getLong(0)),
            "read 2: " + Long.toHexString(bytes.getLong(3)),
            "atomic 3: 0 misaligned",
            "atomic 4: 0 misaligned",
            "atomic 5: 0 misaligned",
            "read 6: out of range",
            "read 7: out of range"), answers);
        requireService("requests across pages");
    }

    @Test
    void shouldServeTheOthersWhateverLengthIsNegativeOrPositionImpossible()
    {
        final long[] positions = {-1, 1, 7, Long.MIN_VALUE, Long.MAX_VALUE, RING_CAPACITY + 8L, 1L << 40};
        for (final long position : positions)
        {
            final HostileClient hostile = new HostileClient(a.directory());
            hostile.storeHeader((int)position | Integer.MIN_VALUE, -1);
            hostile.storeTail(position);
            requireService("tail " + position);
            hostile.storeAnswerHead(position);
            // A flush to B that wants an answer.
            hostile.storeFlush(B);
            await("answer head " + position, () -> hostile.state() == ClientLayout.SLOT_DEAD);
            requireService("answer head " + position);
            hostile.close();
        }
    }

    @Test
    void shouldServeTheOthersWhateverStateOrGarbageIsStored()
    {
        final Random random = new Random(12);
        for (int i = 0; i < 60; i++)
        {
            final HostileClient hostile = new HostileClient(a.directory());
            hostile.store(random);
            requireService("garbage " + i);
            hostile.storeState(i % 2 == 0 ? random.nextInt() : ClientLayout.SLOT_FREE);
            await("state " + i, () -> hostile.state() == ClientLayout.SLOT_DEAD || hostile.state() == 0);
            requireService("state " + i);
            hostile.close();
            await("place " + i, () -> hostile.state() == ClientLayout.SLOT_FREE);
        }
    }

    @Test
    void shouldNotLetAClientCutTheFileOfTheClients() throws IOException
    {
        try (FileChannel clients = FileChannel.open(a.directory().resolve("clients"), WRITE))
        {
            final long length = clients.size();
            assertThrows(IOException.class, () -> clients.truncate(0));
            assertThrows(IOException.class, () -> clients.truncate(4096));
            assertEquals(length, clients.size());
        }
        requireService("the clients file was cut");
    }

    @Test
    void shouldServeAllOthersWhileAClientCutsRegions() throws IOException
    {
        // Of A, into which B's client writes as well.
        try (EndpointClient atB = EndpointClient.connect(b.name(), AnswerListener.NONE);
            FileChannel region = FileChannel.open(a.directory().resolve("regions/box"), WRITE))
        {
            final long length = region.size();
            final RemoteWindow toA = atB.window(A, EndpointProcess.BOX);
            for (int i = 0; i < 50; i++)
            {
                final String what = "region cut, round " + i;
                region.truncate(i % 2 == 0 ? 0 : 8192);
                atB.poll();
                for (int k = 0; k < 100; k++)
                {
                    toA.putLong(8L * (k + 512), k);
                    toA.flush();
                }
                requireService(what);
                await(what, () -> size(region) == length);
            }
            try (RegionMapping boxOfA = a.box())
            {
                await("a write to the region of A", () ->
                {
                    // Learns that connections were lost.
                    atB.poll();
                    toA.putLong(4096, 4711);
                    toA.flush();
                    return boxOfA.getLongAcquire(4096) == 4711;
                });
            }
            assertTrue(a.counter("files-restored") >= 1);
        }
    }

    private static long size(final FileChannel channel)
    {
        try
        {
            return channel.size();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** What a client sends through A still lands in B; what it is told is lost, it sends again. */
    private void requireService(final String after)
    {
        value++;
        store();
        await("a write after " + after, () ->
        {
            final long before = losses;
            healthy.poll();
            if (losses != before)
            {
                store();
            }
            return box.getLongAcquire(8) == value;
        });
    }

    private void store()
    {
        window.putLong(8, value);
        window.flush();
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean())
        {
            assertTrue(a.isAlive(), what + ": the endpoint has died");
            assertTrue(System.nanoTime() - end < 0, what + ": waited for 20 s in vain");
            LockSupport.parkNanos(1_000_000);
        }
    }
}
