package org.fibnuma.core.memory;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Many regions of all shapes, against a map of every accessible byte. The addresses are those of no memory. */
class FrameBoundsPropertyTest
{
    private static final long BASE = 1L << 52;
    private static final int ACCESSES = 400;

    /** Number of the chunk of each accessible byte. */
    private final Map<Long, Integer> accessible = new HashMap<>();
    private final List<Long> regions = new ArrayList<>();
    private int chunks;

    @Property(tries = 200)
    void shouldAllowWhatLiesInOneWindow(@ForAll final long seed, @ForAll @IntRange(min = 1, max = 40) final int count)
    {
        // The object is that of all tries.
        accessible.clear();
        regions.clear();
        final Random random = new Random(seed);
        final List<long[]> shapes = new ArrayList<>();
        long end = BASE;
        for (int i = 0; i < count; i++)
        {
            final int chunkSize = random.nextBoolean() ? 1 << random.nextInt(6) : 1 + random.nextInt(40);
            final int size = chunkSize * (1 + random.nextInt(4));
            shapes.add(new long[] {end, size, chunkSize});
            // Half of the regions touch the next one.
            end += size + (random.nextBoolean() ? 0 : random.nextInt(9));
        }
        Collections.shuffle(shapes, random);
        try
        {
            for (final long[] shape : shapes)
            {
                register(shape[0], (int)shape[1], (int)shape[2], random);
            }
            for (int i = 0; i < ACCESSES; i++)
            {
                if (i == ACCESSES / 2)
                {
                    unregister(shapes.get(0));
                }
                final long address = BASE - 2 + random.nextInt((int)(end - BASE) + 4);
                final int length = random.nextInt(12);
                assertEquals(isAllowed(address, length), passes(address, length), address - BASE + " + " + length);
            }
        }
        finally
        {
            regions.forEach(FrameBounds::unregister);
        }
    }

    private void register(final long address, final int size, final int chunkSize, final Random random)
    {
        FrameBounds.register(address, size, chunkSize);
        regions.add(address);
        for (long chunk = address; chunk < address + size; chunk += chunkSize)
        {
            final int offset = random.nextInt(chunkSize);
            final int length = random.nextInt(chunkSize - offset + 1);
            final boolean isWhole = random.nextBoolean();
            if (!isWhole)
            {
                FrameBounds.frame(chunk + offset, length);
            }
            chunks++;
            for (int i = 0; i < (isWhole ? chunkSize : length); i++)
            {
                accessible.put(chunk + (isWhole ? 0 : offset) + i, chunks);
            }
        }
    }

    private void unregister(final long[] shape)
    {
        FrameBounds.unregister(shape[0]);
        for (long i = 0; i < shape[1]; i++)
        {
            accessible.remove(shape[0] + i);
        }
    }

    private boolean isAllowed(final long address, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            final Integer chunk = accessible.get(address + i);
            if (chunk == null || !chunk.equals(accessible.get(address)))
            {
                return false;
            }
        }
        return true;
    }

    private static boolean passes(final long address, final int length)
    {
        try
        {
            FrameBounds.check(address, length);
            return true;
        }
        catch (final IndexOutOfBoundsException ex)
        {
            return false;
        }
    }
}
