package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** When the table's lines are asked for ahead: while destinations are rare, and not while they come back soon. */
class Ipv4LookupPrefetchTest
{
    /** Addresses whose part of a table at 2 bits a code is one cache line of 64 bytes: 256 networks of /24. */
    private static final int LINE = 256 << 8;
    private static final int FRAMES = 8;
    private static final int CHUNK = 2048;
    private static final int LENGTH = 60;
    private static final int DESTINATION_OFFSET = 30;
    /** After so many batches of another kind the stage has changed its mind for sure. */
    private static final int LONG = 64;

    @TempDir
    private Path directory;

    private final FrameBatch batch = new FrameBatch();
    private final Random random = new Random(1);
    private MemoryRegion region;
    private Ipv4Fib fib;
    private Ipv4Lookup lookup;
    private int fresh;

    @BeforeEach
    void open() throws IOException
    {
        region = MemoryRegion.ofChunks(FRAMES + LONG, CHUNK);
        fib = new Ipv4Fib(new ReaderEpochs());
        lookup = RecordingPrefetch.providing(directory, () -> new Ipv4Lookup(fib));
    }

    @AfterEach
    void close()
    {
        lookup.close();
        fib.close();
        region.close();
    }

    @Test
    void shouldAskForEveryFrameOfABatchWhileDestinationsAreRare()
    {
        for (int i = 0; i < 1000; i++)
        {
            assertEquals(FRAMES, askedFor(rare()), "batch " + i);
        }
    }

    @Test
    void shouldStopWhenDestinationsComeBackSoonAndBeginAgainWhenTheyDoNot()
    {
        for (int change = 0; change < 3; change++)
        {
            final int stops = batchesUntil(0, 0x0A00_0001);
            assertTrue(stops > 1 && stops <= LONG, "one that comes back is no sign yet: " + stops);
            assertNeverAsks(500, 1);
            int begins = 1;
            while (askedFor(rare()) == 0)
            {
                begins++;
            }
            assertTrue(begins > 1 && begins <= LONG, "one that is new is no sign yet: " + begins);
            for (int i = 0; i < LONG; i++)
            {
                assertEquals(FRAMES, askedFor(rare()));
            }
        }
    }

    /** Of a hundred lines, which any first-level cache holds, in any order. */
    @Test
    void shouldNotAskForAFewDestinationsInTurn()
    {
        for (int i = 0; i < 2000; i++)
        {
            askedFor(0x0A00_0000 + random.nextInt(100) * LINE);
        }
        RecordingPrefetch.asked();
        assertNeverAsks(2000, 100);
    }

    /** A table of a megabyte, in a circle: when a destination comes back, its line has long gone. */
    @Test
    void shouldAskForDestinationsThatComeBackLate()
    {
        for (int i = 0; i < 20_000; i++)
        {
            assertEquals(FRAMES, askedFor(0x0A00_0000 + i % 5000 * LINE), "batch " + i);
        }
    }

    @Test
    void shouldTakeNeighborsForOneDestination()
    {
        batchesUntil(0, 0x0A01_0000);
        for (int i = 0; i < 1000; i++)
        {
            assertEquals(0, askedFor(0x0A01_0000 + random.nextInt(1 << 14)));
        }
    }

    @Test
    void shouldNotBeginForTheOddRareOne()
    {
        batchesUntil(0, 0x0A00_0001);
        assertNeverAsks(LONG, 1);
        for (int i = 0; i < 2000; i++)
        {
            assertEquals(0, askedFor(i % 3 == 0 ? rare() : 0x0A00_0001), "batch " + i);
        }
    }

    /** It counts as one to 0.0.0.0, whatever lies behind it. */
    @Test
    void shouldReadNoDestinationWhereAFrameHasNone()
    {
        for (int i = 0; i < LONG; i++)
        {
            final long address = frame(FRAMES + i);
            FrameMemory.putIntBE(address + DESTINATION_OFFSET, rare());
            batch.clear();
            batch.add(address, address, DESTINATION_OFFSET + Integer.BYTES - 1, 0);
            lookup.prefetch(batch);
        }
        RecordingPrefetch.asked();
        lookup.prefetch(batch);
        assertEquals(0, RecordingPrefetch.asked());
    }

    private int batchesUntil(final int asked, final int destination)
    {
        int batches = 1;
        while (askedFor(destination) != asked)
        {
            batches++;
        }
        return batches;
    }

    private void assertNeverAsks(final int batches, final int lines)
    {
        for (int i = 0; i < batches; i++)
        {
            assertEquals(0, askedFor(0x0A00_0000 + random.nextInt(lines) * LINE + 1), "batch " + i);
        }
    }

    /** In a line of its own, never seen before. */
    private int rare()
    {
        return 0x1400_0000 + fresh++ * LINE;
    }

    private int askedFor(final int firstDestination)
    {
        fill(firstDestination);
        lookup.prefetch(batch);
        return RecordingPrefetch.asked();
    }

    private long frame(final int chunk)
    {
        return region.address() + (long)chunk * CHUNK + FramePool.HEADROOM;
    }

    /** The first frame's destination tells; those of the others are anywhere. */
    private void fill(final int firstDestination)
    {
        batch.clear();
        for (int i = 0; i < FRAMES; i++)
        {
            final long address = frame(i);
            FrameMemory.putIntBE(address + DESTINATION_OFFSET, i == 0 ? firstDestination : random.nextInt());
            batch.add(address, address, LENGTH, 0);
        }
    }
}
