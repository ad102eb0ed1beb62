package org.fibnuma.ipnuma.endpoint;

import org.agrona.CloseHelper;
import org.fibnuma.core.SharedMemoryDirectory;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two endpoints of one machine, whose untagged writes pass without datagrams: they keep the order of all operations,
 * and the promises about rights, loss and restarts are those of datagrams.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DirectWritesTest
{
    private static final int BOX = 1;
    private static final int UNKNOWN = 9;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int SIZE = 4096;
    private static final int NUMBERS = SIZE / Long.BYTES;

    @TempDir
    private Path directory;

    private final String prefix = "test-direct-" + ProcessHandle.current().pid() + "-";
    private final MemoryRegion data = MemoryRegion.ofBytes(SIZE);
    private final Events events = new Events();
    private Endpoint a;
    private Endpoint b;

    /** What the writing endpoint is told, and the answers that it must get. */
    private static final class Events implements ChannelListener
    {
        private final Map<Long, Long> expected = new HashMap<>();
        private final List<Integer> statuses = new ArrayList<>();
        private long lastWritten;
        private int unanswered;
        private int errors;
        private int lastError;
        private int downs;
        private long lost;
        private int rung;

        @Override
        public void onRead(final int pcId, final long tag, final long address, final int length, final int status)
        {
            assertEquals(AccessStatus.OK, status);
            assertEquals(expected.remove(tag), FrameMemory.getLong(address), "read " + tag);
        }

        @Override
        public void onAtomic(final int pcId, final long tag, final long previous, final int status)
        {
            assertEquals(AccessStatus.OK, status);
            assertEquals(expected.remove(tag), previous, "atomic " + tag);
        }

        @Override
        public void onWritten(final int pcId, final long tag, final int status)
        {
            statuses.add(status);
            expected.remove(tag);
            assertTrue(tag > lastWritten, () -> "write " + tag + " is answered after " + lastWritten);
            lastWritten = tag;
        }

        @Override
        public void onUnanswered(final int pcId, final long tag)
        {
            unanswered++;
        }

        @Override
        public void onError(final int pcId, final int status, final long remoteAddress)
        {
            errors++;
            lastError = status;
        }

        @Override
        public void onDown(final int pcId, final long pendingWrites)
        {
            downs++;
            lost = pendingWrites;
        }

        @Override
        public void onDoorbell(final int pcId)
        {
            rung++;
        }
    }

    @BeforeEach
    void open() throws IOException, ConfigException
    {
        a = endpoint("a", 1, 2, "", events);
        b = endpoint("b", 2, 1, "", events);
        runUntil(() -> channel().isUp() && b.agent().channel(1).isUp());
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(a, b, data);
    }

    private Endpoint endpoint(
        final String name, final int id, final int peer, final String keys, final ChannelListener listener)
        throws IOException, ConfigException
    {
        final Endpoint opened = Endpoint.open(EndpointConfigReader.read(
            Files.writeString(directory.resolve(name + ".toml"), """
            [endpoint]
            name = "%s"
            device = "shm:%slink%s"
            address = "10.9.0.%d/24"
            [[peer]]
            id = %d
            address = "10.9.0.%d"
            %s
            [[region]]
            name = "box"
            key = "none"
            access = "write+read+atomic"
            allow = ["10.9.0.0/24"]
            """.formatted(prefix + name, prefix, name.equals("b") ? "@far" : "", id, peer, peer, keys))), listener);
        opened.start();
        return opened;
    }

    private PeerChannel channel()
    {
        return a.agent().channel(2);
    }

    private void runUntil(final BooleanSupplier condition)
    {
        final long end = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - end < 0, () -> "direct " + count(a, "direct-sent") + ", data " +
                count(a, "data-sent"));
            a.agent().doWork();
            b.agent().doWork();
        }
    }

    /** Writes a number; returns false if it was not taken. */
    private boolean write(final int region, final long offset, final long value, final long tag)
    {
        FrameMemory.putLong(data.address(), value);
        return channel().write(
            RemoteAddress.of(region, offset), Region.NO_KEY, data.address(), Long.BYTES, true, tag);
    }

    private long stored(final int index)
    {
        return FrameMemory.getLong(b.regions().region(BOX).address() + (long)index * Long.BYTES);
    }

    /** Published count of a session, 0 while it was not published. */
    private static long count(final Endpoint endpoint, final String label)
    {
        final long[] found = new long[1];
        endpoint.counters().forEach((value, id, name) -> found[0] += name.endsWith(" " + label) ? value : 0);
        return found[0];
    }

    @Test
    void shouldPassUntaggedWritesWithoutDatagrams()
    {
        assertTrue(write(BOX, 0, 77, 0));
        // At once: nothing waits for a flush or a duty cycle of the writer.
        b.agent().doWork();
        assertEquals(77, stored(0));
        runUntil(() -> count(a, "direct-sent") > 0 && count(b, "direct-received") > 0);
        assertEquals(0, count(a, "data-sent"));
    }

    /** The reference is a table to which every operation is applied when it is called. */
    @Test
    void shouldKeepTheOrderOfWritesReadsAtomicsAndDoorbells()
    {
        final Random random = new Random(11);
        final long[] table = new long[NUMBERS];
        long tag = 0;
        int rung = 0;
        for (int i = 0; i < 60_000; i++)
        {
            final int index = random.nextInt(4);
            final long value = random.nextLong() >>> 1;
            final long before = table[index];
            final long offset = (long)index * Long.BYTES;
            // Mostly writes, so that they go both ways.
            switch (random.nextInt(i / 10_000 % 2 == 0 ? 400 : 8))
            {
                case 0 ->
                {
                    if (channel().read(RemoteAddress.of(BOX, offset), Region.NO_KEY, Long.BYTES, ++tag))
                    {
                        events.expected.put(tag, before);
                        channel().flush();
                    }
                }
                case 1 ->
                {
                    if (channel().atomic(AtomicOperation.SWAP, RemoteAddress.of(BOX, offset), Region.NO_KEY, value,
                        0, Long.BYTES, ++tag))
                    {
                        events.expected.put(tag, before);
                        table[index] = value;
                        channel().flush();
                    }
                }
                case 2 ->
                {
                    if (write(BOX, offset, value, ++tag))
                    {
                        events.expected.put(tag, 0L);
                        table[index] = value;
                    }
                }
                case 3 -> rung += channel().doorbell() ? 1 : 0;
                default ->
                {
                    if (write(BOX, offset, value, 0))
                    {
                        table[index] = value;
                    }
                }
            }
            if (random.nextInt(3) == 0)
            {
                channel().flush();
                (random.nextBoolean() ? a : b).agent().doWork();
            }
        }
        channel().flush();
        runUntil(() -> events.expected.isEmpty() && b.agent().channel(1).isUp());
        // Doorbells that wait for one flush ring once.
        assertTrue(events.rung > 0 && events.rung <= rung, events.rung + " of " + rung);
        for (int i = 0; i < 4; i++)
        {
            assertEquals(table[i], stored(i));
        }
        runUntil(() -> count(a, "direct-sent") > 1000 && count(a, "data-sent") > 1000);
        assertEquals(0, events.downs + events.errors);
        assertTrue(events.statuses.stream().allMatch(status -> status == AccessStatus.OK));
    }

    @Test
    void shouldAnswerWritesWithATagWithoutDatagrams()
    {
        final long length = b.regions().region(BOX).length();
        for (int i = 1; i <= 3000; i++)
        {
            final long offset = i % 1000 == 0 ? length : 8;
            while (!write(BOX, offset, i, i))
            {
                a.agent().doWork();
                b.agent().doWork();
            }
            if (i % 10 == 0)
            {
                a.agent().doWork();
                b.agent().doWork();
            }
        }
        runUntil(() -> events.statuses.size() == 3000);
        for (int i = 1; i <= 3000; i++)
        {
            assertEquals(i % 1000 == 0 ? AccessStatus.OUT_OF_RANGE : AccessStatus.OK, events.statuses.get(i - 1));
        }
        runUntil(() -> events.errors == 3 && count(a, "direct-sent") == 3000);
        assertEquals(0, count(a, "data-sent"));
        assertEquals(2999, stored(1));
    }

    @Test
    void shouldReportWritesThatAreRefused()
    {
        assertTrue(write(UNKNOWN, 0, 1, 0));
        runUntil(() -> events.errors == 1);
        assertEquals(AccessStatus.NO_REGION, events.lastError);
        final long length = b.regions().region(BOX).length();
        assertTrue(write(BOX, length - Integer.BYTES, -1, 0));
        runUntil(() -> events.errors == 2);
        assertEquals(AccessStatus.OUT_OF_RANGE, events.lastError);
        assertEquals(0, FrameMemory.getInt(b.regions().region(BOX).address() + length - Integer.BYTES));
        assertEquals(0, count(a, "data-sent"));
    }

    /** Adds a piece with a number to a list in memory. */
    private int addPiece(final int at, final int offset, final int length, final long value)
    {
        FrameMemory.putInt(data.address() + at, offset);
        FrameMemory.putInt(data.address() + at + 4, length);
        FrameMemory.putLong(data.address() + at + 8, value);
        return at + 16;
    }

    @Test
    void shouldStoreTheWritesOfAListInTheirOrderAndAnswerOnce()
    {
        assertTrue(channel().passesByMemory());
        assertTrue(write(BOX, 0, 1, 0));
        int length = addPiece(0, 0, 8, 0x0102_0304_0506_0708L);
        length = addPiece(length, 4, 4, 0x1122_3344);
        length = addPiece(length, 16, 1, 0x7F);
        assertTrue(channel().scatter(RemoteAddress.of(BOX, 0), Region.NO_KEY, data.address(), length, 9));
        b.agent().doWork();
        assertEquals(0x1122_3344_0506_0708L, stored(0));
        assertEquals(0, stored(1));
        assertEquals(0x7F, stored(2));
        runUntil(() -> events.statuses.size() == 1);
        assertEquals(AccessStatus.OK, events.statuses.get(0));
        assertEquals(9, events.lastWritten);
        runUntil(() -> count(a, "direct-sent") == 2 && count(b, "direct-received") == 2);
        assertEquals(0, count(a, "data-sent"));
    }

    @Test
    void shouldReportAListOfWhichAWriteIsRefusedAndStoreTheOthers()
    {
        int length = addPiece(0, 0, 8, 1);
        length = addPiece(length, (int)b.regions().region(BOX).length() - 4, 8, -1);
        length = addPiece(length, 8, 8, 3);
        assertTrue(channel().scatter(RemoteAddress.of(BOX, 0), Region.NO_KEY, data.address(), length, 1));
        runUntil(() -> events.statuses.size() == 1 && events.errors == 1);
        assertEquals(AccessStatus.OUT_OF_RANGE, events.statuses.get(0));
        assertEquals(1, stored(0));
        assertEquals(3, stored(1));
        assertTrue(channel().scatter(RemoteAddress.of(UNKNOWN, 0), Region.NO_KEY, data.address(), 16, 2));
        runUntil(() -> events.statuses.size() == 2);
        assertEquals(AccessStatus.NO_REGION, events.statuses.get(1));
    }

    /** The lists are those of a hostile peer: this one writes no such list. */
    @Test
    void shouldStoreNothingOfAMalformedPieceAndWhatFollowsIt()
    {
        final int[] badLengths = {0, -1, 9, 17, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int i = 0; i < badLengths.length; i++)
        {
            int length = addPiece(0, 8 * i, 8, i + 1);
            length = addPiece(length, 800, badLengths[i], -1);
            assertTrue(channel().scatter(RemoteAddress.of(BOX, 0), Region.NO_KEY, data.address(), length, i + 1));
            final int expected = i + 1;
            runUntil(() -> events.statuses.size() == expected);
            assertEquals(AccessStatus.OUT_OF_RANGE, events.statuses.get(i));
            assertEquals(i + 1, stored(i));
        }
        for (final int cut : new int[] {1, 7, 8, 15})
        {
            addPiece(0, 800, 8, -1);
            assertTrue(channel().scatter(RemoteAddress.of(BOX, 0), Region.NO_KEY, data.address(), cut, 0));
        }
        runUntil(() -> count(b, "malformed") == badLengths.length + 4);
        assertEquals(0, stored(100));
        assertTrue(channel().isUp());
    }

    @Test
    void shouldTakeNoListThatIsTooLongOrWhileDatagramsWait()
    {
        assertFalse(channel().scatter(
            RemoteAddress.of(BOX, 0), Region.NO_KEY, data.address(), channel().longestWrite() + 1, 0));
        assertTrue(channel().read(RemoteAddress.of(BOX, 0), Region.NO_KEY, 8, 1));
        events.expected.put(1L, 0L);
        assertFalse(channel().passesByMemory());
        assertFalse(channel().scatter(RemoteAddress.of(BOX, 0), Region.NO_KEY, data.address(), 16, 0));
        channel().flush();
        runUntil(events.expected::isEmpty);
        assertTrue(channel().passesByMemory());
    }

    /** A peer that hangs reads nothing: writes find no room, and when it is given up, all of them are reported. */
    @Test
    void shouldReportTheWritesThatAPeerHasNotRead()
    {
        assertTrue(write(BOX, 0, 1, 0));
        b.agent().doWork();
        int taken = 0;
        while (write(BOX, 8, 2, taken % 2 == 0 ? 0 : taken))
        {
            taken++;
        }
        assertTrue(taken > 1000, "taken: " + taken);
        while (events.downs == 0)
        {
            a.agent().doWork();
        }
        assertEquals(taken, events.lost);
        assertEquals(taken / 2, events.unanswered);
        // It comes up again. What it then reads of the old connection precedes what the new one brings.
        runUntil(() -> channel().isUp() && b.agent().channel(1).isUp() && events.downs == 2);
        runUntil(() -> write(BOX, 8, 3, 0));
        runUntil(() -> stored(1) == 3);
    }

    @Test
    void shouldLetWritesTakeEffectBeforeAnOrderlyClose()
    {
        for (int i = 0; i < 100; i++)
        {
            assertTrue(write(BOX, (long)i * Long.BYTES, i + 1, 0));
        }
        final MemoryRegion copy = MemoryRegion.ofBytes(SIZE);
        a.close();
        a = null;
        b.agent().doWork();
        FrameMemory.copy(b.regions().region(BOX).address(), copy.address(), SIZE);
        for (int i = 0; i < 100; i++)
        {
            assertEquals(i + 1, FrameMemory.getLong(copy.address() + (long)i * Long.BYTES));
        }
        copy.close();
        assertEquals(1, events.downs);
        assertEquals(0, events.lost);
    }

    /** Whatever another process cuts off the link's file: what does not arrive is reported. */
    @Test
    void shouldLoseNoWriteUnreportedWhenTheFileOfTheLinkWasTruncated() throws IOException, ConfigException
    {
        final Path rings = SharedMemoryDirectory.path().resolve("fibnuma-link-" + prefix + "link/rings");
        final long length = Files.size(rings);
        for (final long cut : new long[] {0, 4096, length / 2, length - 200_000, length - 100_000, length - 200})
        {
            CloseHelper.closeAll(a, b);
            open();
            runUntil(() -> write(BOX, 0, cut + 1, 0) && stored(0) == cut + 1 && count(a, "direct-sent") > 0);
            try (FileChannel file = FileChannel.open(rings, StandardOpenOption.WRITE))
            {
                file.truncate(cut);
            }
            // Sent again if the connection was lost, as an application does.
            final int[] before = {-1};
            awaitAfterFault(() ->
            {
                if (before[0] != events.downs && write(BOX, 8, cut + 2, 0))
                {
                    channel().flush();
                    before[0] = events.downs;
                }
                return stored(1) == cut + 2;
            });
            awaitAfterFault(() -> size(rings) == length);
        }
    }

    private static long size(final Path file)
    {
        try
        {
            return Files.size(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void awaitAfterFault(final BooleanSupplier condition)
    {
        final long end = System.nanoTime() + PATIENCE_NS;
        boolean isDone = false;
        while (!isDone)
        {
            assertTrue(System.nanoTime() - end < 0, "the connection does not recover");
            for (final EndpointAgent agent : List.of(a.agent(), b.agent()))
            {
                try
                {
                    agent.doWork();
                }
                catch (final InternalError fault)
                {
                    agent.onFault(fault);
                }
            }
            try
            {
                isDone = condition.getAsBoolean();
            }
            catch (final InternalError fault)
            {
                a.agent().onFault(fault);
            }
        }
    }

    @Test
    void shouldUseDatagramsWithAPeerThatSealsThem() throws IOException, ConfigException
    {
        CloseHelper.closeAll(a, b);
        final String seal = "seal-key = \"000102030405060708090a0b0c0d0e0f\"";
        a = endpoint("a", 1, 2, seal, events);
        b = endpoint("b", 2, 1, seal, ChannelListener.NONE);
        runUntil(() -> channel().isUp() && b.agent().channel(1).isUp());
        assertTrue(write(BOX, 0, 5, 0));
        channel().flush();
        runUntil(() -> stored(0) == 5 && count(a, "data-sent") > 0);
        assertEquals(0, count(a, "direct-sent"));
    }
}
