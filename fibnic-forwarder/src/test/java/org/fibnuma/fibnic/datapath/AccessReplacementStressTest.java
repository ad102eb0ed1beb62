package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.fibnic.acl.AccessAction;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessRule;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.acl.FragmentMatch;
import org.fibnuma.fibnic.acl.PortRange;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.File;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two workers judge batches while a third thread replaces the lists a thousand times as a reload does. Each version
 * denies one of 64 ports, so that a batch shows which version has judged it.
 */
@Tag("stress")
@Timeout(120)
class AccessReplacementStressTest
{
    private static final int WORKERS = 2;
    private static final int VERSIONS = 1000;
    /** Buffers of files that the JVM keeps for each thread; far less than 1,000 times anything. */
    private static final int MEMORY_OF_THREADS = 1 << 16;
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int FRAMES = 64;
    private static final int ROOM = 4096;
    private static final int FIRST_PORT = 0x4000;
    private static final byte[] PACKET = HexFormat.of().parseHex(
        "020000000100020000000200" + "0800" + "4500001c00000000" + "40110000" + "0a000002" + "0a000102" +
        "0001400000080000");
    private static final int DESTINATION_PORT_OFFSET = 36;

    private final AccessTable table = new AccessTable();
    private final ReaderEpochs epochs = new ReaderEpochs();
    private final AtomicBoolean ended = new AtomicBoolean();
    /** The last version that all workers have been told of, and the last one that is or will be published. */
    private volatile int inForce;
    private volatile int published;

    private static AccessLists version(final int version, final AccessLists replaced)
    {
        final AccessRule denied = new AccessRule(
            true, false, null, null, IpProtocol.UDP, PortRange.ANY, PortRange.of(FIRST_PORT + version % FRAMES), 0, 0,
            AccessRule.ANY, FragmentMatch.ANY, AccessAction.DENY, version);
        final AccessRule all = new AccessRule(
            true, false, null, null, IpProtocol.UDP, PortRange.ANY, PortRange.ANY, 0, 0, AccessRule.ANY,
            FragmentMatch.ANY, AccessAction.COUNT, version);
        return new AccessLists(
            replaced, List.of(new AccessList("list", List.of(all, denied), AccessAction.PERMIT)), List.of("list"),
            new ArrayList<>(), WORKERS);
    }

    @Test
    void shouldJudgeByTheOldOrTheNewListAndCountEachFrameOnce() throws Exception
    {
        table.replace(version(0, null));
        final long memory = directMemory();
        final WeakReference<AccessLists> early = new WeakReference<>(table.current());
        final List<CompletableFuture<Long>> workers = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++)
        {
            final int number = worker;
            final ReaderEpochs.Reader reader = epochs.register();
            workers.add(CompletableFuture.supplyAsync(() -> judge(number, reader), task -> new Thread(task).start()));
        }
        final int files = openFiles();
        for (int version = 1; version <= VERSIONS; version++)
        {
            final AccessLists next = version(version, table.current());
            published = version;
            table.replace(next);
            final AtomicBoolean unused = new AtomicBoolean();
            epochs.retire(() -> unused.set(true));
            while (!unused.get() && workers.stream().noneMatch(CompletableFuture::isDone))
            {
                epochs.reclaim();
                LockSupport.parkNanos(PAUSE_NS);
            }
            next.settle();
            inForce = version;
        }
        final int filesAfter = openFiles();
        ended.set(true);
        long frames = 0;
        for (final CompletableFuture<Long> worker : workers)
        {
            frames += worker.get(60, TimeUnit.SECONDS);
        }
        assertTrue(frames > 0);
        assertEquals(frames, table.current().lists().get(0).frames(0), "frames counted by the rule that stays");
        final long grown = directMemory() - memory;
        assertTrue(grown <= MEMORY_OF_THREADS, grown + " more bytes outside the heap");
        assertTrue(filesAfter <= files + 8, files + " open files, then " + filesAfter);
        assertCollected(early);
    }

    private long judge(final int worker, final ReaderEpochs.Reader reader)
    {
        long frames = 0;
        try (MemoryRegion region = MemoryRegion.ofChunks(FRAMES, ROOM))
        {
            for (int i = 0; i < FRAMES; i++)
            {
                FrameMemory.putBytes(region.address() + (long)i * ROOM, PACKET);
                FrameMemory.putBytes(
                    region.address() + (long)i * ROOM + DESTINATION_PORT_OFFSET,
                    new byte[]{(byte)(FIRST_PORT >>> 8), (byte)i});
            }
            final AccessInput input = new AccessInput(table, worker);
            while (!ended.get())
            {
                final int atLeast = inForce;
                final int denied = deniedOf(region.address(), input);
                assertTrue(isOneOf(denied, atLeast, published), () -> denied + " after version " + atLeast);
                frames += FRAMES;
                reader.quiesce();
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        finally
        {
            reader.close();
        }
        return frames;
    }

    private static boolean isOneOf(final int denied, final int first, final int last)
    {
        boolean is = false;
        for (int version = first; version <= last; version++)
        {
            is |= version % FRAMES == denied;
        }
        return is;
    }

    /** Returns the only frame that is denied. */
    private static int deniedOf(final long memory, final AccessInput input)
    {
        final FrameBatch batch = new FrameBatch();
        final FrameList ordinary = new FrameList();
        final FrameList exceptions = new FrameList();
        for (int i = 0; i < FRAMES; i++)
        {
            batch.add(i, memory + (long)i * ROOM, PACKET.length, 0);
            ordinary.add(i);
        }
        input.process(batch, ordinary, new FrameList(), exceptions, new FrameList());
        assertEquals(1, exceptions.size());
        assertEquals(FRAMES - 1, ordinary.size());
        return exceptions.get(0);
    }

    private static long directMemory()
    {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
    }

    private static int openFiles()
    {
        return new File("/proc/self/fd").list().length;
    }

    private static void assertCollected(final WeakReference<AccessLists> reference)
    {
        for (int i = 0; i < 600 && reference.get() != null; i++)
        {
            System.gc();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        assertNull(reference.get(), "the first lists are still referred to");
    }
}
