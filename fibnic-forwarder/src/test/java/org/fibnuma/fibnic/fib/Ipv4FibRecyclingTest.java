package org.fibnuma.fibnic.fib;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Blocks, codes and tables are used again, and not before every reader has let go of them. */
class Ipv4FibRecyclingTest
{
    private final ReaderEpochs epochs = new ReaderEpochs();
    private final ReaderEpochs.Reader reader = epochs.register();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);

    @AfterEach
    void close()
    {
        reader.quiesce();
        epochs.reclaim();
        reader.close();
        fib.close();
    }

    @Test
    void shouldUseBlocksAgainWhenReadersKeepUp()
    {
        final long before = bytesAfterFlaps(1);

        assertEquals(before, bytesAfterFlaps(10_000));
        assertTrue(epochs.pending() <= 2);
    }

    private long bytesAfterFlaps(final int flaps)
    {
        for (int i = 0; i < flaps; i++)
        {
            // Another /24 each time, so that also the directory's entries are used again.
            fib.announce(i << 8, 32, 1 + i % 100);
            assertEquals(1 + i % 100, fib.lookup(i << 8));
            fib.withdraw(i << 8, 32);
            assertEquals(0, fib.lookup(i << 8));
            reader.quiesce();
        }
        return fib.secondLevelBytes();
    }

    @Test
    void shouldKeepABlockForAReaderThatDoesNotReport()
    {
        final LongerPrefixBlocks blocks = new LongerPrefixBlocks(epochs);
        final long block = blocks.allocate();
        LongerPrefixBlocks.fill(block, 0, Ipv4FibLayout.CELL_COUNT, 7);
        blocks.link(5, block);

        blocks.retire(5, block);

        epochs.reclaim();
        assertEquals(7, blocks.lookup(5 << 8));
        assertNotEquals(block, blocks.allocate());
        reader.quiesce();
        epochs.reclaim();
        assertEquals(0, blocks.lookup(5 << 8));
        assertEquals(block, blocks.allocate());
        blocks.close();
    }

    @Test
    void shouldNotUnlinkTheBlockThatCameInPlaceOfARetiredOne()
    {
        final LongerPrefixBlocks blocks = new LongerPrefixBlocks(epochs);
        final long first = blocks.allocate();
        final long second = blocks.allocate();
        LongerPrefixBlocks.fill(second, 0, Ipv4FibLayout.CELL_COUNT, 8);
        blocks.link(5, first);
        blocks.retire(5, first);
        blocks.link(5, second);

        reader.quiesce();
        epochs.reclaim();

        assertEquals(8, blocks.lookup(5 << 8));
        blocks.close();
    }

    /** With three next hops at 2 bits a code, one code means "no route" and "longer prefixes below". */
    @ParameterizedTest
    @CsvSource({"0, 0", "0x0A000000, 8", "0x0A010000, 16"})
    void shouldFindNoRouteInARetiredBlock(final int prefix, final int length)
    {
        fib.announce(0x14000000, 8, 2);
        fib.announce(0x1E000000, 8, 3);
        fib.announce(prefix, length, 1);
        assertEquals(2, fib.codeBits());
        fib.announce(0x0A010180, 25, 2);
        fib.withdraw(0x0A010180, 25);
        assertEquals(1, fib.lookup(0x0A010181));

        fib.withdraw(prefix, length);

        assertTrue(epochs.pending() > 0, "the reader has not reported");
        assertEquals(0, fib.lookup(0x0A010181));
    }

    @Test
    void shouldFindEveryBlockWhileTheDirectoryGrowsAndItsEntriesDie()
    {
        final LongerPrefixBlocks blocks = new LongerPrefixBlocks(epochs);
        final int step = 7919;
        for (int i = 0; i < 3000; i++)
        {
            final long block = blocks.allocate();
            LongerPrefixBlocks.fill(block, 0, Ipv4FibLayout.CELL_COUNT, 1 + i);
            blocks.link(i * step & Ipv4FibLayout.SLOT_COUNT - 1, block);
            if (i % 3 == 0)
            {
                blocks.retire(i * step & Ipv4FibLayout.SLOT_COUNT - 1, block);
            }
            reader.quiesce();
            epochs.reclaim();
        }
        for (int i = 0; i < 3000; i++)
        {
            assertEquals(i % 3 == 0 ? 0 : 1 + i, blocks.lookup((i * step & Ipv4FibLayout.SLOT_COUNT - 1) << 8));
        }
        assertEquals(2000, blocks.linkedSlots().length);
        blocks.close();
    }

    @Test
    void shouldGiveACodeAnotherMeaningOnlyWhenReadersKeepUp()
    {
        final NextHopCodes codes = NextHopCodes.narrowestFor(2, epochs);
        final int first = codes.assign(1000);
        assertNotEquals(first, codes.assign(2000));
        assertEquals(NextHopCodes.EXHAUSTED, codes.assign(3000));

        codes.release(1000);

        epochs.reclaim();
        assertEquals(NextHopCodes.EXHAUSTED, codes.assign(3000));
        assertEquals(1000, codes.decode(first));
        reader.quiesce();
        epochs.reclaim();
        assertEquals(first, codes.assign(3000));
        assertEquals(3000, codes.decode(first));
    }

    @Test
    void shouldStayNarrowWhileNextHopsComeAndGo()
    {
        for (int i = 1; i < 1000; i++)
        {
            fib.announce(0x0A000000, 8, i);
            assertEquals(i, fib.lookup(0x0A0B0C0D));
            reader.quiesce();
        }
        assertEquals(2, fib.codeBits());
    }

    @Test
    void shouldWidenRatherThanWaitForAReaderThatDoesNotReport()
    {
        for (int i = 1; i < 1000; i++)
        {
            fib.announce(0x0A000000, 8, i);
            fib.announce(0x0A000001, 32, i);
            assertEquals(i, fib.lookup(0x0A0B0C0D));
            assertEquals(i, fib.lookup(0x0A000001));
            fib.withdraw(0x0A000001, 32);
        }
        assertEquals(16, fib.codeBits());

        reader.quiesce();
        fib.compact();
        assertEquals(2, fib.codeBits());
        assertEquals(999, fib.lookup(0x0A0B0C0D));
    }
}
