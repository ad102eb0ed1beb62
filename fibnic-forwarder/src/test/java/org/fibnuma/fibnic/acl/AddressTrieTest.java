package org.fibnuma.fibnic.acl;

import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

class AddressTrieTest
{
    private static final long ADDRESSES = 1L << Integer.SIZE;

    /** Intervals that begin at random addresses, some of them in one block of 256, against a search one by one. */
    @Test
    void shouldFindTheIntervalOfEachAddress()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int round = 0; round < 20; round++)
        {
            final long near = random.nextInt() & ADDRESSES - 1;
            final long[] lowest = LongStream.concat(LongStream.of(0, ADDRESSES - 1),
                LongStream.generate(() -> random.nextBoolean() ?
                    random.nextInt() : near + random.nextInt(1 << 1 + random.nextInt(20)))
                    .map(address -> address & ADDRESSES - 1).limit(1 + random.nextInt(300)))
                .sorted().distinct().toArray();
            final char[] classes = new char[lowest.length];
            for (int i = 0; i < classes.length; i++)
            {
                classes[i] = (char)random.nextInt(50);
            }
            final AddressTrie trie = AddressTrie.of(lowest, classes, 50);
            assertNotNull(trie);
            for (final long edge : lowest)
            {
                for (long address = Math.max(0, edge - 2); address <= Math.min(ADDRESSES - 1, edge + 2); address++)
                {
                    assertClass(trie, address, expected(lowest, classes, address), seed);
                }
            }
            for (int i = 0; i < 1000; i++)
            {
                final long address = random.nextInt() & ADDRESSES - 1;
                assertClass(trie, address, expected(lowest, classes, address), seed);
            }
        }
    }

    private static int expected(final long[] lowest, final char[] classes, final long address)
    {
        int interval = 0;
        while (interval + 1 < lowest.length && lowest[interval + 1] <= address)
        {
            interval++;
        }
        return classes[interval];
    }

    private static void assertClass(final AddressTrie trie, final long address, final int expected, final long seed)
    {
        final int[] found = new int[1];
        trie.find(new long[] {address << Integer.SIZE | 0x1234}, 1, found);
        assertEquals(expected, found[0], () -> Long.toHexString(address) + " seed " + seed);
    }

    @Test
    void shouldRefuseMoreNodesThanItCanNumber()
    {
        final long[] lowest = LongStream.range(0, 1 << 16).map(i -> i << 16 | i & 0xFF).toArray();
        final char[] classes = new char[lowest.length];
        for (int i = 0; i < classes.length; i++)
        {
            classes[i] = (char)(i * 7 % 1013);
        }
        assertNull(AddressTrie.of(lowest, classes, 1013));
    }
}
